"""Why a partition goes to a member, or a task to a process, in sentences: one for each step that
the assignor took.

why(steps, group, tp, labels)
why_task(steps, processes, consumers)
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import tp_name
from evenkeel.assignors.kafka.streams.task_steps import (
    STANDBY,
    CopyFirst,
    Dealt,
    HasState,
    Lightest,
    Load,
    LoadShift,
    OnThread,
    RackExchange,
    Ran,
    Rule,
    SearchHit,
    TaskDecision,
    TookOver,
    Way,
)
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
"""Text for an answer without steps: plug-ins explain nothing."""

_MOST_NAMES = 8


class _Place(NamedTuple):
    """The partition of the steps, and the names of members."""

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
        """Name members; of many only the first."""
        shown = ", ".join(map(self.who, members[:_MOST_NAMES]))
        return with_more(shown, len(members) - _MOST_NAMES)

    def numbered(self, pairs: Sequence[tuple[int, int]]) -> str:
        """Name members with their numbers; of many only the first."""
        shown = ", ".join(
            f"{self.who(member)} {number:,}" for member, number in pairs[:_MOST_NAMES]
        )
        return with_more(shown, len(pairs) - _MOST_NAMES)

    def others(self, pairs: Pairs, but: int) -> str:
        """Name the other members with their numbers."""
        return self.numbered([pair for pair in pairs if pair[0] != but])


def why(
    steps: Sequence[Step], group: GroupSnapshot, tp: int, labels: Sequence[str]
) -> tuple[str, ...]:
    """Return a sentence for each step about a topic-partition; `labels`: the names of members."""
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
    skipped = f"; {place.all(step.skipped)} could not take it" if step.skipped else ""
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
        return f"{subject}; {who} had the fewest partitions of it, {count[step.member]:,}."
    tied = f"{subject}; {place.all(equal)} had the fewest partitions of it, {count[step.member]:,}"
    if sum(total[member] == total[step.member] for member in equal) == 1:
        return f"{tied}; {who} had the least lag of these, {compact(total[step.member])}."
    return (
        f"{tied}; the lag of several was the least, {compact(total[step.member])}, and {who} is the"
        " first of them by member id."
    )


def _kept(step: KeepStep, place: _Place) -> str:
    had = f"Stayed; {place.who(step.member)} had {step.count:,}"
    least = f", the least a member may have is {step.least:,}" if step.least is not None else ""
    return (
        f"{had}{least}."
        if step.limit is None or step.limit == step.least
        else f"{had}{least}, it may keep {step.limit:,}."
    )


def _at_first(step: KeepStep, place: _Place) -> str:
    """Name the owner that keeps the partition until a later step moves it."""
    return f"At first it stays with {place.who(step.member)}, which had {step.count:,}."


_REASONS = {
    Reason.CLAIMED_TWICE: "several members claim it in one generation, so none of them keeps it",
    Reason.RACK: "its rack has no replica",
    Reason.LEFT_TOPIC: "it does not subscribe to the topic",
    Reason.CROWDED: "enough other members share it",
}


def _released(step: ReleaseStep, place: _Place) -> str:
    if step.reason == Reason.CLAIMED_TWICE:
        return f"Nobody keeps it: {_REASONS[step.reason]}."
    who = place.who(step.owner)
    if step.reason == Reason.SURPLUS:
        return f"{who} does not keep it: it had {step.count:,} and may keep {step.limit:,}."
    return f"{who} does not keep it: {_REASONS[step.reason]}."


def _lacking(step: Lacking, place: _Place) -> str:
    order = "one each in turn" if step.in_rounds else "one member after the other"
    subject = (
        "members that may have one more than the least"
        if step.is_above_least
        else "members with places left"
    )
    return (
        f"It is the {ordinal(step.number + 1)} free partition for {subject}"
        f" ({place.numbered(step.places)}), {order}: {place.who(step.member)} is next."
    )


def _fewest(step: Fewest, place: _Place) -> str:
    had, who = dict(step.count)[step.member], place.who(step.member)
    near = " in a rack with a replica" if step.is_near else ""
    if len(step.count) == 1:
        return f"{who} is the only subscriber{near} that can take it."
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
    former = ", its owner of an older generation" if step.to_former_owner else ""
    other = (
        f", in place of {place.name(step.in_place_of)}: this one goes back the way it came"
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


# Why a task, or a copy of it, goes to a process of Kafka Streams, and there to a consumer.


class _Names(NamedTuple):
    """Names of processes and consumers."""

    processes: Sequence[str]
    consumers: Sequence[str]

    def who(self, step: TaskDecision) -> str:
        """Name the process, and its member in a streams group."""
        return self.processes[step.member] + (
            f" ({self.consumers[step.consumer]})" if step.consumer >= 0 else ""
        )


def why_task(
    steps: Sequence[TaskDecision], processes: Sequence[str], consumers: Sequence[str]
) -> tuple[str, ...]:
    """Return a sentence for each step about a task; processes and consumers by their names."""
    names = _Names(processes, consumers)
    return tuple(_TASK_WORDS[type(step)](step, names) for step in steps) or (NOT_TOLD,)


def _load(load: Load) -> str:
    return f"{counted(load[0], 'task')} on {counted(load[1], 'thread')}"


def _it(step: TaskDecision) -> str:
    return "A standby" if step.role == STANDBY else "It"


def _dealt(step: Dealt, names: _Names) -> str:
    turn = f"it is the {ordinal(step.number + 1)}, for {names.processes[step.member]}"
    return (
        f"Stateful tasks are dealt out in turn to {counted(step.ring, 'instance')} by process id,"
        f" whoever had them: {turn}."
    )


def _evened(step: LoadShift, names: _Names) -> str:
    giver, taker = names.processes[step.giver], names.processes[step.member]
    return (
        f"{_it(step)} moved from {giver}, which had {_load(step.had)}, to {taker}, which had"
        f" {_load(step.has)}."
    )


def _exchanged(step: RackExchange, names: _Names) -> str:
    why = (
        "so that each has its share of each subtopology"
        if step.by_subtopology
        else "so that less is read across racks"
    )
    cost = (
        f"the traffic and moves of these tasks cost {step.before:,} before and {step.after:,} after"
    )
    return (
        f"{_it(step)} changed places, {why}: from {names.processes[step.giver]} to"
        f" {names.processes[step.member]}; {cost}."
    )


def _lightest(step: Lightest, names: _Names) -> str:
    tags = " and whose client tags differ from those of its other copies" if step.by_tags else ""
    subject = "A standby went to" if step.role == STANDBY else "It went to"
    return (
        f"{subject} {names.who(step)}: of the instances without it{tags} it had the least,"
        f" {_load(step.load)}."
    )


def _restores(lag: int) -> str:
    return (
        f"has {compact(lag)} to restore"
        if 0 <= lag < _UNBOUNDED
        else "runs it now"
        if lag == _RUNNING
        else "has no known state of it"
    )


def _took_over(step: TookOver, names: _Names) -> str:
    meant, runs = names.processes[step.meant], names.processes[step.member]
    why = (
        f"{meant} is to run it, but {_restores(step.lag_of_meant)}; {runs} {_restores(step.lag)},"
        " so it runs there"
    )
    if step.had_copy:
        return f"{why}, and {meant} gets the standby that was there."
    return (
        f"{why} while {meant} warms up."
        if step.warms_up
        else f"{why}; {meant} warms up later, max.warmup.replicas is used up."
    )


def _copy_first(step: CopyFirst, names: _Names) -> str:
    meant, keeps = names.processes[step.meant], names.processes[step.member]
    why = (
        f"A standby is to be on {meant}, which {_restores(step.lag_of_meant)}; {keeps}"
        f" {_restores(step.lag)}, so one is there"
    )
    return (
        f"{why} while {meant} warms up."
        if step.warms_up
        else f"{why}; {meant} warms up later, max.warmup.replicas is used up."
    )


def _ran(step: Ran, names: _Names) -> str:
    room = (
        ""
        if step.room is None
        else f", and had {counted(step.count, 'task')} of at most {step.room:,}"
    )
    return f"{names.who(step)} ran it before{room}: it stays."


def _has_state(step: HasState, names: _Names) -> str:
    return (
        f"{_it(step)} goes to {names.who(step)}, which has its state and had"
        f" {counted(step.count, 'task')} of at most {step.room:,}."
    )


_RULES = {
    Rule.ONLY: "it is the only instance that can take it",
    Rule.RAN: "it ran it before and is not overloaded",
    Rule.KEEPS: "of the instances with its state it has the least, and is not overloaded",
    Rule.EMPTY: "it is the first without any task",
    Rule.NEW_PAIR: (
        "it has the least by thread of those where the task meets one that it has not met on"
        " another instance"
    ),
    Rule.ROOM: "it has the least by thread",
}


def _found(step: SearchHit, names: _Names) -> str:
    text = "A standby went to" if step.role == STANDBY else "It went to"
    return (
        f"{text} {names.processes[step.member]}, which had {_load(step.load)}: {_RULES[step.rule]}."
    )


def _on_thread(step: OnThread, names: _Names) -> str:
    subject = "The standby on" if step.role == STANDBY else "On"
    where = (
        f"{subject} {names.processes[step.member]}"
        f" {'is with' if step.role == STANDBY else 'it runs on'} {names.consumers[step.consumer]}"
    )
    had = f"it had {step.count:,} and each gets {step.least:,} at least"
    ways = {
        Way.BACK: f"it reported the task; {had}",
        Way.FILL: f"it was next of those with less; {had}",
    }
    return (
        f"{where}:"
        f" {ways.get(step.way, f'each has {step.least:,}, and it is next to get one more')}."
    )


_RUNNING, _UNBOUNDED = -2, 2**63 - 1
"""Lags of a task that runs there, and of a process without state."""

_TASK_WORDS: dict[type[TaskDecision], Callable[..., str]] = {
    Dealt: _dealt,
    LoadShift: _evened,
    RackExchange: _exchanged,
    Lightest: _lightest,
    TookOver: _took_over,
    CopyFirst: _copy_first,
    Ran: _ran,
    HasState: _has_state,
    SearchHit: _found,
    OnThread: _on_thread,
}
