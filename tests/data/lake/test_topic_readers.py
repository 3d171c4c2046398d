"""Groups that read a topic, by the last slot of a cluster."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble


@pytest.fixture
def lake(tmp_path):
    """Three groups, each with topics of its own."""
    place = place_of(tmp_path / "lake")
    plan = plan_with_trouble(groups=3, partitions=4, members=2, days=0.05)
    write_lake(place, plan)
    return place.url, plan.topic_names(1)[0]


def test_the_groups_of_a_topic_are_listed_with_members_and_lag(lake, capsys):
    url, topic = lake

    assert main(["groups", "--cluster", CLUSTER, "--topic", topic, "--out", url, "--json"]) == 0

    (row,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (row["group_id"], row["members"]) == ("group-0001", 2)
    assert row["lag"] >= 0


def test_the_verdict_of_a_group_whose_member_reads_nothing_is_stall(lake, capsys):
    url, _ = lake
    topic = plan_with_trouble(groups=3, partitions=4, members=2, days=0.05).topic_names(0)[0]

    assert main(["groups", "--cluster", CLUSTER, "--topic", topic, "--out", url]) == 0

    head, row = capsys.readouterr().out.splitlines()
    assert head.split() == ["group", "verdict", "members", "partitions", "lag"]
    assert row.split()[:3] == ["group-0000", "STALL", "2"]


def test_a_lag_with_unknown_parts_is_a_lower_bound(lake, tmp_path, capsys):
    """Partition 0 has 7 records, 1 was never committed, 2 has 5 records, 3 none."""
    url, topic = lake
    committed_at = {0: 13, 1: None, 2: 15, 3: 20}
    for file in (tmp_path / "lake").glob("OFFSETS/*/*.parquet"):
        rows = pq.read_table(file)
        committed = pa.array(
            [committed_at[row] for row in rows["partition"].to_pylist()], pa.int64()
        )
        ends = pa.array([20] * rows.num_rows, pa.int64())
        for name, column in (("committed_offset", committed), ("end_offset", ends)):
            rows = rows.set_column(rows.schema.get_field_index(name), name, column)
        pq.write_table(rows, file)

    assert main(["groups", "--cluster", CLUSTER, "--topic", topic, "--out", url, "--json"]) == 0
    (row,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert main(["groups", "--cluster", CLUSTER, "--topic", topic, "--out", url]) == 0

    assert (row["lag"], row["partitions"], row["unknown_partitions"]) == (7 + 5 + 0, 4, 1)
    assert "≥ 12" in capsys.readouterr().out


def test_a_topic_that_nobody_reads_says_so(lake, capsys):
    url, _ = lake

    assert main(["groups", "--cluster", CLUSTER, "--topic", "unread", "--out", url]) == 0

    captured = capsys.readouterr()
    assert captured.out == ""
    assert "nobody reads unread in the slot of 2026-11-" in captured.err


def test_a_cluster_without_slots_is_refused(lake, capsys):
    url, topic = lake

    assert main(["groups", "--cluster", "other", "--topic", topic, "--out", url]) == 2

    assert "no slot of cluster other" in capsys.readouterr().err
