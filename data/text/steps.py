"""Sentences that explain why an assignor gives a partition to a member. Each step of the assignor
has a sentence.

why(steps, group, tp, labels)
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.trace import (
    ByLag,
    Fewest,
    FirstWithRoom,
    HandBackStep,
    KeepStep,
    Lacking,
    MoveStep,
    NoSubscriber,
    Pairs,
    Reason,
    ReleaseStep,
    Slice,
    Step,
    Turn,
    Undone,
    Withheld,
)
from evenkeel.data.text.formats import compact, counted, ordinal, with_more

NOT_TOLD = "This assignor does not say why."
"""Text for an answer without steps; plug-ins have no steps."""

_MOST_NAMES = 8


class _Place(NamedTuple):
    """Names for the sentences: of the partition `tp` in `group`, and of the members."""

    group: GroupSnapshot
    tp: int
    labels: Sequence[str]

    @property
    def topic(self) -> str:
        return self.group.topic_name[self.group.tp_topic[self.tp]]

    def name(self, tp: int) -> str:
        return tp_name(self.group, tp)

    def who(self, member: int) -> str:
        return self.labels[member]

    def all(self, members: Sequence[int]) -> str:
        """List members' names; a long list ends with `and 3 more`."""
        shown = ", ".join(map(self.who, members[:_MOST_NAMES]))
        return with_more(shown, len(members) - _MOST_NAMES)

    def numbered(self, pairs: Sequence[tuple[int, int]]) -> str:
        """List members' names, each with a number. A long list ends with `and 3 more`."""
        shown = ", ".join(
            f"{self.who(member)} {number:,}" for member, number in pairs[:_MOST_NAMES]
        )
        return with_more(shown, len(pairs) - _MOST_NAMES)

    def others(self, pairs: Pairs, but: int) -> str:
        """List members' names, each with a number, without the member `but`."""
        return self.numbered([pair for pair in pairs if pair[0] != but])


def why(
    steps: Sequence[Step], group: GroupSnapshot, tp: int, labels: Sequence[str]
) -> tuple[str, ...]:
    """Return a sentence for each step that concerns a partition. `tp`: row number of the partition.
    `labels`: names of the members.
    """
    place = _Place(group, tp, labels)
    at_first = tuple(
        _at_first(step, place) if isinstance(step, KeepStep) else _WORDS[type(step)](step, place)
        for step in steps[:-1]
    )
    return (*at_first, *(_WORDS[type(step)](step, place) for step in steps[-1:])) or (NOT_TOLD,)


def _slice(step: Slice, place: _Place) -> str:
    topic = (
        f"{place.topic} has {counted(sum(step.sizes), 'partition')} and"
        f" {counted(len(step.members), 'subscriber')}"
    )
    stop = step.first + step.sizes[step.place] - 1
    numbers = f"{step.first}" if stop == step.first else f"{step.first} to {stop}"
    return (
        f"{topic} in the order {place.all(step.members)}; the {ordinal(step.place + 1)},"
        f" {place.who(step.member)}, gets {numbers}."
    )


def _first_with_room(step: FirstWithRoom, place: _Place) -> str:
    full = [
        member
        for member, room in step.room[: [member for member, _ in step.room].index(step.member)]
        if room <= 0
    ]
    who = "the first subscriber" + (" in a rack with a replica" if step.is_near else "")
    return f"{place.who(step.member)} is {who} with room" + (
        f"; {place.all(full)} had none." if full else "."
    )


def _turn(step: Turn, place: _Place) -> str:
    after = (
        f"after {place.who(step.before)}, which got the partition before"
        if step.before >= 0
        else "the first of all"
    )
    ring = " in a rack with a replica" if step.is_near else ""
    skipped = f"; {place.all(step.skipped)} could not take this partition" if step.skipped else ""
    return (
        f"It was the turn of {place.who(step.member)}, {after}; members{ring} take turns in the"
        f" order {place.all(step.ring)}{skipped}."
    )


