"""Exact answers for small groups, if the solver HiGHS is installed. For very few partitions,
`branches.py` computes the exact answer without HiGHS.

HiGHS gives no proof of its result. So its bound is lowered a little, and each answer is computed
again in integers. Only this module imports highspy, and only when needed.
"""

from fractions import Fraction
from functools import cache
from itertools import count
from threading import Event, Thread
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import NO_HOME, Problem, Stop
from evenkeel.assignors.best.request import THOUSAND

MOST_PAIRS = 1200
"""Largest product of partitions and members for which HiGHS is used."""

SLACK = 1e-6
_LOOK_UP_SECONDS = 0.05


@cache
def solver() -> Any:
    """Return the HiGHS module. None if highspy is not installed."""
    try:
        from highspy import _core
    except ImportError:
        return None
    return _core


def solver_version() -> str:
    """Return the name and version of the solver."""
    highs = solver()._Highs()
    return f"HiGHS {highs.version()}"


class Limits(NamedTuple):
    """Limits of a solver run. `looks`: number of callbacks after which the solver is stopped, the
    same on fast and slow machines. `seconds` and `stop` can end the run earlier.
    """

    looks: int
    seconds: float
    stop: Stop


def _run(core: Any, highs: Any, limits: Limits) -> None:
    """Run the solver in a separate thread, and check `stop` meanwhile. In the main thread, Ctrl-C
    would have no effect until the solver ends.
    """
    ended, is_done, looks = Event(), Event(), count(1)

    def asked(_kind: Any, _message: str, _out: Any, given: Any, _data: Any) -> None:
        given.user_interrupt = next(looks) > limits.looks or ended.is_set()

    highs.setCallback(asked, None)
    for kind in (
        core.cb.HighsCallbackType.kCallbackMipInterrupt,
        core.cb.HighsCallbackType.kCallbackSimplexInterrupt,
    ):
        highs.startCallback(kind)

    def solve() -> None:
        try:
            highs.run()
            # Without this reset the process aborts at its end, because the scheduler belongs to an
            # ended thread.
            core._Highs.resetThreadScheduler(False)
        finally:
            is_done.set()

    # Not join: after a signal, an interrupted join treats the running thread as ended.
    Thread(target=solve, daemon=True).start()
    try:
        while not is_done.wait(_LOOK_UP_SECONDS):
            if limits.stop():
                ended.set()
    finally:
        ended.set()
        is_done.wait()


class Model:
    """A mixed integer program for a linear objective. It has a binary variable for each partition
    and allowed member, and a variable t: the worst value in units of `scale`.
    """

    def __init__(
        self,
        problem: Problem,
        scale: float,
        limits: Limits,
        size: np.ndarray | None = None,
        share: np.ndarray | None = None,
    ):
        self.problem, self.scale, self.limits = problem, scale, limits
        self.row, self.member = np.nonzero(problem.may_own[problem.class_of])
        self.size = (problem.weight if size is None else size).astype(np.float64)
        self.share = (problem.share if share is None else share).astype(np.float64)

    def solve(
        self, fewest: float | None, start: np.ndarray
    ) -> tuple[np.ndarray | None, float, str]:
        """Minimise t. If `fewest` is given, minimise the number of moves instead, with t at most
        `fewest`.

        Return (owners or None, the solver's lower bound, the solver's status).
        """
        core = solver()
        highs = _highs(core, self.limits)
        highs.passModel(self._program(core, fewest, self.problem.moves))
        given = core.HighsSolution()
        given.col_value = self._columns(start)
        highs.setSolution(given)
        _run(core, highs, self.limits)
        info, status = highs.getInfo(), highs.modelStatusToString(highs.getModelStatus())
        values = np.array(highs.getSolution().col_value)
        has_answer = info.primal_solution_status == 2 and values.size == self.row.size + 1
        return self._owners(values) if has_answer else None, float(info.mip_dual_bound), status

    def _owners(self, values: np.ndarray) -> np.ndarray:
        share = np.zeros((self.problem.n, self.problem.cap.size))
        share[self.row, self.member] = values[:-1]
        return share.argmax(axis=1)

    def _columns(self, owner: np.ndarray) -> list[float]:
        load = np.zeros(self.problem.cap.size)
        np.add.at(load, owner, self.size)
        return [
            *(self.member == owner[self.row]).astype(float).tolist(),
            float((load / self.share).max()) / self.scale,
        ]

    def _program(self, core: Any, fewest: float | None, moves: int | None) -> Any:
        problem, pairs = self.problem, self.row.size
        n, width = problem.n, problem.cap.size
        home = (problem.home[self.row] == self.member) & (problem.home[self.row] != NO_HOME)
        inf = core.kHighsInf
        # Rows of the program: one owner for each partition, each member's load, each member's
        # count, and the number of partitions at home.
        parts = [(self.row, np.arange(pairs), np.ones(pairs))]
        parts.append(
            (
                n + self.member,
                np.arange(pairs),
                self.size[self.row] / (self.share[self.member] * self.scale),
            )
        )
        parts.append((n + np.arange(width), np.full(width, pairs), np.full(width, -1.0)))
        parts.append((n + width + self.member, np.arange(pairs), np.ones(pairs)))
        parts.append(
            (
                np.full(int(home.sum()), n + 2 * width),
                np.flatnonzero(home),
                np.ones(int(home.sum())),
            )
        )
        row, column, value = (np.concatenate(columns) for columns in zip(*parts, strict=False))
        at_home = int((problem.home != NO_HOME).sum())
        lp = core.HighsLp()
        lp.num_col_, lp.num_row_ = pairs + 1, n + 2 * width + 1
        lp.col_cost_ = (
            np.append(np.zeros(pairs), 1.0)
            if fewest is None
            else np.append(-home.astype(float), 0.0)
        )
        lp.col_lower_ = np.zeros(pairs + 1)
        lp.col_upper_ = np.append(np.ones(pairs), inf if fewest is None else fewest)
        lp.row_lower_ = np.concatenate(
            (np.ones(n), np.full(2 * width, -inf), [-inf if moves is None else at_home - moves])
        )
        lp.row_upper_ = np.concatenate(
            (np.ones(n), np.zeros(width), problem.cap.astype(float), [inf])
        )
        lp.integrality_ = [core.HighsVarType.kInteger] * pairs + [core.HighsVarType.kContinuous]
        order = np.lexsort((column, row))
        lp.a_matrix_.format_ = core.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.concatenate(
            ([0], np.cumsum(np.bincount(row, minlength=lp.num_row_)))
        ).astype(np.int32)
        lp.a_matrix_.index_, lp.a_matrix_.value_ = column[order].astype(np.int32), value[order]
        return lp


