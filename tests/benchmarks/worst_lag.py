"""How near the assignors that run come to the best assignment of a group of six: `python -m
tests.benchmarks.worst_lag [--groups 300]`.

Random groups whose lags are skewed, owned as `uniform` leaves them. For `lag` (docs/deploy.md) and
`evenkeel-weighted` (docs/deploy-broker.md): how many come within 5 % of what no assignment can be
below, and why the others do not.
"""

import argparse
from collections import Counter
from typing import NamedTuple

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.best.bounds import best_of, lower_bounds
from evenkeel.assignors.best.problem import problem_of
from evenkeel.assignors.best.request import Request
from evenkeel.assignors.best.search import best
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.weighted import GAIN, spread
from tests.assignors.groups import Member, group

MEMBERS, NEAR, FEW = "abcdef", 1.05, 14
KINDS = ("one topic", "three topics", "few partitions", "differing subscriptions")
WITHIN, UNKNOWN = "within 5 %", "unknown"


class Outcome(NamedTuple):
    """One answer: the worst lag over the bound of Best, and `WITHIN` or the reason."""

    ratio: float
    reason: str


def random_group(kind: str, rng: np.random.Generator) -> tuple[GroupSnapshot, np.ndarray]:
    """Return a group and the owners that it has, partitions dealt in turn to those who read
    them.
    """
    count = {"one topic": 1, "few partitions": 1}.get(kind, 3)
    sizes = [
        int(size)
        for size in (
            rng.integers(6, 14, count) if kind == "few partitions" else rng.integers(18, 60, count)
        )
    ]
    names = [f"t{number}" for number in range(count)]
    reads = dict.fromkeys(MEMBERS, names)
    if kind == "differing subscriptions":
        reads = {
            member: sorted(rng.choice(names, int(rng.integers(1, count + 1)), replace=False))
            for member in MEMBERS
        } | {"a": names}
    lag = rng.lognormal(6, rng.choice([0.5, 1.0, 1.5]), sum(sizes)).astype(int) + 1
    owned: dict[str, list[str]] = {member: [] for member in MEMBERS}
    owner = []
    for name, size in zip(names, sizes, strict=True):
        readers = [member for member in MEMBERS if name in reads[member]]
        for number in range(size):
            owner.append(MEMBERS.index(readers[number % len(readers)]))
            owned[readers[number % len(readers)]].append(f"{name}-{number}")
    members = {
        member: Member(" ".join(reads[member]), owned=" ".join(owned[member])) for member in MEMBERS
    }
    return group(dict(zip(names, sizes, strict=True)), members, lag=lag.tolist()), np.array(owner)


def by_lag(snapshot: GroupSnapshot) -> Outcome:
    """Judge `lag`: each topic for itself, with counts that differ by one at most."""
    answer = ASSIGNORS["lag"]().assign(snapshot)
    worst, bound = _against(snapshot, answer)
    if worst <= NEAR * bound:
        return Outcome(worst / bound, WITHIN)
    if _least_by_counts(snapshot) > NEAR * bound:
        return Outcome(worst / bound, "counts that differ by one at most allow no better")
    helps = _exchange_helps(snapshot, answer.owner, snapshot.tp_topic[:, None] == snapshot.tp_topic)
    return Outcome(
        worst / bound, "an exchange would help, and the rule makes none" if helps else UNKNOWN
    )


def by_weight(snapshot: GroupSnapshot, owner: np.ndarray) -> Outcome:
    """Judge `evenkeel-weighted`, where partitions weigh their lag."""
    found = spread(snapshot, snapshot.given_lag.astype(float))
    worst, bound = _against(snapshot, found)
    if worst <= NEAR * bound:
        return Outcome(worst / bound, WITHIN)
    if (found.owner == owner).all() and NEAR * bound >= (1 - GAIN) * worst:
        return Outcome(worst / bound, "less than 10 % to gain")
    reads = np.array(
        [
            [row in snapshot.topic_lists[mine] for row in snapshot.tp_topic]
            for mine in snapshot.subscription
        ]
    )
    helps = _move_helps(snapshot, found.owner, reads) or _exchange_helps(
        snapshot, found.owner, reads[found.owner]
    )
    return Outcome(worst / bound, UNKNOWN if helps else "no single move or exchange helps")


