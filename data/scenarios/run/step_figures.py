"""The answer of one assignor to one step, as plain numbers and short names.

Tables, charts, shares and reports use these figures.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.compare.balance import Balance, balance
from evenkeel.assignors.compare.comparison import CURRENT, Row
from evenkeel.assignors.compare.figure import FIGURES, FigureInput, figure_input
from evenkeel.assignors.group.lag import page_lag
from evenkeel.assignors.rounds.switch import Switch
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.run.group_step import StepAnswer, listed_answer
from evenkeel.data.scenarios.run.results import GroupResult
from evenkeel.data.scenarios.run.step_drains import Drained, StepDrain
from evenkeel.data.text.names import member_labels

_TAIL = 4


class FigureValue(NamedTuple):
    """The value of a figure, None if unknown; `is_partial`: some lags in the value are unknown."""

    value: float | None
    is_partial: bool = False


@dataclass(frozen=True)
class StepFigures:
    """The figures of one step by one assignor; None if unknown.

    If Kafka's class throws, only the name is known. `..._is_least`: the figure is a lower bound,
    because some lags are unknown. `rebalances`: usually 1; 2 if members leave and later return.
    `drain`: None if the group has no history. `others`: figures that have no field here, by key.
    """

    name: str
    members_before: int | None = None
    members: int | None = None
    partitions: int | None = None
    max_partitions: int | None = None
    min_partitions: int | None = None
    idle_members: int | None = None
    lag_before: int | None = None
    lag_before_is_least: bool = False
    lag: int | None = None
    lag_is_least: bool = False
    max_lag_share: float | None = None
    moved_partitions: int | None = None
    moved_lag: int | None = None
    moved_lag_is_least: bool = False
    paused_partitions: int | None = None
    rebalances: int | None = None
    never_ends: bool | None = None
    error: AssignorError | None = None
    drain: StepDrain | None = None
    others: Mapping[str, FigureValue] = field(default_factory=dict)

    def of(self, key: str) -> FigureValue:
        """Return the value of the figure `key`."""
        if key in _LEAST:
            return FigureValue(*(getattr(self, name) for name in _LEAST[key]))
        return (
            FigureValue(getattr(self, key))
            if key in self.__dataclass_fields__
            else self.others.get(key, FigureValue(None))
        )


_LEAST = {
    "max_lag": ("lag", "lag_is_least"),
    "max_lag_share": ("max_lag_share", "lag_is_least"),
    "moved_lag": ("moved_lag", "moved_lag_is_least"),
}
"""For each figure: the field with its value, and the field that is True for a lower bound."""

_FIELDS = {*StepFigures.__dataclass_fields__, *_LEAST}

Figures = Sequence[Mapping[str, StepFigures]]
"""Figures of a scenario by assignor for each step; step 0 is the group as listed."""


def figures_of_result(result: GroupResult) -> list[dict[str, StepFigures]]:
    """Return the figures of all steps."""
    return figures_of_steps(result.steps, result.drains)


def figures_of_steps(
    steps: Sequence[Mapping[str, StepAnswer]], drains: Drained = ()
) -> list[dict[str, StepFigures]]:
    """Return the figures of the given steps; `drains`: the time to drain after each step."""
    of_step = drains or [{}] * len(steps)
    return [
        {name: figures_of(answer, drains_of_step.get(name)) for name, answer in answers.items()}
        for answers, drains_of_step in zip(steps, of_step, strict=True)
    ]


def with_current(
    figures: Figures, step: int, listed: ObservedGroup, drain: StepDrain | None = None
) -> Figures:
    """Add a row for the current assignment, if the step is the group as listed and owners are
    known.

    `drain`: the time to drain under the present owners; None if the group has no history.
    """
    if step or listed.current is None:
        return figures
    # The current owners need no rebalance, so their zero moves are left out of the comparison.
    current = replace(
        figures_of(listed_answer(listed), drain),
        moved_partitions=None,
        moved_lag=None,
        paused_partitions=None,
    )
    return [{CURRENT: current} | dict(figures[0]), *figures[1:]]


def figures_of(answer: StepAnswer, drain: StepDrain | None = None) -> StepFigures:
    """Return the figures of one step by one assignor."""
    if answer.start is None or answer.group is None:
        return StepFigures(
            answer.name,
            members_before=answer.start.member_count if answer.start else None,
            error=answer.error,
        )
    return _figures(
        answer,
        answer.start,
        answer.group,
        balance_before(answer),
        answer.told,
        rebalances=answer.rebalance_count,
        never_ends=answer.never_ends,
        drain=drain,
    )


def figures_of_row(
    row: Row,
    group: ObservedGroup,
    current: Balance | None,
    way: Switch | None,
    drain: StepDrain | None = None,
) -> StepFigures:
    """Return the figures of a step from a row of a comparison.

    `way`: simulated rounds of the switch from the current assignment to the row's assignment; None
    if unknown.
    """
    return _figures(
        row,
        group,
        group,
        current,
        figure_input(row, way),
        rebalances=1,
        never_ends=way and way.is_endless,
        drain=drain,
    )


def _figures(
    of: StepAnswer | Row,
    start: ObservedGroup,
    rests: ObservedGroup,
    before: Balance | None,
    seen: FigureInput,
    **others,
) -> StepFigures:
    after = seen.balance
    if after is None:
        return StepFigures(of.name, error=of.error)
    return StepFigures(
        of.name,
        members_before=start.member_count,
        members=rests.member_count,
        partitions=rests.partition_count,
        max_partitions=after.max_partitions,
        min_partitions=after.min_partitions,
        idle_members=after.idle_members,
        lag_before=before.max_lag if before else None,
        lag_before_is_least=bool(before and before.lag_is_partial),
        lag=after.max_lag,
        lag_is_least=after.lag_is_partial,
        max_lag_share=after.max_lag_share,
        moved_partitions=seen.moved_partitions,
        moved_lag=seen.moved_lag,
        moved_lag_is_least=seen.moved_lag_is_partial,
        paused_partitions=seen.paused_partitions,
        others={
            key: FigureValue(figure.value(seen), figure.is_partial(seen))
            for key, figure in FIGURES.items()
            if key not in _FIELDS
        },
        **others,
    )


def balance_before(answer: StepAnswer) -> Balance | None:
    """Return partitions and lag of each member before the step; None if the owners are unknown."""
    if answer.start is None or answer.start.current is None:
        return None
    return balance(answer.start.snapshot, answer.start.current, page_lag(answer.start.snapshot))


def names_of(answers: Iterable[StepAnswer]) -> dict[str, str]:
    """Return short names of all members in all steps, by member id.

    The name of a member stays the same if other members join later. The name of a new member is its
    instance id or client id, plus the first characters of the UUID.
    """
    labels_by_member: dict[str, str] = {}
    taken: set[str] = set()
    for group in filter(None, (answer.group or answer.start for answer in answers)):
        if not labels_by_member:
            labels = member_labels(group.snapshot.member_id, group.client_id)
            labels_by_member = dict(zip(group.snapshot.member_id, labels, strict=True))
            taken |= set(labels)
        for row, member_id in enumerate(group.snapshot.member_id):
            if member_id not in labels_by_member:
                labels_by_member[member_id] = _short(group, row, taken)
                taken.add(labels_by_member[member_id])
    return labels_by_member


def _short(group: ObservedGroup, row: int, taken: set[str]) -> str:
    member_id, identity = (
        group.snapshot.member_id[row],
        group.snapshot.instance_id[row] or group.client_id[row],
    )
    if not identity:
        return member_id
    uuid = member_id.removeprefix(f"{identity}-")
    return next(
        (
            name
            for size in range(_TAIL, len(uuid))
            if (name := f"{identity}-{uuid[:size]}") not in taken
        ),
        member_id,
    )


def titles_of(result: GroupResult) -> list[str]:
    """Return the title of each step of a result."""
    first = next(iter(result.assignors), None)
    names = names_of(answers[first] for answers in result.steps) if first else {}
    return [step.title(names) for step in result.scenario.steps]
