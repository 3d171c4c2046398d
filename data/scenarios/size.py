"""The size of a scenario's group or application after each edit, checked against a budget.

The size is computed from the edits' arguments; no array of that size is created, so
`require_scenario(budget, scenario.group, scenario.steps, 7)` takes milliseconds.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Protocol, Self

import numpy as np

from evenkeel.assignors.group.edits.partitions import Racks
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import MOST_EDITS, Budget, Footprint, footprint, matching_work
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Application, Document

_EDITS_OF_STEP = 10
"""Number of edits that need as much time as one step."""


class OverBudgetError(SnapshotError):
    """A step or an edit exceeds the budget.

    `step`: index of the step. `edit`: index of the edit in the step; None if the whole step exceeds
    the budget.
    """

    def __init__(self, step: int, edit: int | None, reason: str):
        super().__init__(step, edit, reason)
        self.step, self.edit, self.reason = step, edit, reason

    def __str__(self) -> str:
        return f"steps[{self.step}]" + (
            f": {self.reason}" if self.edit is None else f".edits[{self.edit}].{self.reason}"
        )


class Size(Protocol):
    """The size of a group or application, which edits change.

    An edit's `resize` changes the size. It returns the name of the argument that increases the
    size. `matching`: cost, in partitions, of matching regular expressions with topics so far.
    """

    matching: int

    @property
    def footprint(self) -> Footprint: ...


class SizeOfGroup:
    """The size of a group: partitions by topic, numbers of members and replicas, and text lengths.

    Texts are topic names and regular expressions.
    """

    def __init__(
        self,
        topics: dict[str, int],
        rest: Footprint,
        most_replicas: int,
        expressions: Iterable[str | None],
    ):
        self._topics, self._rest = topics, rest
        self._partition_count, self._topic_length = sum(topics.values()), sum(map(len, topics))
        self._replica_count, self._most_replicas = rest.replica_count, most_replicas
        self._expressions = {each for each in expressions if each is not None}
        self._expression_length = sum(map(len, self._expressions))
        self.member_count, self.subscription_count, self.matching = (
            rest.member_count,
            rest.subscription_count,
            0,
        )

    @classmethod
    def of_document(cls, document: Document) -> Self:
        """Return the size of a group document, including the cost of matching its expressions."""
        listed, members = document.topics or (), document.members or ()
        partitions = chain.from_iterable(
            topic.partitions for topic in listed if not isinstance(topic.partitions, int)
        )
        replicas = [len(partition.racks or ()) for partition in partitions]
        rest = footprint(0, 0, members)._replace(replica_count=sum(replicas))
        expressions = [member.subscribed_regex for member in members]
        size = cls(
            {topic.name: topic.size for topic in listed},
            rest,
            max(replicas, default=0),
            expressions,
        )
        size.match_again()
        return size

    @classmethod
    def of_observed(cls, observed: ObservedGroup) -> Self:
        """Return the size of a group whose expressions are matched already."""
        group = observed.snapshot
        topics = dict(zip(group.topic_name, group.partition_count.tolist(), strict=True))
        claim_count, replica_count = group.claim_member.size, group.replica_rack.size
        rest = Footprint(
            0,
            group.member_count,
            claim_count,
            0,
            len(group.topic_lists),
            replica_count=replica_count,
        )
        return cls(topics, rest, int(np.diff(group.replica_start).max(initial=0)), group.expression)

    @property
    def footprint(self) -> Footprint:
        return self._rest._replace(
            partition_count=self._partition_count,
            member_count=self.member_count,
            topic_count=len(self._topics),
            subscription_count=self.subscription_count,
            replica_count=self._replica_count,
        )

    def set_topic(self, name: str, partition_count: int, racks: Racks | None = None) -> bool:
        """Set the number of partitions of a topic; return whether the number increased.

        Each new partition is counted with the highest number of replicas that is known.
        """
        self._most_replicas = max(self._most_replicas, *map(len, racks or ((),)))
        before = self._topics.get(name, 0)
        self._topic_length += len(name) * (name not in self._topics)
        self._topics[name] = partition_count
        self._partition_count += partition_count - before
        self._replica_count += self._most_replicas * max(partition_count - before, 0)
        return partition_count > before

    def match(self, expression: str | None) -> None:
        """Add the cost of matching an expression, and remember the expression for `match_again`."""
        length = len(expression or "")
        self.matching += matching_work(length, self._topic_length)
        self._expression_length += length * (expression not in self._expressions)
        self._expressions.add(expression or "")

    def match_again(self) -> None:
        """Add the cost of matching all expressions and of storing the members' subscriptions."""
        if self._expression_length:
            self.matching += (
                matching_work(self._expression_length, self._topic_length)
                + self.subscription_count * self.member_count
            )


