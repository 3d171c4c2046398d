"""Probing rebalances of a Streams application (KIP-441): from one rebalance until no further one is
needed.

Between two of them a process restores at its rate and changelogs grow
(`assignors.rounds.restoring`). After a rebalance that withholds a task, another follows at once.
`streams_grid` does this for many settings: the time to balance compared with the number of copies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import TaskAssignment
from evenkeel.assignors.group.application import ApplicationSnapshot
from evenkeel.assignors.protocol import TaskAssignor
from evenkeel.assignors.rounds.restoring import Restoring, restore, unknown_rates

MOST_ROUNDS = 1000
_MOST_FOLLOWUPS = 8
VARIED = (
    "acceptable_recovery_lag",
    "max_warmup_replicas",
    "num_standby_replicas",
    "probing_rebalance_interval_ms",
)


@dataclass(frozen=True, eq=False)
class StreamsRound:
    """One probing rebalance and its immediate follow-up rebalances.

    Parameters
    ----------
    seconds : float
        Seconds since the first rebalance.
    application : ApplicationSnapshot
        The joining application, with its lags and owned tasks.
    answers : tuple of TaskAssignment
        One answer for each rebalance; all but the last withhold tasks.
    is_assumed : bool
        A rate is unknown, so copies in progress count as caught up.
    """

    seconds: float
    application: ApplicationSnapshot
    answers: tuple[TaskAssignment, ...]
    is_assumed: bool

    @property
    def answer(self) -> TaskAssignment:
        """The assignment until the next probing rebalance."""
        return self.answers[-1]

    @cached_property
    def active_left(self) -> np.ndarray:
        """int64 (K,): records that each task has to restore before it runs; 0 if it runs or has
        no state.
        """
        left = self.application.records_left[
            self.answer.active, np.arange(self.application.task_count)
        ]
        return np.where(self.application.is_stateful, left, 0)

    @cached_property
    def standby_left(self) -> np.ndarray:
        """int64 (S,): records that each copy of `answer.standby` has to restore."""
        return self.application.records_left[self.answer.standby[:, 0], self.answer.standby[:, 1]]


@dataclass(frozen=True, eq=False)
class StreamsRounds:
    """All rounds; the change causes the first one.

    `is_balanced`: the last round needs no further round. `is_endless`: the leader asks for a
    further round although no copy makes progress. Neither: there are more rounds than allowed.
    """

    rounds: tuple[StreamsRound, ...]
    is_balanced: bool
    is_endless: bool

    @property
    def seconds_to_balance(self) -> float | None:
        """Time from the first rebalance to the last; None if it never ends, or if an unknown rate
        decides it.
        """
        if not self.is_balanced or any(each.is_assumed for each in self.rounds):
            return None
        return self.rounds[-1].seconds


def probing_rebalances(
    application: ApplicationSnapshot,
    assignor: TaskAssignor,
    restoring: Restoring | None = None,
    state_cleanup_delay_ms: int = 600_000,
    most_rounds: int = MOST_ROUNDS,
) -> StreamsRounds:
    """Rebalance at every probing interval until the leader asks for no more.

    Warmups of unknown rate are caught up by the next probing rebalance.

    Parameters
    ----------
    restoring : Restoring, optional
        Every rate is unknown without it.
    state_cleanup_delay_ms : int
        Kafka's state.cleanup.delay.ms: state of a task without a role stays on a process's disk for
        this time, and counts.

    Raises
    ------
    AssignorError
        If Kafka's own class would throw, in any round.
    """
    rates = unknown_rates(application) if restoring is None else restoring
    interval, seconds, is_assumed = assignor.probing_rebalance_interval_ms / 1000, 0.0, False
    idle = np.zeros((application.process_count, application.task_count))
    done: list[StreamsRound] = []
    while len(done) < most_rounds:
        answers, settled = _at_once(application, assignor, rates)
        done.append(StreamsRound(seconds, application, answers, is_assumed))
        if not answers[-1].is_probing_rebalance_needed:
            return StreamsRounds(tuple(done), is_balanced=True, is_endless=False)
        if _is_stuck(done):
            return StreamsRounds(tuple(done), is_balanced=False, is_endless=True)
        idle = np.where(_has_role(application, answers[-1]), 0, idle + interval)
        application, is_assumed = restore(
            settled, answers[-1], interval, rates, idle * 1000 > state_cleanup_delay_ms
        )
        seconds += interval
    return StreamsRounds(tuple(done), is_balanced=False, is_endless=False)


def _at_once(
    application: ApplicationSnapshot, assignor: TaskAssignor, rates: Restoring
) -> tuple[tuple[TaskAssignment, ...], ApplicationSnapshot]:
    """Return the answers until none withholds a task, and the application at the last of these
    rebalances.
    """
    answers = [assignor.assign(application)]
    while answers[-1].withheld.size and len(answers) < _MOST_FOLLOWUPS:
        application = restore(application, answers[-1], 0, rates).application
        answers.append(assignor.assign(application))
    return tuple(answers), application


def _has_role(application: ApplicationSnapshot, answer: TaskAssignment) -> np.ndarray:
    """Return which process runs a task or has a copy, bool (C, K)."""
    has_role = np.zeros((application.process_count, application.task_count), dtype=bool)
    has_role[answer.active, np.arange(application.task_count)] = True
    has_role[answer.standby[:, 0], answer.standby[:, 1]] = True
    return has_role


def _is_stuck(done: list[StreamsRound]) -> bool:
    """Return whether the last round repeats the previous round and no copy made progress."""
    if len(done) < 2:
        return False
    before, last = done[-2:]
    is_same = np.array_equal(
        before.answer.active_member, last.answer.active_member
    ) and np.array_equal(before.answer.standby, last.answer.standby)
    return (
        is_same
        and bool((last.standby_left >= before.standby_left).all())
        and bool((last.active_left >= before.active_left).all())
    )


class GridPoint(NamedTuple):
    """The result of one choice of settings.

    `settings`: the varied settings. `seconds`: time to balance, None if unknown or never.
    `most_copies`: most standbys and warmups at the same time. `standing_copies`: the copies at the
    end.
    """

    settings: dict[str, int]
    seconds: float | None
    is_balanced: bool
    round_count: int
    most_copies: int
    standing_copies: int


def streams_grid(
    application: ApplicationSnapshot,
    assignor: TaskAssignor,
    values: Mapping[str, Sequence[int]],
    restoring: Restoring | None = None,
    state_cleanup_delay_ms: int = 600_000,
) -> list[GridPoint]:
    """Return a point for each combination; the last setting varies fastest. `values`: by some of
    `VARIED`, whose order counts.

    Raises
    ------
    ValueError
        If a value is out of Kafka's range.
    """
    names = [name for name in VARIED if name in values]
    points = []
    for chosen in product(*(values[name] for name in names)):
        settings = dict(zip(names, chosen, strict=True))
        points.append(
            _point(
                settings,
                probing_rebalances(
                    application, replace(assignor, **settings), restoring, state_cleanup_delay_ms
                ),
            )
        )
    return points


def _point(settings: dict[str, int], rounds: StreamsRounds) -> GridPoint:
    copies = [len(each.answer.standby) for each in rounds.rounds]
    return GridPoint(
        settings,
        rounds.seconds_to_balance,
        rounds.is_balanced,
        len(copies),
        max(copies),
        copies[-1],
    )
