"""One step of a group by one assignor: edits, rebalances until the group is stable, and figures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import UNASSIGNED, Assignment, AssignorError
from evenkeel.assignors.compare.balance import Balance, balance
from evenkeel.assignors.compare.comparison import CURRENT, Row
from evenkeel.assignors.compare.figure import FigureInput, values_of
from evenkeel.assignors.compare.moves import Moves, moves_between
from evenkeel.assignors.group import NO_GENERATION
from evenkeel.assignors.group.edits.members import with_member_rows
from evenkeel.assignors.group.edits.result import EditResult
from evenkeel.assignors.group.lag import UNKNOWN_LAG, page_lag
from evenkeel.assignors.group.orders import order_with_inserted
from evenkeel.assignors.kafka.release import Release
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.rounds.at_rest import GroupAtRest, group_at_rest
from evenkeel.data.group.columns import assignment_by_name, succession, withheld_by_name
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.columns.rows import ByName
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.edits.group_after import observed_after
from evenkeel.data.scenarios.leaders import client_of, led_by, with_settings
from evenkeel.data.scenarios.scenario.scenario import AS_LISTED, Settings, Step

STEP_0: Step = Step(name=AS_LISTED)
"""The group as listed, without edits. The page Assignors shows the answers to this step.

Step 1 starts from the listed owners, not from these answers.
"""


@dataclass(frozen=True, eq=False)
class Rebalance:
    """The result of a rebalance: the stable group, and the rounds until it was stable.

    Parameters
    ----------
    group : ObservedGroup
        The stable group with its assignment `current`, and the claims for the next rebalance.
        Members are in the coordinator's order, which differs from the order in `joined` if members
        joined a group that brokers assign. `balance` has the order of `group`.
    joined : ObservedGroup
        The group at the start of the first round.
    wide : ObservedGroup
        `joined`, plus departed members at the end: only for counting moves, never for an assignor.
    before : Assignment or None
        Owners before the rebalance, as members of `wide`; None if unknown.
    lag : int64 (P,)
        The lag that pages show.
    at_rest : GroupAtRest or None
        The simulated rounds; None if the step causes no rebalance.
    moves : Moves or None
        None if `before` is None or the group has no members.
    paused : int64 (N,) or None
        Partitions that had no owner for some time; None if unknown.
    """

    group: ObservedGroup
    joined: ObservedGroup
    wide: ObservedGroup
    before: Assignment | None
    lag: np.ndarray
    at_rest: GroupAtRest | None
    moves: Moves | None
    paused: np.ndarray | None
    balance: Balance

    @property
    def assignment(self) -> Assignment:
        """The assignment of the stable group."""
        return self.group.current


def _lag_by_place(rebalances: Iterable[Rebalance]) -> dict[tuple[int, int], int]:
    lag_of_place: dict[tuple[int, int], int] = {}
    for moves in (each.moves for each in rebalances if each.moves is not None):
        rows = np.column_stack([moves.topic, moves.partition])[moves.is_moved].tolist()
        lags = moves.lag[moves.is_moved].tolist()
        lag_of_place |= zip(map(tuple, rows), lags, strict=True)
    return lag_of_place


@dataclass(frozen=True, eq=False)
class StepAnswer:
    """The answer of one assignor to one step.

    If Kafka's class throws in this step or an earlier step, only `name` and `error` are set.
    `start`: the group before the step. `rebalances`: usually one; two if members leave in the first
    and return in the second.
    """

    name: str
    start: ObservedGroup | None = None
    rebalances: tuple[Rebalance, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    error: AssignorError | None = None

    @property
    def group(self) -> ObservedGroup | None:
        """The stable group after the step; None if Kafka's class throws."""
        return self.rebalances[-1].group if self.rebalances else None

    rests = group

    @property
    def assignment(self) -> Assignment | None:
        """The assignment after the step, or after the last simulated round."""
        return self.rebalances[-1].assignment if self.rebalances else None

    @property
    def balance(self) -> Balance | None:
        return self.rebalances[-1].balance if self.rebalances else None

    @property
    def moved_partitions(self) -> int | None:
        """Number of moves in all rebalances of the step; None if the owners before are unknown."""
        return _sum(
            [None if each.moves is None else each.moves.moved_count for each in self.rebalances]
        )

    @property
    def moved_lag(self) -> int | None:
        """Total lag of the moved partitions; a partition that moves several times counts once."""
        if (
            _sum([None if each.moves is None else each.moves.moved_lag for each in self.rebalances])
            is None
        ):
            return None
        return sum(lag for lag in _lag_by_place(self.rebalances).values() if lag != UNKNOWN_LAG)

    @property
    def moved_lag_is_partial(self) -> bool:
        """Whether the lag of any moved partition is unknown."""
        return any(
            each.moves is not None and each.moves.moved_lag_is_partial for each in self.rebalances
        )

    @property
    def paused_partitions(self) -> int | None:
        """Number of pauses in all rebalances of the step; None if unknown."""
        return _sum([None if each.paused is None else each.paused.size for each in self.rebalances])

    @property
    def rebalance_count(self) -> int:
        """Number of rebalances: usually 1; 2 if members leave and later return; 0 if Kafka's class
        throws.
        """
        return len(self.rebalances)

    @property
    def rounds(self) -> int | None:
        """Rebalances of a classic group, or heartbeat rounds of a KIP-848 group.

        0 if the step causes no rebalance, None if unknown.
        """
        return _sum(
            [0 if each.at_rest is None else each.at_rest.round_count for each in self.rebalances]
        )

    @property
    def never_ends(self) -> bool | None:
        """Whether the rebalances never end; None if the simulation ended before this was known."""
        done = [each.at_rest for each in self.rebalances if each.at_rest is not None]
        if any(each.is_endless for each in done):
            return True
        return False if all(each.is_settled for each in done) and not self.error else None

    @cached_property
    def change(self) -> tuple[ObservedGroup, Assignment | None]:
        """The stable group with departed members added at the end, and the owners before the step.

        Owners are members of this group; None if the owners are unknown.
        """
        assert self.start
        assert self.group
        return succession(self.start, self.group, dict(self.renamed))

    @cached_property
    def moves(self) -> Moves | None:
        """Moves from the owners before the step to the owners after it; None if unknown."""
        wide, owned = self.change
        if owned is None or not wide.snapshot.member_count:
            return None
        last = self.rebalances[-1]
        return moves_between(owned, last.assignment, wide.snapshot, last.lag)

    @property
    def told(self) -> FigureInput:
        """The values from which the figures of the step are computed."""
        return FigureInput(
            self.balance,
            self.moved_partitions,
            self.moved_lag,
            self.moved_lag_is_partial,
            self.paused_partitions,
            self.rounds,
        )

    @property
    def row(self) -> Row:
        """The step as a row of a comparison of assignors."""
        return Row(
            self.name,
            self.assignment,
            self.balance,
            self.moves if self.rebalances else None,
            self.error,
        )

    def assigned(self) -> ByName:
        """Return the assignment after the step, with names."""
        last = self.rebalances[-1] if self.rebalances else None
        return assignment_by_name(last.group, last.assignment) if last else {}

    def withheld(self) -> ByName:
        """Return the withheld partitions: first revoked, and assigned in a later rebalance."""
        first = self.rebalances[0] if self.rebalances else None
        if first is None or first.at_rest is None:
            return {}
        return withheld_by_name(first.joined, first.at_rest.answer)

    def line(self) -> dict[str, Any]:
        """Return the step as a line of `evenkeel replay`."""
        before = self.start if self.rebalances else None
        return {
            "rebalances": self.rebalance_count,
            "never_ends": self.never_ends,
            "assignment": self.assigned(),
            "owned_before": assignment_by_name(before, before.current)
            if before is not None and before.current is not None
            else {},
            "moved_lag_is_least": self.moved_lag_is_partial,
            **values_of(self.told),
        }


