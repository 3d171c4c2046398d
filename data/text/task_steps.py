"""Sentences that explain why an assignor gives a task to a process. Each step of the assignor has a
sentence.

why_task(steps, processes, consumers)
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

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
from evenkeel.data.text.formats import compact, counted, ordinal
from evenkeel.data.text.steps import NOT_TOLD

# Explains a task or a standby: its Kafka Streams process, and its consumer in that process.


class _Names(NamedTuple):
    processes: Sequence[str]
    consumers: Sequence[str]

    def who(self, step: TaskDecision) -> str:
        """Return the name of the process that a step is about. In a streams group, the name of the
        member is added.
        """
        return self.processes[step.member] + (
            f" ({self.consumers[step.consumer]})" if step.consumer >= 0 else ""
        )


def why_task(
    steps: Sequence[TaskDecision], processes: Sequence[str], consumers: Sequence[str]
) -> tuple[str, ...]:
    """Return a sentence for each step that concerns a task. `processes`, `consumers`: the names
    that the sentences use.
    """
    names = _Names(processes, consumers)
    return tuple(_TASK_WORDS[type(step)](step, names) for step in steps) or (NOT_TOLD,)


def _load(load: Load) -> str:
    return f"{counted(load[0], 'task')} on {counted(load[1], 'thread')}"


def _it(step: TaskDecision) -> str:
    return "A standby" if step.role == STANDBY else "It"


def _dealt(step: Dealt, names: _Names) -> str:
    turn = f"this is the {ordinal(step.number + 1)}, for {names.processes[step.member]}"
    return (
        f"Stateful tasks are dealt out in turn to {counted(step.ring, 'instance')} by process id,"
        f" regardless of former owners: {turn}."
    )


def _evened(step: LoadShift, names: _Names) -> str:
    giver, taker = names.processes[step.giver], names.processes[step.member]
    return (
        f"{_it(step)} moved from {giver}, which had {_load(step.had)}, to {taker}, which had"
        f" {_load(step.has)}."
    )


def _exchanged(step: RackExchange, names: _Names) -> str:
    why = (
        "so that each instance has its share of each subtopology"
        if step.by_subtopology
        else "so that less is read across racks"
    )
    cost = (
        f"the traffic and moves of these tasks cost {step.before:,} before and {step.after:,} after"
    )
    return (
        f"{_it(step)} changed places with others, {why}: from {names.processes[step.giver]} to"
        f" {names.processes[step.member]}; {cost}."
    )


def _lightest(step: Lightest, names: _Names) -> str:
    tags = " and whose client tags differ from those of its other copies" if step.by_tags else ""
    subject = "A standby went to" if step.role == STANDBY else "It went to"
    return (
        f"{subject} {names.who(step)}, which had the lowest load of the instances without it{tags}:"
        f" {_load(step.load)}."
    )


def _restores(lag: int) -> str:
    if 0 <= lag < _UNBOUNDED:
        return f"has {compact(lag)} to restore"
    return "runs it now" if lag == _RUNNING else "has no known state of it"


def _took_over(step: TookOver, names: _Names) -> str:
    meant, runs = names.processes[step.meant], names.processes[step.member]
    why = (
        f"{meant} is to run it, but {_restores(step.lag_of_meant)}; {runs} {_restores(step.lag)},"
        f" so it runs on {runs}"
    )
    if step.had_copy:
        return f"{why}, and {meant} gets the standby of {runs}."
    return (
        f"{why} while {meant} warms up."
        if step.warms_up
        else f"{why}; {meant} warms up later, because max.warmup.replicas is used up."
    )


def _copy_first(step: CopyFirst, names: _Names) -> str:
    meant, keeps = names.processes[step.meant], names.processes[step.member]
    why = (
        f"A standby is to be on {meant}, which {_restores(step.lag_of_meant)}; {keeps}"
        f" {_restores(step.lag)}, so the standby is on {keeps}"
    )
    return (
        f"{why} while {meant} warms up."
        if step.warms_up
        else f"{why}; {meant} warms up later, because max.warmup.replicas is used up."
    )


def _ran(step: Ran, names: _Names) -> str:
    room = (
        ""
        if step.room is None
        else f", and had {counted(step.count, 'task')} of at most {step.room:,}"
    )
    return f"It stays with {names.who(step)}, which ran it before{room}."


def _has_state(step: HasState, names: _Names) -> str:
    return (
        f"{_it(step)} goes to {names.who(step)}, which has its state and had"
        f" {counted(step.count, 'task')} of at most {step.room:,}."
    )


_RULES = {
    Rule.ONLY: "no other instance can take the task",
    Rule.RAN: "this instance ran the task before and is not overloaded",
    Rule.KEEPS: (
        "this instance has the lowest load of the instances with the task's state, and is not"
        " overloaded"
    ),
    Rule.EMPTY: "this is the first instance without tasks",
    Rule.NEW_PAIR: (
        "this instance has the lowest load by thread of the instances with a task that has not yet"
        " been together with this task on one instance"
    ),
    Rule.ROOM: "this instance has the lowest load by thread",
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
    tasks = counted(step.least, "task")
    had = f"had {counted(step.count, 'task')}; each consumer gets at least {step.least:,}"
    ways = {
        Way.BACK: f"this consumer reported the task and {had}",
        Way.FILL: f"this consumer was the next with fewer tasks and {had}",
    }
    rest = f"each consumer has {tasks}, and this consumer is the next to get one more"
    return f"{where}: {ways.get(step.way, rest)}."


_RUNNING, _UNBOUNDED = -2, 2**63 - 1
"""Special lags: the process runs the task; the process has no known state of the task."""

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
