"""Probing rebalances of a Streams application (KIP-441), until no further rebalance is needed.

Between two probing rebalances, a process restores at its rate and changelogs grow
(`assignors.rounds.restoring`). If a rebalance withholds a task, another rebalance follows at once.
`streams_grid` simulates many combinations of settings, to compare their time to balance and their
number of copies.
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
        The application when its consumers join, with lags and owned tasks.
    answers : tuple of TaskAssignment
        One answer for each rebalance. All answers but the last withhold tasks.
    is_assumed : bool
        Whether a rate is unknown, so that copies in progress count as caught up.
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
        """int64 (K,): records that each task must restore before it runs. 0 if the task is running
        or has no state.
        """
        left = self.application.records_left[
            self.answer.active, np.arange(self.application.task_count)
        ]
        return np.where(self.application.is_stateful, left, 0)

    @cached_property
    def standby_left(self) -> np.ndarray:
        """int64 (S,): records that each copy in `answer.standby` must restore."""
        return self.application.records_left[self.answer.standby[:, 0], self.answer.standby[:, 1]]


@dataclass(frozen=True, eq=False)
class StreamsRounds:
    """All rounds after a change of the application.

    `is_balanced`: no further round is needed after the last round. `is_endless`: the leader
    requests a further round although no copy makes progress. If both are False, the simulation
    stopped after the largest allowed number of rounds.
    """

    rounds: tuple[StreamsRound, ...]
    is_balanced: bool
    is_endless: bool

    @property
    def seconds_to_balance(self) -> float | None:
        """Seconds from the first rebalance to the last. None if the rounds never end, or if the
        time depends on an unknown rate.
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
    """Rebalance at every probing interval, until the leader requests no further rebalance.

    A warmup with an unknown rate counts as caught up at the next probing rebalance.

    Parameters
    ----------
    restoring : Restoring, optional
        Rates. If missing, every rate is unknown.
    state_cleanup_delay_ms : int
        Kafka's state.cleanup.delay.ms. A process that no longer runs or copies a task keeps and
        reports the task's state for this time.

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
    """Rebalance until an answer withholds no task. Return all answers, and the application at the
    last rebalance.
    """
    answers = [assignor.assign(application)]
    while answers[-1].withheld.size and len(answers) < _MOST_FOLLOWUPS:
        application = restore(application, answers[-1], 0, rates).application
        answers.append(assignor.assign(application))
    return tuple(answers), application


def _has_role(application: ApplicationSnapshot, answer: TaskAssignment) -> np.ndarray:
    """Return whether a process runs a task or has a copy of it, bool (C, K)."""
    has_role = np.zeros((application.process_count, application.task_count), dtype=bool)
    has_role[answer.active, np.arange(application.task_count)] = True
    has_role[answer.standby[:, 0], answer.standby[:, 1]] = True
    return has_role


def _is_stuck(done: list[StreamsRound]) -> bool:
    """Return True if the last round repeats the previous round and no copy made progress."""
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
    """The result of one combination of settings.

    `settings`: the varied settings. `seconds`: time to balance, None if unknown or if balance is
    never reached. `most_copies`: most standbys and warmups at the same time. `standing_copies`:
    number of copies at the end.
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
    """Return a point for each combination of settings.

    `values`: the values of each setting; `VARIED` has the allowed settings. The last setting in
    `VARIED` varies fastest.

    Raises
    ------
    ValueError
        If a value is outside Kafka's range.
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