class AskedOfGroup(NamedTuple):
    """One assignor that must answer a scenario of a group."""

    assignor: Assignor

    def answer(self, state: ObservedGroup, step: Step, number: int) -> StepAnswer:
        """Apply the step to a stable group and rebalance; `number`: index of the step."""
        return step_answer(state, step, number, remembering(self.assignor, state))

    def failed(self, error: AssignorError) -> StepAnswer:
        """Return the answer to a step that follows a step in which Kafka's class threw."""
        return StepAnswer(self.assignor.name, error=error)


def step_answer(start: ObservedGroup, step: Step, number: int, assignor: Assignor) -> StepAnswer:
    """Apply a step to a stable group and rebalance; `number`: index of the step in the scenario.

    Raises
    ------
    SnapshotError
        If an edit names a missing thing. The message names the place of the edit.
    """
    joined, is_quiet, edits = start, bool(step.edits_on), []
    renamed: dict[str, str] = {}
    for place, edit in step.edits_on:
        at = EditPlace(number, place)
        after = edit.apply(joined, at)
        is_quiet = is_quiet and edit.is_quiet(joined) and joined.current is not None
        renamed |= edit.renamed(joined, at)
        edits.append((edit, at, joined))
        joined = after
    try:
        first = (
            no_rebalance(start, joined, renamed)
            if is_quiet
            else rebalance(start, joined, assignor, renamed)
        )
        later = first.group
        for edit, at, before in edits:
            later = edit.apply_later(later, at, before) or later
        more = () if later is first.group else (rebalance(first.group, later, assignor),)
    except AssignorError as error:
        return StepAnswer(assignor.name, error=error)
    return StepAnswer(assignor.name, start, (first, *more), tuple(renamed.items()))


