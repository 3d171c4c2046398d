"""Two snapshots of one group on one set of rows."""

from dataclasses import replace

from evenkeel.assignors.compare.moves import moves_between
from evenkeel.assignors.group.lag import page_lag
from evenkeel.data.group.columns import observed_from_document, succession
from evenkeel.data.group.document import FORMAT, Document, Member, Topic


def _observed(topics, *members):
    document = Document(
        format=FORMAT,
        topics=[Topic(name, count) for name, count in topics.items()],
        members=[Member(**member) for member in members],
    )
    return observed_from_document(document)


def _moves(earlier, later):
    observed, owned = succession(earlier, later)
    group = observed.snapshot
    moves = moves_between(owned, observed.current, group, page_lag(group))
    names = [*group.member_id, None]
    rows = zip(moves.topic, moves.partition, moves.from_member, moves.to_member, strict=True)
    return {
        f"{group.topic_name[topic]}-{partition}": (names[before], names[after])
        for topic, partition, before, after in rows
    }


def test_a_member_that_has_left_keeps_its_name_in_what_moved():
    earlier = _observed(
        {"t": 3},
        {"member_id": "A", "subscribed": ["t"], "owned": {"t": [0]}},
        {"member_id": "B", "subscribed": ["t"], "owned": {"t": [1, 2]}},
    )
    later = _observed(
        {"t": 3},
        {"member_id": "C", "subscribed": ["t"], "owned": {"t": [2]}},
        {"member_id": "A", "subscribed": ["t"], "owned": {"t": [0, 1]}},
    )

    assert _moves(earlier, later) == {"t-1": ("B", "A"), "t-2": ("B", "C")}


def test_a_static_member_that_was_restarted_is_the_same():
    earlier = _observed(
        {"t": 1}, {"member_id": "A-1", "instance_id": "a", "subscribed": ["t"], "owned": {"t": [0]}}
    )
    later = _observed(
        {"t": 1}, {"member_id": "A-2", "instance_id": "a", "subscribed": ["t"], "owned": {"t": [0]}}
    )

    assert _moves(earlier, later) == {}


def test_an_instance_id_that_two_members_share_identifies_neither():
    listed = _observed(
        {"t": 2},
        {"member_id": "A", "instance_id": "a", "subscribed": ["t"], "owned": {"t": [0]}},
        {"member_id": "B", "instance_id": "a", "subscribed": ["t"], "owned": {"t": [1]}},
    )

    assert _moves(listed, listed) == {}


def test_new_partitions_come_from_nobody_and_those_of_a_topic_that_is_gone_are_left_out():
    earlier = _observed(
        {"gone": 2, "t": 1},
        {"member_id": "A", "subscribed": ["gone", "t"], "owned": {"gone": [0, 1], "t": [0]}},
    )
    later = _observed({"t": 2}, {"member_id": "A", "subscribed": ["t"], "owned": {"t": [0, 1]}})

    assert _moves(earlier, later) == {"t-1": (None, "A")}


def test_unknown_owners_of_the_earlier_snapshot_stay_unknown():
    later = _observed({"t": 1}, {"member_id": "A", "subscribed": ["t"], "owned": {"t": [0]}})
    unknown = _observed({"t": 1}, {"member_id": "A", "subscribed": ["t"]})
    without_members = replace(_observed({"t": 1}), assumed=("members",))

    assert succession(unknown, later)[1] is None
    assert succession(without_members, later)[1] is None
    assert succession(_observed({"t": 1}), later)[1] is not None
