"""Descent: again and again, the worst member gives or swaps a partition, as long as this lowers its
value. Then partitions return to their homes if the value allows it.

At the end, partitions of unknown load are spread evenly by count.
"""

import numpy as np

from evenkeel.assignors.arrays import stable_order
from evenkeel.assignors.best.objective import NEVER, Value
from evenkeel.assignors.best.problem import NO_HOME, Problem, Stop
from evenkeel.assignors.best.steps import Relief, Spread, WentHome
from evenkeel.assignors.best.sums import sums
from evenkeel.assignors.trace import asked

_FEW, _SOME = 4, 12
_NO_STOP = bool
_MOST_SETS = 64


class Loads:
    """The present owners during a descent, the load of each member, and the number of moves. Only
    `move` changes these numbers.
    """

    def __init__(self, problem: Problem, owner: np.ndarray, value: Value):
        """Start from `owner`. For drain, the size of a partition includes the records that arrive
        within the time `value`.
        """
        self.problem, self.owner = problem, owner.copy()
        self.lag, self.rate = problem.loads(owner)
        self.count = np.bincount(owner, minlength=problem.cap.size)
        self.moves = problem.moves_of(owner)
        self.is_linear = problem.is_linear
        self.size = sizes(problem, value)
        self.share = (
            problem.capacity.astype(np.float64)
            if problem.aim.reads_rate
            else np.ones(problem.cap.size)
        )
        is_whole = self.size.dtype == np.int64
        self.load = (
            sums(owner, self.size, problem.cap.size)
            if is_whole
            else np.bincount(owner, self.size, problem.cap.size)
        )
        self._held: dict[int, np.ndarray] = {}
        order = stable_order(owner)
        self._grouped, self._first = order, np.concatenate(([0], np.cumsum(self.count)))
        self.scores = self.score(self.lag, self.rate, problem.capacity)

    def score(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        """Return the scores of members: the larger the value, the larger the score. Scores are
        exact integers if `is_linear`, else rounded.
        """
        return self.problem.aim.score(lag, rate, None if self.is_linear else capacity)

    def limit(self, value: Value) -> float:
        """Return the score of a value. If scores are integers, the result is rounded down."""
        if value == NEVER:
            return np.inf
        if not self.is_linear:
            return float(value)
        value = value * int(self.problem.share[self.problem.members[0]])
        return value.numerator // value.denominator

    def value(self, member: int) -> Value:
        return self.problem.value_of(
            self.lag[member], self.rate[member], self.problem.capacity[member]
        )

    def held(self, member: int) -> np.ndarray:
        """Return the partitions of a member, int64, smallest first."""
        partitions = self._held.get(member)
        if partitions is None:
            partitions = self._grouped[self._first[member] : self._first[member + 1]]
            partitions = self._held[member] = partitions[
                np.argsort(self.size[partitions], kind="stable")
            ]
        return partitions

    def change_of_moves(self, partitions: np.ndarray, member: int) -> np.ndarray:
        """Return how many moves more (1, 0 or -1) the assignment needs if `member` gets each of the
        partitions.
        """
        home = self.problem.home[partitions]
        return ((home != NO_HOME) & (home != member)).astype(np.int64) - (
            (home != NO_HOME) & (home != self.owner[partitions])
        )

    def move(self, partition: int, member: int) -> None:
        """Give a partition to a member."""
        problem, giver = self.problem, int(self.owner[partition])
        self.moves += int(self.change_of_moves(np.array([partition]), member)[0])
        mine, its = self.held(giver), self.held(member)
        self._held[giver] = mine[mine != partition]
        self._held[member] = np.insert(
            its, np.searchsorted(self.size[its], self.size[partition]), partition
        )
        self.owner[partition] = member
        for column, change in (
            (self.lag, problem.lag),
            (self.rate, problem.rate),
            (self.load, self.size),
        ):
            column[giver] -= change[partition]
            column[member] += change[partition]
        self.count[giver] -= 1
        self.count[member] += 1
        both = np.array([giver, member])
        self.scores[both] = self.score(self.lag[both], self.rate[both], problem.capacity[both])


def sizes(problem: Problem, value: Value) -> np.ndarray:
    """Return the size of each partition: its lag for the objective lag, its rate for rate. For
    drain, its lag plus the records that arrive within the time `value`.
    """
    seconds = float(value) if value != NEVER and value else 1e9
    return problem.aim.work(problem.lag, problem.rate, seconds)


def descend(loads: Loads, limit: float, steps: int, stop: Stop = _NO_STOP) -> str:
    """Lower the worst member step by step, until no member has a score above `limit`.

    Return why the descent ended: `bound`, `steps` or `stop`.
    """
    members = loads.problem.members
    for _ in range(steps):
        worst = int(members[loads.scores[members].argmax()])
        if loads.scores[worst] <= limit:
            return "bound"
        if stop():
            return "stop"
        change = _best_change(loads, worst, members)
        if change is None:
            return "steps"
        _take(loads, change)
    return "steps"


def _take(loads: Loads, change: list[tuple[int, int]]) -> None:
    """Apply a move or a swap, and trace its effect."""
    trace, problem = asked(), loads.problem
    if trace is None:
        for partition, member in change:
            loads.move(partition, member)
        return
    givers = [int(loads.owner[partition]) for partition, _ in change]
    both = (givers[0], change[0][1])
    before = loads.value(givers[0])
    for partition, member in change:
        loads.move(partition, member)
    after = max(map(loads.value, both))
    tps = [int(problem.tp[partition]) for partition, _ in change]
    for tp, giver, other, (_, member) in zip(
        tps, givers, [*tps[1:], *tps[:1]], change, strict=False
    ):
        if trace.watches(tp):
            trace.add(tp, Relief(member, giver, before, after, other if other != tp else None))


def _best_change(loads: Loads, worst: int, members: np.ndarray) -> list[tuple[int, int]] | None:
    """Return the best move or swap between the worst member and another member. After the move, the
    scores of both members are below the present score of the worst member.

    The least loaded other members are tried first.
    """
    for first, last in ((0, _FEW), (_FEW, _SOME), (_SOME, members.size)):
        change_so_far, best = None, loads.scores[worst]
        for other in _least(loads, worst, members, last)[first:].tolist():
            score, change = _best_with(loads, worst, other, best)
            if change:
                change_so_far, best = change, score
        if change_so_far:
            return change_so_far
    return None


def _least(loads: Loads, worst: int, members: np.ndarray, number: int) -> np.ndarray:
    """Return up to `number` members, least loaded first. Members with the same score as the worst
    member are left out.
    """
    scores = loads.scores[members]
    if number + 1 < scores.size:
        # Among equal scores, the lower member number comes first, as after a full sort.
        level = np.partition(scores, number)[number]
        members = members[scores <= level]
        scores = loads.scores[members]
    least = members[np.argsort(scores, kind="stable")][:number]
    return least[loads.scores[least] < loads.scores[worst]]


def _best_with(
    loads: Loads, worst: int, other: int, below: float
) -> tuple[float, list[tuple[int, int]]]:
    """Return (score, moves) for the best move or swap between two members. `score` is the higher of
    the two members' scores after the move. If it is not less than `below`, return `below` and no
    moves.
    """
    problem, mine, its = loads.problem, loads.held(worst), loads.held(other)
    mine = mine[problem.may_own[problem.class_of[mine], other]]
    if not mine.size:
        return below, []
    its = its[problem.may_own[problem.class_of[its], worst]]
    cost = loads.change_of_moves(mine, other)
    left = problem.n + 1 if problem.moves is None else problem.moves - loads.moves
    best, change = below, []
    if loads.count[other] < problem.cap[other]:
        fits = mine[cost <= left]
        score = _after(loads, worst, other, fits, None)
        if fits.size and score.min() < best:
            best, change = score.min(), [(int(fits[score.argmin()]), other)]
    if not its.size:
        return best, change
    its_cost = loads.change_of_moves(its, worst)
    for extra in (-1, 0, 1) if left < 2 else (None,):
        some = its if extra is None else its[its_cost == extra]
        more = mine if extra is None else mine[cost + extra <= left]
        if not some.size or not more.size:
            continue
        give, take = _pairs(loads, worst, other, more, some)
        score = _after(loads, worst, other, give, take)
        if score.min() < best:
            at = int(score.argmin())
            best, change = score[at], [(int(give[at]), other), (int(take[at]), worst)]
    return best, change


def _pairs(
    loads: Loads, worst: int, other: int, mine: np.ndarray, its: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of partitions to swap: each partition of `worst`, paired with the two partitions
    of `other` that make the scores of the two members most equal.
    """
    share = loads.share
    surplus = (loads.load[worst] * share[other] - loads.load[other] * share[worst]) / (
        share[worst] + share[other]
    )
    place = np.searchsorted(loads.size[its], loads.size[mine] - surplus)
    near = np.concatenate((np.minimum(place, its.size - 1), np.maximum(place - 1, 0)))
    return np.concatenate((mine, mine)), its[near]


def _after(
    loads: Loads, worst: int, other: int, give: np.ndarray, take: np.ndarray | None
) -> np.ndarray:
    """Return, for each move or swap between two members, the higher of their two scores
    afterwards.
    """
    problem = loads.problem
    lag, rate = problem.lag[give], problem.rate[give]
    if take is not None:
        lag, rate = lag - problem.lag[take], rate - problem.rate[take]
    mine = loads.score(loads.lag[worst] - lag, loads.rate[worst] - rate, problem.capacity[worst])
    its = loads.score(loads.lag[other] + lag, loads.rate[other] + rate, problem.capacity[other])
    return np.maximum(mine, its)


def send_home(loads: Loads, limit: float) -> None:
    """Move partitions back to their homes, smallest first. A partition does not move if the score
    of the member at home would then exceed `limit`.
    """
    problem, trace = loads.problem, asked()
    away = np.flatnonzero((problem.home != NO_HOME) & (loads.owner != problem.home))
    for p in away[np.argsort(loads.size[away], kind="stable")].tolist():
        home = int(problem.home[p])
        if loads.count[home] < problem.cap[home] and _score_with(loads, home, p) <= limit:
            loads.move(p, home)
            if trace and trace.watches(problem.tp[p]):
                trace.add(problem.tp[p], WentHome(home, loads.value(home)))


def _score_with(loads: Loads, member: int, partition: int) -> float:
    problem = loads.problem
    lag, rate = (
        loads.lag[member] + problem.lag[partition],
        loads.rate[member] + problem.rate[partition],
    )
    return float(loads.score(lag, rate, problem.capacity[member]))


def evened_out(problem: Problem, owner: np.ndarray) -> np.ndarray:
    """Give the partitions without a present owner and without a known load to the members with the
    fewest partitions. The load of these partitions is 0, so values and moves do not change.
    """
    weightless = (
        problem.unknown & (problem.lag == 0) & (problem.rate == 0) & (problem.home == NO_HOME)
    )
    if not weightless.any():
        return owner
    rows, free = (
        [np.flatnonzero(row) for row in problem.may_own],
        np.flatnonzero(weightless).tolist(),
    )
    owner = _dealt(problem, owner, weightless, rows)
    count = np.bincount(owner, minlength=problem.cap.size)
    while any([_levelled(problem, owner, count, rows, p) for p in free]):
        pass
    trace = asked()
    for p in free:
        if trace and trace.watches(problem.tp[p]):
            trace.add(problem.tp[p], Spread(int(owner[p]), int(count[owner[p]]) - 1))
    return owner


def _dealt(
    problem: Problem, owner: np.ndarray, weightless: np.ndarray, rows: list[np.ndarray]
) -> np.ndarray:
    """Give each partition in `weightless` to the member with room that has the fewest partitions.
    If no member has room for a partition, return the owners unchanged.
    """
    dealt, count = owner.copy(), np.bincount(owner[~weightless], minlength=problem.cap.size)
    for p in np.flatnonzero(weightless).tolist():
        members = rows[problem.class_of[p]]
        members = members[count[members] < problem.cap[members]]
        if not members.size:
            return owner.copy()
        dealt[p] = members[count[members].argmin()]
        count[dealt[p]] += 1
    return dealt


def _levelled(
    problem: Problem, owner: np.ndarray, count: np.ndarray, rows: list[np.ndarray], p: int
) -> bool:
    """Move a partition to a member with room that has at least two partitions fewer than the
    present owner. Return whether there is such a member.
    """
    members = rows[problem.class_of[p]]
    members = members[count[members] < problem.cap[members]]
    if not members.size or count[members].min() >= count[owner[p]] - 1:
        return False
    count[owner[p]] -= 1
    owner[p] = members[count[members].argmin()]
    count[owner[p]] += 1
    return True


def suspect_sets(problem: Problem, owner: np.ndarray, worst: int) -> list[np.ndarray]:
    """Return sets of members for the bound `subscriptions`. The first set is the closed set of the
    worst member (`_closed_set`); each other set contains the 1, 2, … most loaded members.
    """
    lag, rate = problem.loads(owner)
    load = problem.aim.weight(lag, rate)[problem.members] / problem.capacity[problem.members]
    order = problem.members[np.argsort(-load, kind="stable")]
    sizes_tried = np.unique(
        np.linspace(1, order.size, min(order.size, _MOST_SETS)).astype(np.int64)
    ).tolist()
    return [_closed_set(problem, owner, worst), *(order[:size] for size in sizes_tried)]


def _closed_set(problem: Problem, owner: np.ndarray, worst: int) -> np.ndarray:
    """Return the smallest closed set of members that contains the worst member, as row numbers. A
    set is closed if it contains all possible owners of its members' partitions.
    """
    holds = np.zeros((len(problem.may_own), problem.cap.size), dtype=bool)
    holds[problem.class_of, owner] = True
    inside = np.zeros(problem.cap.size, dtype=bool)
    inside[worst] = True
    while True:
        grown = inside | problem.may_own[holds[:, inside].any(axis=1)].any(axis=0)
        if (grown == inside).all():
            return np.flatnonzero(inside)
        inside = grown
