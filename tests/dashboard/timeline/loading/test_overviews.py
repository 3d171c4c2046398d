"""The strip of a week above the Timeline."""

import pytest

from evenkeel.dashboard.groups.verdicts import last_batch
from evenkeel.dashboard.shell.loading.readings import whole_range
from evenkeel.dashboard.timeline.loading.overviews import WEEK, overview
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan

DAY = 86_400.0
PLAN = Plan(
    groups=1,
    partitions=2,
    members=2,
    days=10,
    every=600,
    stalled={0: (0, 1000, 1003)},
    missed=((1200, 1230),),
)


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """Ten days; on the seventh a member stands still for 40 minutes."""
    folder = tmp_path_factory.mktemp("week")
    write_lake(place_of(folder), PLAN)
    return folder


@pytest.fixture
def group(collected, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(collected))
    return OpenGroup(batch=last_batch(CLUSTER), group_id="group-0000")


def test_the_last_week_is_shown_around_a_range_that_lies_in_it(group):
    first, last = whole_range(group)

    found = overview(group, last - DAY, last)

    assert found.until == last
    assert 0 <= found.since - (last - WEEK) < 600
    assert found.every == 1


def test_a_range_before_the_last_week_has_the_week_around_it(group):
    first, last = whole_range(group)

    found = overview(group, first + DAY, first + 2 * DAY)

    assert found.since == first
    assert found.until < last
    assert found.until - found.since == pytest.approx(WEEK, abs=600)


def test_a_range_longer_than_a_week_is_shown_whole(group):
    whole = whole_range(group)

    found = overview(group, *whole)

    assert (found.since, found.until) == whole


def test_a_short_peak_stays_and_a_gap_stays_open(group):
    first, last = whole_range(group)

    found = overview(group, last - DAY, last)

    assert found.time.size < 1000
    assert found.lag.max() > 5 * sorted(found.lag.tolist())[found.lag.size // 2]
    assert set(found.stretch.tolist()) == {0, 1}