class SizeOfApplication:
    """The size of an application: consumers of each running or departed process in the document.

    Processes that an edit adds are counted only in the totals.
    """

    matching = 0

    def __init__(self, document: Application):
        self._task_count = len(document.tasks or ())
        self._running = {
            process.process_id: len(process.consumers) for process in document.processes or ()
        }
        self._gone: dict[str, int] = {}
        self._most = max(self._running.values(), default=1)
        self._process_count, self._consumer_count = len(self._running), sum(self._running.values())

    @property
    def footprint(self) -> Footprint:
        return Footprint(
            member_count=self._consumer_count,
            task_count=self._task_count,
            process_count=self._process_count,
        )

    def add(self, like: str, count: int) -> None:
        """Add `count` processes, each with as many consumers as the process `like`.

        If an edit added `like`, use the largest number of consumers of a process.
        """
        self._count(count, self._running.get(like, self._most))

    def leave(self, process_ids: Sequence[str]) -> None:
        """Remove processes of the document. Processes that an edit added still count."""
        for process_id in process_ids:
            if process_id in self._running:
                self._gone[process_id] = self._running.pop(process_id)
                self._count(-1, self._gone[process_id])

    def come_back(self, process_ids: Sequence[str]) -> None:
        """Add departed processes to the application again."""
        for process_id in process_ids:
            if process_id in self._gone:
                self._running[process_id] = self._gone.pop(process_id)
                self._count(1, self._running[process_id])

    def _count(self, processes: int, consumers_of_each: int) -> None:
        self._process_count += processes
        self._consumer_count += processes * consumers_of_each


def require_group(budget: Budget, document: Document | Application, root: str = "$") -> None:
    """Check the memory that a document needs; `root`: path of the document, for the error message.

    Raises
    ------
    TooLargeError
        Names the place that exceeds the limit, such as `$.group.topics[0].partitions`.
    """
    if isinstance(document, Application):
        budget.require_group(
            SizeOfApplication(document).footprint, f"{root}.tasks", "the application"
        )
        return
    footprint = SizeOfGroup.of_document(document).footprint
    if budget.allows(footprint):
        return
    so_far = 0
    for place, topic in enumerate(document.topics or ()):
        so_far += topic.size
        if not budget.allows(Footprint(partition_count=so_far)):
            budget.require_group(footprint, f"{root}.topics[{place}].partitions", "the group")
    budget.require_group(footprint, f"{root}.members", "the group")


def require_steps(budget: Budget, size: Size, steps: Sequence, assignor_count: int) -> None:
    """Check the size of the group after every edit, and the cost of all steps.

    `size` is changed: afterwards it is the size after the last step.

    Raises
    ------
    OverBudgetError
        For the first edit or step that exceeds the budget.
    """
    edits_so_far, work = 0, assignor_count * size.footprint.work
    for number, step in enumerate(steps):
        edits = step.edits_on
        edits_so_far += len(edits)
        if edits_so_far > MOST_EDITS:
            reason = (
                f"found {edits_so_far:,} edits in all steps up to this one, expected at most"
                f" {MOST_EDITS:,}"
            )
            raise OverBudgetError(number, None, reason)
        for place, edit in edits:
            _require_edit(budget, size, edit, number, place)
        work += assignor_count * _work_of_step(size, len(edits))
        refused = budget.work_refusal(work + assignor_count * size.matching, assignor_count)
        if refused:
            raise OverBudgetError(number, None, refused)


def work_of(size: Size, steps: Sequence) -> int:
    """Return the cost of one assignor's answers to the steps, in partitions.

    `size` is changed: afterwards it is the size after the last step.
    """
    work = 0
    for step in steps:
        for _, edit in step.edits_on:
            edit.resize(size)
        work += _work_of_step(size, len(step.edits_on))
    return work + size.matching


def edit_count(steps: Sequence) -> int:
    """Return the number of edits whose `off` is False."""
    return sum(len(step.edits_on) for step in steps)


def _work_of_step(size: Size, edits: int) -> int:
    return size.footprint.work * (_EDITS_OF_STEP + edits) // _EDITS_OF_STEP


def require_scenario(
    budget: Budget, document: Document | Application, steps: Sequence, assignor_count: int
) -> None:
    """Check the size and the cost of a scenario; raises as `require_group` and `require_steps`."""
    require_group(budget, document, "$.group")
    size = (
        SizeOfApplication(document)
        if isinstance(document, Application)
        else SizeOfGroup.of_document(document)
    )
    refused = budget.work_refusal(
        assignor_count * (size.footprint.work + size.matching), assignor_count
    )
    if refused:
        raise SnapshotError(f"$.group: {refused}")
    require_steps(budget, size, steps, assignor_count)


def _require_edit(budget: Budget, size: Size, edit, step: int, place: int) -> None:
    key = edit.resize(size)
    footprint = size.footprint if key else None
    if footprint and not budget.allows(footprint):
        try:
            budget.require_group(
                footprint,
                key,
                "the application" if footprint.process_count else "the group",
                is_asked=True,
            )
        except SnapshotError as error:
            raise OverBudgetError(step, place, str(error)) from None
