"""Verdicts of the groups of a collected cluster."""

import pytest

from evenkeel.dashboard.groups.loading import of_slots
from evenkeel.dashboard.groups.verdicts import last_batch, listed_verdicts, newest_slots
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.readings import whole_range
from evenkeel.dashboard.timeline.loading.timelines import timeline
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.lake.history.verdict_ages import follow_verdicts
from evenkeel.data.lake.place import place_of
from evenkeel.data.text.formats import duration
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan
from tests.waiting import until

PLAN = Plan(groups=2, partitions=4, members=2, days=1 / 24, stalled={0: (1, 60, 119)})


@pytest.fixture
def lake(tmp_path, monkeypatch):
    ALL.clear()
    write_lake(place_of(tmp_path), PLAN)
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))


def verdicts():
    return until(lambda: made if (made := listed_verdicts(CLUSTER)).groups is not None else None)


def listed_rows():
    verdicts()
    return {row["group_id"]: row for row in of_slots(CLUSTER, newest_slots(CLUSTER)).rows}


def test_lag_changes_by_the_same_number_a_minute_on_home_and_timeline(lake):
    rows = listed_rows()

    for name, row in rows.items():
        group = OpenGroup(batch=last_batch(CLUSTER), group_id=name)
        assert round(60 * timeline(group, *whole_range(group)).lag_change) == round(
            row["lag_change"]
        )
    assert rows["group-0000"]["lag_change"] > 1000


def test_home_names_the_member_that_stands_still_in_its_last_slots(lake):
    sentence = {name: row["summary"].sentence for name, row in listed_rows().items()}

    assert sentence["group-0000"].startswith("member-1-4b1e has read nothing in 300 s: ")
    assert sentence["group-0001"].startswith("group-0001 is fine: ")


def test_a_list_tells_the_age_of_a_stall_that_began_before_the_slots_that_it_reads(
    tmp_path, monkeypatch
):
    place = place_of(tmp_path)
    write_lake(place, Plan(groups=1, partitions=4, members=2, days=0.1, stalled={0: (0, 200, 287)}))
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
    follow_verdicts(place, CLUSTER)
    (row,) = verdicts().groups.to_pylist()
    end = whole_range(OpenGroup(batch=last_batch(CLUSTER), group_id="group-0000")).until

    # Slot 204 of 287 is the first that has seen more of its window without progress than with: five
    # steps of nine.
    assert duration(end - row["verdict_since"].timestamp()) == "41m 30s"
    assert not row["verdict_is_older"]
