"""What a collector does beside its snapshots."""

from datetime import timedelta

from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.pipeline.collect import housekeeping
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan
from tests.generated.stored import changes
from tests.waiting import until

AS_IT_IS = Retention(*[timedelta(days=100_000)] * 3)


def test_the_verdicts_of_the_cluster_are_followed_while_it_is_collected(tmp_path):
    lake, lines = place_of(tmp_path / "lake"), []
    write_lake(lake, Plan(groups=2, partitions=3, members=1, days=0.02))

    with housekeeping(lake, CLUSTER, AS_IT_IS, lambda one: None, lines.append):
        until(lambda: changes(lake, "GROUP_VERDICT", CLUSTER).num_rows)

    assert changes(lake, "GROUP_VERDICT", CLUSTER)["group_id"].to_pylist()[:2] == [
        "group-0000",
        "group-0001",
    ]
    assert lines == []


def test_a_lake_that_cannot_be_read_is_one_line_and_no_end(tmp_path):
    lake, lines = place_of(tmp_path / "lake"), []
    write_lake(lake, Plan(groups=1, partitions=3, members=1, days=0.02))
    for file in (tmp_path / "lake" / "OFFSETS").rglob("*.parquet"):
        file.write_bytes(b"no Parquet")

    with housekeeping(lake, CLUSTER, AS_IT_IS, lambda one: None, lines.append):
        until(lambda: lines)

    assert len(lines) == 1
    assert "/OFFSETS/" in lines[0]
    assert ".parquet: the file is cut off or damaged, expected a Parquet file" in lines[0]
