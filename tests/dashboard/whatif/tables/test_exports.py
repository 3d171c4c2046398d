"""The tables of a scenario as files."""

import io
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenkeel.assignors.group.drain import Band
from evenkeel.dashboard.parts.table_files import (
    csv_file,
    figures_table,
    members_table,
    parquet_file,
    partitions_table,
)
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.scenarios.run.step_drains import StepDrain
from tests.dashboard.stepped import STOPS, stepped


def test_each_partition_has_its_owner_and_lag_at_every_step():
    table = partitions_table(stepped(STOPS, assignors=("lag",)))

    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert rows[3:] == [
        (1, "lag", "t0", 0, "C0", 100_000),
        (1, "lag", "t0", 1, "C0", 60_000),
        (1, "lag", "t0", 2, "C0", 50_000),
    ]


def test_each_member_has_what_it_carries():
    table = members_table(stepped(STOPS, assignors=("lag",)))

    (row,) = [row for row in table.to_pylist() if row["step"] == 1]
    assert (row["member_id"], row["partitions"], row["lag"]) == ("C0", 3, 210_000)


def test_figures_have_a_row_for_each_step_and_assignor():
    table = figures_table(stepped(STOPS))

    assert table.column("assignor").to_pylist() == ["range", "lag"] * 2
    assert table.column("max_partitions").to_pylist()[2:] == [3, 3]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", '"\'=1+1"'),
        ("@x", '"\'@x"'),
        ("\n=1", '"\'\n=1"'),
        ("\ufeff\uff1d1", '"\'\ufeff\uff1d1"'),
        ("plain", '"plain"'),
        (None, ""),
    ],
)
def test_no_cell_of_a_csv_is_a_formula(text, cell):
    assert (
        csv_file(pa.table({"name": pa.array([text], pa.string())})).decode() == f'"name"\n{cell}\n'
    )


def test_parquet_is_read_back():
    table = members_table(stepped(STOPS))

    assert pq.read_table(io.BytesIO(parquet_file(table))).equals(table)


def test_times_to_drain_are_columns_of_their_own_where_the_group_has_a_history():
    never = StepDrain(GroupDrain(Band(np.float64(90), *[np.float64(np.inf)] * 2), 2.5))
    run = stepped(STOPS)
    timed = replace(run, drains=[{run.assignors[0]: never}, {}])

    rows = figures_table(timed).to_pylist()

    assert {key: rows[0][key] for key in rows[0] if key.startswith("drain")} == {
        "drain_low_seconds": 90.0,
        "drain_seconds": None,
        "drain_high_seconds": None,
        "drain_is_never": True,
        "drain_excess": 2.5,
    }
    assert rows[1]["drain_is_never"] is None
    assert not any(name.startswith("drain") for name in figures_table(run).column_names)
