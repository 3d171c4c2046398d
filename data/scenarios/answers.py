"""One group with the answers of Evenkeel's own assignors, and why an answer gives a partition to a member, or a task to a process."""

from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.explain.facts import Facts, facts_of
from evenkeel.assignors.figures.comparison import Comparison, Row, compare
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.kafka.streams.task_steps import explain_task
from evenkeel.assignors.protocol import Assignor, TaskAssignor, serving
from evenkeel.assignors.trace import explain
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.errors import SnapshotError
from evenkeel.data.scenarios.leaders import client_of, led_by, with_settings
from evenkeel.data.scenarios.scenario.scenario import Settings
from evenkeel.data.words.names import partition_name, short_labels
from evenkeel.data.words.trace import why, why_task


class Answers(NamedTuple):
    """A group, what each assignor would do with it, and the facts about each answer, by name."""

    observed: ObservedGroup
    comparison: Comparison
    facts: dict[str, Facts]


def answers(observed: ObservedGroup, settings: Settings) -> Answers:
    """Return the answers of one client and release."""
    comparison = comparison_of(observed, settings)
    return Answers(observed, comparison, facts_by_row(observed, comparison.rows, settings))


def comparison_of(observed: ObservedGroup, settings: Settings = Settings()) -> Comparison:
    """Return what each assignor that can serve the group would do."""
    made = own_assignors(observed, settings)
    return compare(observed.snapshot, observed.current, [made[name] for name in serving(observed.group_type, ASSIGNORS)])


def facts_by_row(observed: ObservedGroup, rows: Sequence[Row], settings: Settings = Settings()) -> dict[str, Facts]:
    """Return the facts about each answer of Evenkeel's own assignors, by name."""
    group, is_order_known, made = observed.snapshot, "members" not in observed.assumed, own_assignors(observed, settings)
    own = [row for row in rows if row.name in made]
    return {row.name: facts_of(group, observed.current, made[row.name], row, is_order_known) for row in own}


def own_assignors(observed: ObservedGroup, settings: Settings) -> dict[str, Assignor]:
    """Return Evenkeel's own assignors by name, as the chosen client or else the group's leader has them."""
    led = led_by(client_of(observed.leader, settings.client))
    return {name: with_settings(made, settings) for name, made in led.items()}


def why_there(observed: ObservedGroup, assignor: Assignor, topic: str, partition: int) -> tuple[str, ...]:
    """Return in sentences why an assignor gives a partition to its member: it runs once more, and tells what it decides.

    Raises
    ------
    SnapshotError
        Where the group has no such partition.
    AssignorError
        As the assignor does.
    """
    group, tp = observed.snapshot, tp_of(observed, topic, partition)
    steps = explain(assignor, group, group.topic_name.index(topic), partition)
    return why(steps, group, tp, short_labels(group.member_id, observed.client_id))


def tp_of(observed: ObservedGroup, topic: str, partition: int) -> int:
    """Return the row of a partition; SnapshotError where the group has no such partition."""
    group = observed.snapshot
    if topic not in group.topic_name:
        raise SnapshotError(f'no topic "{topic}" in this group, expected one of {", ".join(group.topic_name)}')
    row = group.topic_name.index(topic)
    if not 0 <= partition < group.partition_count[row]:
        found = f"no partition {partition_name(topic, partition)} in this group"
        raise SnapshotError(f"{found}, expected a number from 0 to {int(group.partition_count[row]) - 1}")
    return int(group.first_tp[row]) + partition


def why_task_there(
    application: ApplicationSnapshot, assignor: TaskAssignor, task: int, processes: Sequence[str], consumers: Sequence[str]
) -> tuple[str, ...]:
    """Return in sentences why a task assignor gives a task, a row, and its copies to their processes, as the application joins.

    Raises
    ------
    AssignorError
        As the assignor does.
    """
    return why_task(explain_task(assignor, application, task), processes, consumers)
