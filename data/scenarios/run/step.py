"""One step of a scenario by one assignor."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evenkeel.assignors.assignment import Assignment, AssignorError
from evenkeel.assignors.figures.balance import Balance
from evenkeel.assignors.figures.comparison import CURRENT, Row
from evenkeel.assignors.figures.figure import Told
from evenkeel.assignors.figures.moves import Moves, moves_between
from evenkeel.assignors.protocol import Assignor
from evenkeel.data.columns import succession
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.run.rebalance import Rebalance, no_rebalance, rebalance
from evenkeel.data.scenarios.scenario.scenario import Step


@dataclass(frozen=True, eq=False)
class StepAnswer:
    """What one assignor does in one step; nothing but `name` and `error` where Kafka's class throws, here or in an earlier step.

    `start`: the group before the step. `rebalances`: one, or two where members leave first and come back later.
    """

    name: str
    start: ObservedGroup | None = None
    rebalances: tuple[Rebalance, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    error: AssignorError | None = None

    @property
    def group(self) -> ObservedGroup | None:
        """The group at rest."""
        return self.rebalances[-1].group if self.rebalances else None

    @property
    def assignment(self) -> Assignment | None:
        """What members have when the group rests, or after the last round looked at."""
        return self.rebalances[-1].assignment if self.rebalances else None

    @property
    def balance(self) -> Balance | None:
        return self.rebalances[-1].balance if self.rebalances else None

    @property
    def moved_partitions(self) -> int | None:
        """Of all rebalances of the step; None where the owners before are unknown."""
        return _sum([each.moves and each.moves.moved_count for each in self.rebalances])

    @property
    def moved_lag(self) -> int | None:
        return _sum([each.moves and each.moves.moved_lag for each in self.rebalances])

    @property
    def moved_lag_is_partial(self) -> bool:
        """Whether the lag of a moved partition is unknown."""
        return any(each.moves is not None and each.moves.moved_lag_is_partial for each in self.rebalances)

    @property
    def paused_partitions(self) -> int | None:
        """Of all rebalances of the step; None where unknown."""
        return _sum([None if each.paused is None else each.paused.size for each in self.rebalances])

    @property
    def rebalance_count(self) -> int:
        """1, or 2 where members leave first and come back later; 0 where Kafka's class throws."""
        return len(self.rebalances)

    @property
    def rounds(self) -> int | None:
        """Rebalances of a classic group, rounds of heartbeats of a KIP-848 group; 0 where the step causes none, None where unknown."""
        return _sum([0 if each.at_rest is None else each.at_rest.round_count for each in self.rebalances])

    @property
    def never_ends(self) -> bool | None:
        """Whether the group never rests; None where it does not rest within the rounds looked at."""
        done = [each.at_rest for each in self.rebalances if each.at_rest is not None]
        if any(each.is_endless for each in done):
            return True
        return False if all(each.is_settled for each in done) and not self.error else None

    @cached_property
    def change(self) -> tuple[ObservedGroup, Assignment | None]:
        """The group at rest, with the members that left as its last rows, and the owners before the step in these rows; None if unknown."""
        return succession(self.start, self.group, dict(self.renamed))

    @cached_property
    def moves(self) -> Moves | None:
        """From the owners before the step to those at rest."""
        wide, owned = self.change
        if owned is None or not wide.snapshot.member_count:
            return None
        return moves_between(owned, self.assignment, wide.snapshot, self.rebalances[-1].lag)

    @property
    def told(self) -> Told:
        """The step as figures see it."""
        return Told(self.balance, self.moved_partitions, self.moved_lag, self.moved_lag_is_partial, self.paused_partitions, self.rounds)

    @property
    def row(self) -> Row:
        """The step as a row of a comparison."""
        return Row(self.name, self.assignment, self.balance, self.moves if self.rebalances else None, self.error)


def step_answer(start: ObservedGroup, step: Step, number: int, assignor: Assignor) -> StepAnswer:
    """Carry out a step on a group at rest; `number`: its place among the steps of the scenario, from 0.

    Raises
    ------
    SnapshotError
        When an edit names what is not there, with its place.
    """
    joined, renamed, is_quiet, edits = start, {}, bool(step.edits_on), []
    for place, edit in step.edits_on:
        at = EditPlace(number, place)
        after = edit.apply(joined, at)
        is_quiet = is_quiet and edit.is_quiet(joined) and joined.current is not None
        renamed |= edit.renamed(joined, at)
        edits.append((edit, at, joined))
        joined = after
    try:
        first = no_rebalance(start, joined, renamed) if is_quiet else rebalance(start, joined, assignor, renamed)
        later = first.group
        for edit, at, before in edits:
            later = edit.apply_later(later, at, before) or later
        more = () if later is first.group else (rebalance(first.group, later, assignor),)
    except AssignorError as error:
        return StepAnswer(assignor.name, error=error)
    return StepAnswer(assignor.name, start, (first, *more), tuple(renamed.items()))


def listed_answer(listed: ObservedGroup, name: str = CURRENT) -> StepAnswer:
    """Return the group as listed in place of an answer; without owners it has no figures."""
    return StepAnswer(name, listed, () if listed.current is None else (no_rebalance(listed, listed),))


def _sum(values: list[int | None]) -> int | None:
    return None if not values or None in values else int(np.sum(values, dtype=object))
