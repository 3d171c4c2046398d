"""What members of a KIP-848 group have yet to give up and to get."""

from evenkeel.data.group.document import FORMAT, Document, Member
from evenkeel.data.live.replay import OnTheWay, Underway, on_the_way


def _document(*members, epochs=(3, 3)):
    return Document(
        format=FORMAT,
        topics=[],
        members=list(members),
        group_epoch=epochs[0],
        assignment_epoch=epochs[1],
    )


def test_a_member_gives_up_what_only_it_has_and_gets_what_only_its_target_has():
    moving = Member(
        member_id="a",
        subscribed=["t", "u"],
        owned={"t": [2, 0], "v": [5]},
        current={"t": [1, 0], "u": [4]},
    )
    waiting = Member(member_id="b", subscribed=["t"], owned={"t": [1]}, current={})
    there = Member(member_id="c", subscribed=["t"], owned={"t": [3]})

    assert on_the_way(_document(moving, waiting, there)) == OnTheWay(
        (
            Underway("a", {"t": [0, 1], "u": [4]}, {"t": [1], "u": [4]}, {"t": [2], "v": [5]}),
            Underway("b", {}, {}, {"t": [1]}),
        ),
        target_is_old=False,
    )


def test_a_group_that_has_changed_since_its_target_was_made_waits_for_another():
    assert on_the_way(_document(epochs=(4, 3))).target_is_old
    assert not on_the_way(_document(epochs=(None, None))).target_is_old


def test_a_member_whose_partition_numbers_are_unknown_is_not_said_to_move():
    unknown = Member(member_id="a", subscribed=["t"], owned={"t": [0]}, current={"t": None})

    assert on_the_way(_document(unknown)).members == ()