def _by_lag(step: ByLag, place: _Place) -> str:
    subject = (
        f"{ordinal(step.rank + 1)} by lag of the {counted(step.partitions, 'partition')} of"
        f" {place.topic}, {compact(step.lag)} behind"
    )
    count, total, who = dict(step.count), dict(step.total), place.who(step.member)
    equal = [member for member, number in step.count if number == count[step.member]]
    if len(equal) == 1:
        return f"{subject}; {who} had the fewest of these partitions, {count[step.member]:,}."
    tied = (
        f"{subject}; {place.all(equal)} had the fewest of these partitions, {count[step.member]:,}"
    )
    if sum(total[member] == total[step.member] for member in equal) == 1:
        return f"{tied}; {who} had the least lag of these members, {compact(total[step.member])}."
    return (
        f"{tied}; several members had the least lag, {compact(total[step.member])}, and {who} is"
        " first by member id."
    )


def _kept(step: KeepStep, place: _Place) -> str:
    had = f"Stayed; {place.who(step.member)} had {step.count:,}"
    least = f", each member gets at least {step.least:,}" if step.least is not None else ""
    return (
        f"{had}{least}."
        if step.limit is None or step.limit == step.least
        else f"{had}{least}, {place.who(step.member)} may keep {step.limit:,}."
    )


def _at_first(step: KeepStep, place: _Place) -> str:
    """Return the sentence for a member that keeps the partition, until a later step moves it."""
    return f"At first it stays with {place.who(step.member)}, which had {step.count:,}."


_REASONS = {
    Reason.CLAIMED_TWICE: "several members claim it in one generation, so none of them keeps it",
    Reason.RACK: "the member's rack has no replica",
    Reason.LEFT_TOPIC: "the member does not subscribe to the topic",
    Reason.CROWDED: "enough other members share the partition",
}


def _released(step: ReleaseStep, place: _Place) -> str:
    if step.reason == Reason.CLAIMED_TWICE:
        return f"Nobody keeps it: {_REASONS[step.reason]}."
    who = place.who(step.owner)
    if step.reason == Reason.SURPLUS:
        return f"{who} does not keep it: {who} had {step.count:,} and may keep {step.limit:,}."
    return f"{who} does not keep it: {_REASONS[step.reason]}."


def _lacking(step: Lacking, place: _Place) -> str:
    order = "one each in turn" if step.in_rounds else "one member after the other"
    subject = (
        "members that may get one more than the minimum"
        if step.is_above_least
        else "members with places left"
    )
    return (
        f"Free partitions go to {subject} ({place.numbered(step.places)}), {order}."
        f" This is the {ordinal(step.number + 1)}, so it goes to {place.who(step.member)}."
    )


def _fewest(step: Fewest, place: _Place) -> str:
    had, who = dict(step.count)[step.member], place.who(step.member)
    near = " in a rack with a replica" if step.is_near else ""
    if len(step.count) == 1:
        return f"{who} is the only subscriber{near} that can take this partition."
    equal = [member for member, number in step.count if number == had]
    others = place.others(step.count, step.member)
    if len(equal) == 1:
        return f"{who} had the fewest partitions of the subscribers{near}, {had:,} ({others})."
    return (
        f"{place.all(equal)} had the fewest partitions of the subscribers{near}, {had:,}; {who} is"
        " the first of them."
    )


def _moved(step: MoveStep, place: _Place) -> str:
    to = (
        f"from {place.who(step.giver)}, which had {step.had:,}, to {place.who(step.member)}, which"
        f" had {step.has:,}"
    )
    former = ", its owner in an older generation" if step.to_former_owner else ""
    other = (
        f", instead of {place.name(step.in_place_of)}, because this undoes an earlier move"
        if step.in_place_of is not None
        else ""
    )
    return f"Moved {to}{former}{other}."


def _withheld(step: Withheld, place: _Place) -> str:
    still = (
        f"{place.who(step.owner)} still has it"
        if step.owner >= 0
        else "another member still claims it"
    )
    return f"{place.who(step.member)} gets it in the next rebalance, because {still}."


_WORDS: dict[type[Step], Callable[..., str]] = {
    Slice: _slice,
    FirstWithRoom: _first_with_room,
    Turn: _turn,
    ByLag: _by_lag,
    KeepStep: _kept,
    ReleaseStep: _released,
    Lacking: _lacking,
    Fewest: _fewest,
    MoveStep: _moved,
    Undone: lambda step, place: (
        "Moves did not make the group more even, so they are undone: it stays with"
        f" {place.who(step.member)}."
    ),
    HandBackStep: lambda step, place: (
        f"The leader leaves it with {place.who(step.member)}, which claims it."
    ),
    Withheld: _withheld,
    NoSubscriber: lambda step, place: f"Nobody subscribes to {place.topic}.",
}
