"""Verdicts of the groups of a collected cluster, and what is wrong with them."""

import time

import pytest

from evenkeel.dashboard.groups.listing import with_verdicts
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.readings import whole_range
from evenkeel.dashboard.shell.loading.views import view
from evenkeel.dashboard.timeline.loading.timelines import timeline
from evenkeel.dashboard.timeline.loading.verdicts import (
    diagnosis,
    last_batch,
    listed_diagnoses,
    listed_verdicts,
)
from evenkeel.dashboard.view import Opened
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


def found():
    return until(
        lambda: verdicts if (verdicts := listed_verdicts(CLUSTER)).groups is not None else None
    )


def test_lag_changes_by_the_same_number_a_minute_on_groups_and_timeline(lake):
    verdicts = found()
    listed = with_verdicts(
        verdicts.groups.select(["group_id", "lag"]), verdicts.groups, verdicts.axis
    )
    a_minute = dict(
        zip(listed["group_id"].to_pylist(), listed["lag_change"].to_pylist(), strict=True)
    )

    for name, change in a_minute.items():
        group = Opened(batch=last_batch(CLUSTER), group_id=name)
        assert round(60 * timeline(group, *whole_range(group)).lag_change) == change
    assert a_minute["group-0000"] > 1000


def test_the_list_says_what_is_wrong_with_a_group_in_trouble_as_far_as_its_last_slots_show(lake):
    while (told := listed_diagnoses(CLUSTER, ("group-0000", "group-0001"))).is_behind:
        time.sleep(0.1)

    assert {
        group_id: tuple(one.text for one in said) for group_id, said in told.sentences.items()
    } == {
        "group-0000": (
            "member-1-4b1e owns topic-0000-2 and 1 more but has not read them for 19m 30s or longer",
        ),
    }


def test_a_list_a_page_and_a_timeline_tell_one_age_of_a_stall_that_began_before_the_slots_that_they_read(
    tmp_path, monkeypatch
):
    place = place_of(tmp_path)
    write_lake(place, Plan(groups=1, partitions=4, members=2, days=0.1, stalled={0: (0, 200, 287)}))
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
    follow_verdicts(place, CLUSTER)
    while (told := listed_diagnoses(CLUSTER, ("group-0000",))).is_behind:
        time.sleep(0.1)
    (row,) = found().groups.to_pylist()
    group = Opened(batch=last_batch(CLUSTER), group_id="group-0000")
    until = whole_range(group).until
    age = duration(until - row["verdict_since"].timestamp())
    sentence = f"member-0-4b1e owns topic-0000-1 and 1 more, which have made no progress for {age}"

    # Slot 204 of 287 is the first that has seen more of its window without progress than with: five
    # steps of nine.
    assert age == "41m 30s"
    assert not row["verdict_is_older"]
    assert [one.text for one in told.sentences["group-0000"]] == [sentence]
    assert [one.text for one in diagnosis(view(group))] == [sentence]
    short = timeline(group, until - 900, until)
    assert ([one.text for one in short.diagnosis], duration(until - short.verdict_since)) == (
        [sentence],
        age,
    )