def _highs(core: Any, limits: Limits) -> Any:
    highs = core._Highs()
    # This option comes first, because HiGHS prints a banner to descriptor 1 as early as it can.
    for name, value in _OPTIONS.items():
        highs.setOptionValue(name, value)
    highs.setOptionValue("time_limit", float(limits.seconds))
    return highs


_OPTIONS = {
    "output_flag": False,
    "threads": 1,
    "random_seed": 0,
    "mip_rel_gap": 0.0,
    "mip_abs_gap": 1e-9,
    "mip_feasibility_tolerance": 1e-9,
}


def by_solver(
    problem: Problem, start: np.ndarray, value: Value, limits: Limits
) -> tuple[list[np.ndarray], Value | None, str]:
    """Return (assignments within the limits, a lower bound or None, the solver's status). `start`:
    an assignment within the limits whose value is `value`.
    """
    if value == NEVER or not value:
        return [], None, ""
    if not problem.aim.is_sum:
        return _drained(problem, start, value, limits)
    owner, dual, status = Model(problem, float(value), limits).solve(None, start)
    answers = [owner] if owner is not None and problem.keeps_limits(owner) else []
    return answers, _lowered(problem, value, dual), status


def _lowered(problem: Problem, value: Fraction, dual: float) -> Value | None:
    """Return a safe lower bound. `dual` is the solver's bound divided by `value`. The result is a
    little lower, because the solver rounds. If values are whole numbers of records, the bound is a
    whole number.
    """
    if not np.isfinite(dual) or dual <= 0:
        return None
    bound = value * Fraction(min(dual, 1.0)) * (1 - Fraction(1, 10**6))
    if not problem.is_linear:
        return bound
    share = int(problem.share[problem.members[0]])
    bound *= share
    return min(Fraction(-(-bound.numerator // bound.denominator), share), value)


def fewer_moves(
    problem: Problem, start: np.ndarray, limit: Fraction, limits: Limits
) -> np.ndarray | None:
    """Return an assignment with a value of at most `limit`, with the fewest moves that HiGHS finds.
    None if HiGHS finds no assignment, and always for drain.
    """
    if limit == NEVER or not limit or not problem.aim.is_sum:
        return None
    owner, _, _ = Model(problem, float(limit), limits).solve(1.0, start)
    return owner if owner is not None and problem.keeps_limits(owner) else None


def _drained(
    problem: Problem, start: np.ndarray, value: Fraction, limits: Limits
) -> tuple[list[np.ndarray], Value | None, str]:
    """Search the shortest drain time. Minimise the fill of the fullest member at the time `value`
    (`_fullest`), then repeat with the value of the better assignment, until no assignment is
    better.

    Return (the better assignments, a lower bound or None, the solver's status).
    """
    answers: list[np.ndarray] = []
    status, bound = "", None
    for _ in range(6):
        owner, dual, status = _fullest(problem, value, start, limits)
        if dual > 1 - SLACK:
            bound = _not_sooner(problem, value) or _later(problem, value, start, limits)
        if owner is None or not problem.keeps_limits(owner) or problem.worst(owner)[0] >= value:
            break
        value, start = problem.worst(owner)[0], owner
        answers.append(owner)
        if not value:
            break
    return answers, bound, status


def _fullest(
    problem: Problem, value: Fraction, start: np.ndarray, limits: Limits
) -> tuple[np.ndarray | None, float, str]:
    """Minimise the fill of the fullest member. The fill of a member: its lag plus the records that
    arrive until the time `value`, divided by the records that the member can read until then.
    """
    size = problem.lag * float(THOUSAND) + problem.rate * float(value)
    return Model(problem, float(value), limits, size, problem.capacity).solve(None, start)


def _later(problem: Problem, value: Fraction, start: np.ndarray, limits: Limits) -> Value | None:
    """Return a time shortly before `value` at which no assignment has drained all members. None if
    this is not proved for any such time.

    A member is drained if it can read its lag and all records that have arrived.
    """
    for part in _SOONER:
        time = value * (1 - part)
        if _fullest(problem, time, start, limits)[1] > 1 + SLACK:
            return time
    return None


_SOONER = Fraction(1, 10**5), Fraction(1, 10**4), Fraction(1, 10**3)


def _not_sooner(problem: Problem, value: Fraction) -> Value | None:
    """Return a time before which no assignment drains all members. The caller has proved that in
    every assignment some member needs the time `value`, apart from `SLACK`.

    Proof: a member that is drained at V' < V is full to 1 - (1 - V' / V) * (c - λ) / c at V, and
    c - λ is at least its lag / V. None if a partition has no lag.
    """
    least = int(problem.lag.min())
    slack = (
        Fraction(1, 10**6) * int(problem.capacity.max()) * value / (THOUSAND * least)
        if least
        else 1
    )
    return value * (1 - slack) if slack < 1 else None


# Sets of members that are the only possible owners of much load. They come from the dual of a
# linear program in which each class of partitions is divided among members in any parts.


_MOST_CLASS_PAIRS = 100_000
"""Largest product of classes and members for which the linear program is solved."""

_MOST_LEVELS = 64


def level_sets(problem: Problem, value: Value, limits: Limits) -> list[np.ndarray]:
    """Return sets of members, as row numbers, for the bound `subscriptions`. One of the sets gives
    the largest such bound (max-flow min-cut). For drain, sizes are computed at `value`: if any set
    gives a bound above `value`, so does one of the result.

    Empty if HiGHS is not installed or the linear program is too large.
    """
    width = problem.cap.size
    if solver() is None or value == NEVER or len(problem.may_own) * width > _MOST_CLASS_PAIRS:
        return []
    price = _prices(problem, _class_sizes(problem, float(value)), limits)
    levels = np.unique(np.round(price[price > SLACK * price.max(initial=0)], 12))[::-1][
        :_MOST_LEVELS
    ]
    return [np.flatnonzero(price >= level * (1 - SLACK)) for level in levels]


def _class_sizes(problem: Problem, seconds: float) -> np.ndarray:
    """Return the total size of each class of partitions, divided by the size of the largest class.
    For drain, sizes include the records that arrive within `seconds`.
    """
    size = problem.aim.work(problem.lag, problem.rate, seconds)
    total = np.bincount(problem.class_of, size, len(problem.may_own))
    return total / max(total.max(initial=0), 1)


def _prices(problem: Problem, size: np.ndarray, limits: Limits) -> np.ndarray:
    """Return the dual price of the capacity of each member, float64 (M,). All are 0 if the solver
    finds no solution.
    """
    core, (row, member) = solver(), np.nonzero(problem.may_own)
    count, pairs, width = len(size), row.size, problem.cap.size
    share = problem.capacity / problem.capacity.max() if problem.aim.reads_rate else np.ones(width)
    rows = np.concatenate((row, count + member, count + np.arange(width)))
    columns = np.concatenate((np.arange(pairs), np.arange(pairs), np.full(width, pairs)))
    values = np.concatenate((np.ones(2 * pairs), -share))
    order = np.lexsort((columns, rows))
    lp = core.HighsLp()
    lp.num_col_, lp.num_row_ = pairs + 1, count + width
    lp.col_cost_ = np.append(np.zeros(pairs), 1.0)
    lp.col_lower_, lp.col_upper_ = np.zeros(pairs + 1), np.full(pairs + 1, core.kHighsInf)
    lp.row_lower_ = np.concatenate((size, np.full(width, -core.kHighsInf)))
    lp.row_upper_ = np.concatenate((size, np.zeros(width)))
    lp.a_matrix_.format_ = core.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.concatenate(
        ([0], np.cumsum(np.bincount(rows, minlength=lp.num_row_)))
    ).astype(np.int32)
    lp.a_matrix_.index_, lp.a_matrix_.value_ = columns[order].astype(np.int32), values[order]
    highs = _highs(core, limits)
    highs.passModel(lp)
    _run(core, highs, limits)
    solution = highs.getSolution()
    return np.abs(np.array(solution.row_dual)[count:]) if solution.dual_valid else np.zeros(width)
