"""The tables of a scenario as files."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dashboard.tables.steps.exports import figures_table, members_table, partitions_table
from dashboard.tables.steps.table_files import csv_file, parquet_file
from tests.dashboard.stepped import STOPS, stepped


def test_each_partition_has_its_owner_and_lag_at_every_step():
    table = partitions_table(stepped(STOPS, assignors=("lag",)))

    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert rows[3:] == [(1, "lag", "t0", 0, "C0", 100_000), (1, "lag", "t0", 1, "C0", 60_000), (1, "lag", "t0", 2, "C0", 50_000)]


def test_each_member_has_what_it_carries():
    table = members_table(stepped(STOPS, assignors=("lag",)))

    (row,) = [row for row in table.to_pylist() if row["step"] == 1]
    assert (row["member_id"], row["partitions"], row["lag"]) == ("C0", 3, 210_000)


def test_figures_have_a_row_for_each_step_and_assignor():
    table = figures_table(stepped(STOPS))

    assert table.column("assignor").to_pylist() == ["range", "lag"] * 2 and table.column("max_partitions").to_pylist()[2:] == [3, 3]


@pytest.mark.parametrize(("text", "cell"), [("=1+1", "\"'=1+1\""), ("@x", "\"'@x\""), ("plain", '"plain"'), (None, "")])
def test_no_cell_of_a_csv_is_a_formula(text, cell):
    assert csv_file(pa.table({"name": pa.array([text], pa.string())})).decode().splitlines()[1] == cell


def test_parquet_is_read_back():
    table = members_table(stepped(STOPS))

    assert pq.read_table(io.BytesIO(parquet_file(table))).equals(table)
