"""Slots between which nothing changes that an assignor reads, but offsets."""

import pytest

from evenkeel.data.lake.place import place_of
from evenkeel.data.timeline import replayed_history
from evenkeel.data.timeline.replayed_history import replayed
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan
from tests.generated.stored import read_history

REBALANCES = tuple(range(4, 56, 4))


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    place = place_of(tmp_path_factory.mktemp("periods") / "lake")
    write_lake(
        place,
        Plan(
            groups=2,
            partitions=5,
            members=3,
            days=0.02,
            rebalances={0: REBALANCES, 1: REBALANCES[:3]},
        ),
    )
    return place


def found(lake, group: str) -> list[list[int]]:
    return [
        rows.tolist() for rows in replayed_history.periods(lake, read_history(lake, group, CLUSTER))
    ]


def test_each_of_few_rebalances_begins_a_period(lake):
    assert [rows[0] for rows in found(lake, "group-0001")] == [0, 4, 8, 12]


def test_many_rebalances_of_the_same_members_with_the_same_subscriptions_are_one_period(lake):
    assert found(lake, "group-0000") == [list(range(58))]


def test_a_member_that_says_something_else_begins_a_period(lake, monkeypatch):
    told, batch = replayed_history._members_at, read_history(lake, "group-0000", CLUSTER).batch
    monkeypatch.setattr(
        replayed_history,
        "_members_at",
        lambda *args: told(*args) | {batch[8]: [{"subscribed": ["other"]}]},
    )

    assert [rows[0] for rows in found(lake, "group-0000")] == [0, 8, 12]


def test_the_answers_are_those_of_reading_the_group_at_every_rebalance(lake, monkeypatch):
    history = read_history(lake, "group-0000", CLUSTER)
    at_once = replayed(lake, history)
    monkeypatch.setattr(replayed_history, "_FEW", 10**6)

    assert len(replayed_history.periods(lake, history)) == len(REBALANCES) + 1
    assert at_once.equals(replayed(lake, history))
