"""Steps of task assignors: why a process gets a task, and why one of its consumers gets it.

The steps are recorded while the assignor runs (`trace.py`).

    steps = explain_task(HighAvailabilityTaskAssignor(), application, task)

In these steps, `member` is a process number of the snapshot, and a consumer is a member number of
the snapshot.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from evenkeel.assignors.trace import Step, Trace, recording

ACTIVE, STANDBY = "active", "standby"

Load = tuple[int, int]
"""Number of tasks of a process, and number of its threads or members."""


@dataclass(frozen=True, kw_only=True)
class TaskDecision(Step):
    """A decision about a task. `member`: the process with the task in `role` after this decision.

    `consumer`: consumer of this process, -1 if decided later.
    """

    role: str = ACTIVE
    consumer: int = -1


@dataclass(frozen=True, kw_only=True)
class Dealt(TaskDecision):
    """Stateful tasks are dealt to processes in turn, by process id, wherever a task ran before.

    `number`: place of this task in dealing order, from 0. `ring`: number of processes.
    """

    number: int
    ring: int


@dataclass(frozen=True, kw_only=True)
class LoadShift(TaskDecision):
    """The task moved from `giver`, which had more tasks per thread, to the member.

    `had`, `has`: loads of `giver` and of the member before the move.
    """

    giver: int
    had: Load
    has: Load


@dataclass(frozen=True, kw_only=True)
class RackExchange(TaskDecision):
    """Tasks moved so that the cost of racks fell from `before` to `after`. This task moved from
    `giver`.

    `by_subtopology`: whether each process first gets its share of each subtopology, whatever the
    cost.
    """

    giver: int
    before: int
    after: int
    by_subtopology: bool


@dataclass(frozen=True, kw_only=True)
class Lightest(TaskDecision):
    """The member had the fewest tasks per thread of all members that do not have the task.

    `load`: the member's load. `by_tags`: whether members with the client tags of another copy were
    left out.
    """

    load: Load
    by_tags: bool = False


@dataclass(frozen=True, kw_only=True)
class TookOver(TaskDecision):
    """The member runs the task, because `meant`, the new process of the task, is not caught up.

    The member's state of the task has less lag. `had_copy`: whether the member had a standby, which
    `meant` now gets. If not, `warms_up`: whether `meant` may start a warm-up now.
    """

    meant: int
    lag: int
    lag_of_meant: int
    had_copy: bool
    warms_up: bool


@dataclass(frozen=True, kw_only=True)
class CopyFirst(TaskDecision):
    """The member gets a standby, because `meant`, the new process of the standby, is not caught up.

    The member's state of the task has less lag. `warms_up`: whether `meant` may start a warm-up
    now.
    """

    meant: int
    lag: int
    lag_of_meant: int
    warms_up: bool


@dataclass(frozen=True, kw_only=True)
class Ran(TaskDecision):
    """The member ran the task before, and keeps the task.

    It had `count` tasks, fewer than its limit `room`. None if there is no limit.
    """

    count: int
    room: int | None


@dataclass(frozen=True, kw_only=True)
class HasState(TaskDecision):
    """The member has the task's state, or ran the task before.

    It had `count` tasks, fewer than its limit `room`.
    """

    count: int
    room: int


class Rule(Enum):
    """The rule by which a sticky assignor chose a process."""

    ONLY = "only"
    RAN = "ran"
    KEEPS = "keeps"
    EMPTY = "empty"
    NEW_PAIR = "new pair"
    ROOM = "room"


@dataclass(frozen=True, kw_only=True)
class SearchHit(TaskDecision):
    """A sticky assignor chose the member by `rule`. `load`: its load before the choice."""

    rule: Rule
    load: Load


class Way(Enum):
    """How a process assigns its tasks to consumers."""

    BACK = "back"
    FILL = "fill"
    REST = "rest"


@dataclass(frozen=True, kw_only=True)
class OnThread(TaskDecision):
    """The member gave the task to its `consumer`, which had `count` tasks.

    Each consumer gets at least `least` tasks. `way`: whether the consumer had the task before, or
    got it in turn.
    """

    way: Way
    count: int
    least: int


def explain_task(assignor: Any, application: Any, task: int) -> tuple[TaskDecision, ...]:
    """Run the task assignor once. Return its steps for a task and the copies of the task.

    `task`: task number. The result is empty if the steps are incomplete.

    Raises
    ------
    AssignorError
        If the assignor raises it.
    """
    trace = Trace((task,))
    with recording(trace):
        answer = assignor.assign(application)
    steps = tuple(step for step in trace.steps_of(task) if isinstance(step, TaskDecision))
    runs = [step.member for step in steps if step.role == ACTIVE]
    return steps if runs and runs[-1] == int(answer.active[task]) else ()
