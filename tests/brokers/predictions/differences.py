"""What was predicted beside what a group then did."""

from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.data.group.document import Document
from evenkeel.data.scenarios.run.group_step import StepAnswer
from tests.brokers.predictions.change import QUICK_RESTART, Change
from tests.brokers.predictions.group import Group, member_id
from tests.brokers.predictions.predicted import assignment_of, predicted, seen


class Turn(NamedTuple):
    """A change, the documents and generations around it."""

    before: Document
    change: Change
    after: Document
    generations: tuple[int | None, int | None]


class Differences(NamedTuple):
    """Lines for what came otherwise.

    `owners`: who has what. `rebalances`: how many. `members`, `topics`: in which order the
    coordinator keeps them, which may decide later.
    """

    owners: list[str]
    rebalances: list[str]
    members: list[str]
    topics: list[str]


def compared(group: Group, turns: Sequence[Turn]) -> Differences:
    """Compare the last of some turns with its prediction, made from the document before the first.

    A member that stops and is back at once may be back before the others have noticed: then both
    fall into one rebalance.
    """
    known = {topic.name for topic in turns[0].before.topics}
    # A topic that its last reader has left goes out of the listing, and appears again with its next
    # one.
    steps = [
        [
            edit
            for edit in turn.change.edits
            if edit["op"] != "add_topic" or edit["name"] not in known
        ]
        for turn in turns
    ]
    ids = {
        number: member_id(turn.after, turn.change.brings)
        for number, turn in enumerate(turns)
        if turn.change.brings
    }
    ways = [steps]
    if turns[-1].change.name == QUICK_RESTART:
        ways.append([*steps[:-1], [one | {"together": True} for one in steps[-1]]])
    found = [
        differences(group, turns, predicted(turns[0].before, group.kind.assignor, way, ids))
        for way in ways
    ]
    return min(found, key=lambda one: [len(lines) for lines in one])


def compared_restart(group: Group, turns: Sequence[Turn]) -> Differences:
    """Compare with the prediction of a restart: a member left in the first of two turns, and came
    back in the other.
    """
    last = turns[-1]
    edit = {"op": "restart_members", "member_ids": [last.change.restarted]}
    answer = predicted(
        turns[0].before,
        group.kind.assignor,
        [[edit]],
        {0: member_id(last.after, last.change.brings)},
    )
    return differences(group, turns, answer)


def differences(group: Group, turns: Sequence[Turn], answer: StepAnswer) -> Differences:
    """Compare an answer with the document after the last turn."""
    document = turns[-1].after
    told, found = assignment_of(answer), seen(document)
    owners = [
        f"{one}: predicted {told.get(one)}, has {found.get(one)}"
        for one in sorted(told | found)
        if told.get(one) != found.get(one)
    ]
    order, members = (
        list(answer.group.snapshot.member_id),
        [one.member_id for one in document.members],
    )
    moved = [f"members: predicted {order}, reported {members}"] if order != members else []
    topics = _topics(answer, document) if group.kind.assignor == "uniform" and not owners else []
    return Differences(
        owners, _rebalances(group, turns[0], answer) if len(turns) == 1 else [], moved, topics
    )


def _topics(answer: StepAnswer, document: Document) -> list[str]:
    """Compare the order of the topics in the stored target; `broker-range` does not read it."""
    pairs = [
        (one.member_id, _topics_of(answer, one.member_id), list(one.owned))
        for one in document.members
    ]
    return [
        f"topics of {one}: predicted {told}, reported {reported}"
        for one, told, reported in pairs
        if told != reported
    ]


def _topics_of(answer: StepAnswer, member: str) -> list[str]:
    group = answer.group.snapshot
    row = group.member_id.index(member)
    topics = group.claim_topic[group.claim_start[row] : group.claim_start[row + 1]]
    return list(dict.fromkeys(group.topic_name[topic] for topic in topics))


def _rebalances(group: Group, turn: Turn, answer: StepAnswer) -> list[str]:
    """Compare the number of rebalances: a classic group counts generations; a broker's group
    epochs, one for each rebalance.
    """
    told, (earlier, later) = answer.rounds, turn.generations
    if not group.kind.is_classic:
        told = sum(one.at_rest is not None for one in answer.rebalances)
        earlier, later = turn.before.group_epoch, turn.after.group_epoch
    return (
        []
        if None in (earlier, later) or later - earlier == told
        else [f"rebalances: predicted {told}, had {later - earlier}"]
    )