def listed_answer(listed: ObservedGroup, name: str = CURRENT) -> StepAnswer:
    """Return the listed group with its owners as an answer; no figures if owners are unknown."""
    return StepAnswer(
        name, listed, () if listed.current is None else (no_rebalance(listed, listed),)
    )


def _sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if values and len(known) == len(values) else None


def rebalance(
    before: ObservedGroup,
    joined: ObservedGroup,
    assignor: Assignor,
    renamed: Mapping[str, str] | None = None,
) -> Rebalance:
    """Rebalance a changed group until it is stable.

    `before`: the group before the change. `joined`: the group after it. `renamed`: new member id by
    former member id, for members that returned.

    Raises
    ------
    AssignorError
        If Kafka's own class would throw in any round.
    """
    done = group_at_rest(joined.snapshot, joined.current, assignor)
    return _with_figures(
        before, joined, replace(joined, snapshot=done.group, current=done.assignment), done, renamed
    )


def no_rebalance(
    before: ObservedGroup, after: ObservedGroup, renamed: Mapping[str, str] | None = None
) -> Rebalance:
    """Return the result of a change that causes no rebalance; the owners must be known."""
    return _with_figures(before, after, after, None, renamed)


def _with_figures(
    before: ObservedGroup,
    joined: ObservedGroup,
    rests: ObservedGroup,
    done: GroupAtRest | None,
    renamed: Mapping[str, str] | None,
) -> Rebalance:
    wide, owned = succession(before, joined, renamed)
    lag = page_lag(joined.snapshot)
    moves = None
    if owned is not None and wide.snapshot.member_count:
        moves = moves_between(owned, rests.current, wide.snapshot, lag)
    paused = np.empty(0, dtype=np.int64) if done is None else done.paused
    if owned is not None and paused is not None and done is not None:
        left = (owned.owner != UNASSIGNED) & (joined.current.owner == UNASSIGNED)
        paused = np.union1d(paused, np.flatnonzero(left))
    reported = _as_reported(before, rests)
    return Rebalance(
        reported,
        joined,
        wide,
        owned,
        lag,
        done,
        moves,
        paused,
        balance(reported.snapshot, reported.current, lag),
    )


def _as_reported(before: ObservedGroup, rests: ObservedGroup) -> ObservedGroup:
    """Return the group with its members in the order in which the coordinator reports them.

    A classic group is returned unchanged, because its members are already in this order.
    """
    known = set(before.snapshot.member_id)
    is_new = np.array(
        [member_id not in known for member_id in rests.snapshot.member_id], dtype=bool
    )
    if rests.is_classic or not is_new.any():
        return rests
    after, member_row = with_member_rows(
        rests.snapshot, order_with_inserted(rests.snapshot.member_id, is_new, is_classic=False)
    )
    return observed_after(
        rests, EditResult(after, member_row, np.arange(after.topic_count, dtype=np.int32))
    )


def own_assignor(name: str, group: ObservedGroup, settings: Settings) -> Assignor:
    """Return an assignor as the chosen client, else the leader's client, implements it."""
    return with_settings(
        led_by(client_of(group.leader, settings.client), {name: ASSIGNORS[name]})[name], settings
    )


def remembering(assignor: Assignor, group: ObservedGroup) -> Assignor:
    """Return the assignor with the memory that the same leader has in the next rebalance.

    Java's sticky assignors remember the highest generation that they saw.
    """
    seen = int(group.snapshot.generation.max(initial=NO_GENERATION)) - 1
    if (
        not (isinstance(assignor, Release) and assignor.uses_generations)
        or seen <= assignor.max_generation
    ):
        return assignor
    return replace(assignor, max_generation=seen)