def _exchange_helps(snapshot: GroupSnapshot, owner: np.ndarray, may: np.ndarray) -> bool:
    """Tell whether the worst member could exchange one partition so that both members then lag by
    less than it. `may`: bool (P, P), the owner of one may have the other.
    """
    lag, load, mine, theirs = _around_the_worst(snapshot, owner)
    less = lag[mine] - lag[theirs]
    return bool(
        (
            may[mine, theirs]
            & may.T[mine, theirs]
            & (less > 0)
            & (load[owner[theirs]] + less < load.max())
        ).any()
    )


def _move_helps(snapshot: GroupSnapshot, owner: np.ndarray, reads: np.ndarray) -> bool:
    """Tell the same of one partition that it gives away. `reads`: bool (M, P)."""
    lag, load, mine, _ = _around_the_worst(snapshot, owner)
    return bool((reads[:, mine[:, 0]] & (load[:, None] + lag[mine[:, 0]] < load.max())).any())


def _around_the_worst(snapshot: GroupSnapshot, owner: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return lags, loads, and the partitions of the worst member, (N, 1), and of the others."""
    load = np.bincount(owner, snapshot.given_lag, len(MEMBERS))
    worst = int(load.argmax())
    return (
        snapshot.given_lag,
        load,
        np.flatnonzero(owner == worst)[:, None],
        np.flatnonzero(owner != worst),
    )


def _least_by_counts(snapshot: GroupSnapshot) -> float:
    """Return what no answer with such counts can be below; of a small topic that all read, what the
    best of them has.
    """
    lag = np.sort(snapshot.given_lag)[::-1].tolist()
    bound = _bound(snapshot, partitions_per_member=_most(snapshot))
    if len(snapshot.topic_name) > 1 or len(lag) < len(MEMBERS):
        return bound
    share, more = divmod(len(lag), len(MEMBERS))
    if len(lag) > FEW:
        return max(bound, lag[0] + sum(lag[len(lag) - share + 1 :]))
    return _least(
        lag, [(0, share + (member < more)) for member in range(len(MEMBERS))], float("inf")
    )


def _most(snapshot: GroupSnapshot) -> int:
    """Return the most partitions that a member can have by counts that differ by one at most."""
    readers = [
        snapshot.subscribers_by_id.of_topic(row).size for row in range(len(snapshot.topic_name))
    ]
    shares = -(-snapshot.partition_count // np.array(readers))
    return max(int(shares[snapshot.topic_lists[mine]].sum()) for mine in snapshot.subscription)


def _least(lags: list[int], members: list[tuple[int, int]], known: float) -> float:
    """Return the least load of the worst of these members, each with its load and its room, or what
    is known; the furthest behind come first.
    """
    if not lags:
        return max(load for load, _ in members)
    for load, room in set(members):
        if room and load + lags[0] < known:
            rest = members.copy()
            rest[members.index((load, room))] = load + lags[0], room - 1
            known = min(known, _least(lags[1:], rest, known))
    return known


def _against(snapshot: GroupSnapshot, answer: Assignment) -> tuple[float, float]:
    """Return the lag of the worst member and the bound of Best: of a small group that misses it
    after its search, which may raise it.
    """
    worst, bound = (
        float(np.bincount(answer.owner, snapshot.given_lag, len(MEMBERS)).max()),
        _bound(snapshot),
    )
    return worst, float(
        best(snapshot).bound
    ) if worst > NEAR * bound and snapshot.tp_count <= FEW else bound


def _bound(snapshot: GroupSnapshot, **limits: int) -> float:
    return float(best_of(lower_bounds(problem_of(snapshot, Request(**limits)))).value)


def main() -> None:
    """Print a row for each rule and each kind of group."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=300)
    options = parser.parse_args()
    print(
        "| rule | groups | within 5 % | median, 95 %, largest | the others"
        " |\n|---|---|---:|---|---|"
    )
    for rule in ("lag", "evenkeel-weighted"):
        for number, kind in enumerate(KINDS):
            rng = np.random.default_rng(number)
            drawn = (random_group(kind, rng) for _ in range(options.groups))
            _print(
                rule,
                kind,
                [by_lag(one) if rule == "lag" else by_weight(one, owner) for one, owner in drawn],
            )


def _print(rule: str, kind: str, found: list[Outcome]) -> None:
    why = Counter(one.reason for one in found)
    within = why.pop(WITHIN, 0) / len(found)
    middle, most, largest = np.quantile([one.ratio for one in found], [0.5, 0.95, 1])
    others = "; ".join(f"{reason}: {count}" for reason, count in why.most_common()) or "–"
    print(
        f"| `{rule}` | {kind} | {within:.0%} | {middle:.3f}, {most:.3f}, {largest:.3f} |"
        f" {others} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
