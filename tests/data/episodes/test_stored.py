"""Evidence of stored slots."""

from argparse import Namespace
from datetime import timedelta

import pyarrow.parquet as pq
import pytest

from evenkeel.data.episodes.stored import StoredSnapshots, stored_source
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan, plan_with_trouble


def test_slots_of_an_older_release_have_no_last_stable_offsets_and_are_read(tmp_path):
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))
    for file in place.folder.glob("OFFSETS/*/*.parquet"):
        rows = pq.read_table(file).drop_columns("stable_offset")
        pq.write_table(rows, file)

    stored = StoredSnapshots(place, CLUSTER, instants(place, CLUSTER))
    evidence = dict(stored.evidence_of(()))

    assert sorted(evidence) == stored.groups
    assert all((each.stable_end == -1).all() for each in evidence.values())
    assert all((each.series.end_offset >= 0).all() for each in evidence.values())


def test_groups_that_are_read_together_have_the_evidence_that_each_has_alone(tmp_path):
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=4, partitions=4, members=2, days=0.05))
    stored = StoredSnapshots(place, CLUSTER, last_of(instants(place, CLUSTER), 40))

    together = dict(stored.evidence_of(()))

    for group in stored.groups:
        ((_, alone),) = stored.evidence_of([group])
        both = (together[group], alone)
        for name in ("committed_offset", "end_offset", "lag", "owner", "is_member", "is_listed"):
            one, two = (getattr(each.series, name) for each in both)
            assert one.tolist() == two.tolist(), name
        assert both[0].series.member_id == both[1].series.member_id
        assert both[0].series.topic_name == both[1].series.topic_name == (topic_of(group),)
        assert both[0].subscription.tolist() == [[0, 0]] * 40
        assert both[0].topic_set.tolist() == [[True]]
        assert both[0].is_stable.all()
        assert not both[0].is_share


def topic_of(group: str) -> str:
    return group.replace("group", "topic")


def test_a_range_of_two_days_has_all_its_slots_and_those_of_24_hours_before_it(tmp_path):
    place, plan = place_of(tmp_path / "lake"), Plan(groups=1, partitions=2, members=1, days=4)
    write_lake(place, plan)
    since = plan.time(0) + timedelta(hours=30)

    def source_of(since, until):
        options = Namespace(
            out=str(place), cluster=CLUSTER, group=None, since=since, until=until, at=None
        )
        return stored_source(options, until and until.timestamp())

    ranged = source_of(since, since + timedelta(days=2))

    assert ranged.slot_count == 3 * 86400 // plan.every + 1
    assert int(ranged.last) == (since + timedelta(days=2)).timestamp()
    with pytest.raises(SnapshotError, match=r"no slot from 2\d{3}-\d\d-\d\dT"):
        source_of(since + timedelta(days=9), None)
