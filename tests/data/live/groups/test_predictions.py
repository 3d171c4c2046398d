"""Kafka does what the scenario engine said: who has what after each change of a real group, told
from the listing before it.
"""

import pytest

from tests.brokers.predictions.differences import compared, compared_restart
from tests.brokers.predictions.group import Cluster
from tests.brokers.predictions.predicted import seen
from tests.data.live.groups.scripts import (
    CHANGED,
    RESTARTED,
    carried_out,
    changes,
    made,
    restarts,
    static_restarts,
)

_MEMBERS, _RESTARTED = 4, 2
_changed = pytest.mark.parametrize("kind", CHANGED, ids=str)
_restarted = pytest.mark.parametrize("kind", RESTARTED, ids=str)


@pytest.fixture(scope="module")
def groups(racks, java_consumers):
    """Group and turns by name."""
    cluster = Cluster(racks, java_consumers, None)
    scripts = {str(kind): (made(cluster, str(kind), kind, 3), changes()) for kind in CHANGED}
    for kind in RESTARTED:
        scripts[f"dynamic-{kind}"] = (
            made(cluster, f"dynamic-{kind}", kind, _MEMBERS),
            restarts(_RESTARTED),
        )
        scripts[f"static-{kind}"] = (
            made(cluster, f"static-{kind}", kind, _MEMBERS, is_static=True),
            static_restarts(_MEMBERS),
        )
    turns = carried_out(cluster, scripts)
    yield {name: (group, turns[name]) for name, (group, _) in scripts.items()}
    java_consumers.stop_all()


@_changed
@pytest.mark.parametrize("turn", range(4), ids=["leave", "come back", "grow", "join"])
def test_a_group_has_what_was_said_from_its_listing_before_the_change(groups, kind, turn):
    group, turns = groups[str(kind)]

    found = compared(group, turns[turn : turn + 1])

    assert (found.owners, found.members) == ([], [])


@_changed
@pytest.mark.parametrize("turn", range(3))
def test_a_group_has_what_was_said_two_changes_before(groups, kind, turn):
    group, turns = groups[str(kind)]

    found = compared(group, turns[turn : turn + 2])

    assert (found.owners, found.members) == ([], [])


@_changed
def test_a_member_that_leaves_and_comes_back_is_the_restart_that_was_said(groups, kind):
    group, turns = groups[str(kind)]
    (left,) = turns[0].change.edits[0]["member_ids"]
    turns = [turns[0], turns[1]._replace(change=turns[1].change._replace(restarted=left))]

    found = compared_restart(group, turns)

    assert (found.owners, found.members) == ([], [])


@_restarted
@pytest.mark.parametrize("turn", range(2 * _RESTARTED))
def test_each_rebalance_of_a_rolling_restart_is_as_said(groups, kind, turn):
    group, turns = groups[f"dynamic-{kind}"]

    found = compared(group, turns[turn : turn + 1])

    assert (found.owners, found.members) == ([], [])


@_restarted
@pytest.mark.parametrize("turn", range(_MEMBERS))
def test_a_static_member_that_restarts_gets_its_assignment_back_without_a_rebalance_as_said(
    groups, kind, turn
):
    group, turns = groups[f"static-{kind}"]
    one = turns[turn]

    found = compared(group, [one])

    assert (found.owners, found.rebalances) == ([], [])
    assert one.generations[0] == one.generations[1]
    assert [member.epoch for member in one.before.members] == [
        member.epoch for member in one.after.members
    ]
    assert _by_instance(one.before) == _by_instance(one.after)
    assert len(seen(one.before).keys() - seen(one.after).keys()) == 1


def _by_instance(document):
    return {member.instance_id: seen(document)[member.member_id] for member in document.members}
