"""Why a task goes to a process, and there to a consumer: the steps of the task assignors, recorded
while they decide (`trace.py`).

    steps = explain_task(HighAvailabilityTaskAssignor(), application, task)

Members of these steps are processes, rows of the snapshot; a consumer is a row of its members.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from evenkeel.assignors.trace import Step, Trace, recording

ACTIVE, STANDBY = "active", "standby"

Load = tuple[int, int]
"""Tasks, and the threads or members that share them."""


@dataclass(frozen=True, kw_only=True)
class TaskDecision(Step):
    """`member`: the process that has the task after it in `role`; `consumer`: its consumer, -1 if
    decided later.
    """

    role: str = ACTIVE
    consumer: int = -1


@dataclass(frozen=True, kw_only=True)
class Dealt(TaskDecision):
    """Stateful tasks are dealt out in turn, whoever had them: this was number `number`, from 0, to
    `ring` processes by id.
    """

    number: int
    ring: int


@dataclass(frozen=True, kw_only=True)
class LoadShift(TaskDecision):
    """`giver` had more tasks by thread, so the task moved to the member; `had`, `has`: loads
    before.
    """

    giver: int
    had: Load
    has: Load


@dataclass(frozen=True, kw_only=True)
class RackExchange(TaskDecision):
    """Tasks moved to lower the cost of racks, from `before` to `after`; this task came from
    `giver`.

    `by_subtopology`: each process gets its share of each subtopology first, whatever that costs.
    """

    giver: int
    before: int
    after: int
    by_subtopology: bool


@dataclass(frozen=True, kw_only=True)
class Lightest(TaskDecision):
    """The member had the fewest tasks by thread, `load`, of the members without the task;
    `by_tags`: and tags that no other copy has.
    """

    load: Load
    by_tags: bool = False


@dataclass(frozen=True, kw_only=True)
class TookOver(TaskDecision):
    """`meant` was to run the task and is not caught up, so the member, whose state is nearer, runs
    it.

    `had_copy`: the member had a standby, which `meant` gets; else `warms_up`: whether `meant` may
    fill a copy now.
    """

    meant: int
    lag: int
    lag_of_meant: int
    had_copy: bool
    warms_up: bool


@dataclass(frozen=True, kw_only=True)
class CopyFirst(TaskDecision):
    """`meant` was to have the standby and is not caught up, so the member, whose state is nearer,
    has one.

    `warms_up`: `meant` may fill one now.
    """

    meant: int
    lag: int
    lag_of_meant: int
    warms_up: bool


@dataclass(frozen=True, kw_only=True)
class Ran(TaskDecision):
    """The member ran the task before, and had `count` tasks, fewer than `room`; None if it may
    keep all.
    """

    count: int
    room: int | None


@dataclass(frozen=True, kw_only=True)
class HasState(TaskDecision):
    """The member has the task's state or ran the task; it had `count` tasks, fewer than `room`."""

    count: int
    room: int


class Rule(Enum):
    """How a sticky search came to a process."""

    ONLY = "only"
    RAN = "ran"
    KEEPS = "keeps"
    EMPTY = "empty"
    NEW_PAIR = "new pair"
    ROOM = "room"


@dataclass(frozen=True, kw_only=True)
class SearchHit(TaskDecision):
    """A search found the member, which had `load`, by a rule."""

    rule: Rule
    load: Load


class Way(Enum):
    """How a process shares its tasks out."""

    BACK = "back"
    FILL = "fill"
    REST = "rest"


@dataclass(frozen=True, kw_only=True)
class OnThread(TaskDecision):
    """The member gave the task to its `consumer`, which had `count`; each has `least` at least.
    Back to a thread that had it, or in turn.
    """

    way: Way
    count: int
    least: int


def explain_task(assignor: Any, application: Any, task: int) -> tuple[TaskDecision, ...]:
    """Run the task assignor once; return why it assigns a task, a row, and its copies as it does,
    empty if it does not say all.

    Raises
    ------
    AssignorError
        As the assignor does.
    """
    trace = Trace((task,))
    with recording(trace):
        answer = assignor.assign(application)
    steps = tuple(step for step in trace.steps_of(task) if isinstance(step, TaskDecision))
    runs = [step.member for step in steps if step.role == ACTIVE]
    return steps if runs and runs[-1] == int(answer.active[task]) else ()
