"""Behind: all members that read the heavy topics are behind, so the group is too slow, not one of
its members.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.diagnosis.reading import SMALL_LAG, Case, Offer

CODE = Code.BEHIND

ALIKE = 1.3
"""A member with as many times the mean is above the others."""

_HINDERS = {
    Code.UNREAD,
    Code.REBALANCING,
    Code.UNCOMMITTED,
    Code.REWOUND,
    Code.STALLED,
    Code.STUCK,
    Code.SILENT_MEMBER,
    Code.SLOW_MEMBER,
    Code.ONE_PARTITION,
    Code.HOT_PARTITION,
}


class Spread(NamedTuple):
    """The lag of the heavy topics, which carry nine tenths of it, over the members that could read
    them.

    `topics`: rows. `lag` int64 (M,): of these topics. `readers`: rows of members that own a
    partition of them.
    """

    topics: np.ndarray
    lag: np.ndarray
    readers: np.ndarray
    partitions: np.ndarray
    mean: float

    @property
    def worst(self) -> int:
        return int(self.lag.max())

    @property
    def least(self) -> int:
        return int(self.lag[self.readers].min())

    @property
    def is_alike(self) -> bool:
        """Whether no reader stands out above or below."""
        return self.worst <= ALIKE * self.mean and self.least >= self.mean / 3


def is_asked(case: Case) -> bool:
    """Tell whether a backlog of the whole group, or its spread, may be the cause."""
    return case.is_open and case.held_lag > 0 and not _HINDERS & case.primary


def spread_of(case: Case) -> Spread:
    """Return how the lag of the heavy topics lies on members; idle members that could read them
    count.
    """
    group, held = case.group, case.held
    lag = np.zeros(group.topic_count, dtype=np.int64)
    np.add.at(lag, group.tp_topic[held], case.lag_now[held])
    order = np.argsort(-lag, kind="stable")
    reached = np.cumsum(lag[order])
    topics = np.sort(order[: int(np.searchsorted(reached, 0.9 * case.held_lag)) + 1])
    is_heavy = np.zeros(group.topic_count, dtype=bool)
    is_heavy[topics] = True
    heavy = held[is_heavy[group.tp_topic[held]]]
    partitions = np.flatnonzero(
        is_heavy[group.tp_topic] & case.now.is_read & (case.owner != UNASSIGNED)
    )
    by_member = case.lag_of_members(heavy)
    readers = np.unique(case.owner[heavy])
    could = int(np.count_nonzero(group.is_listed[group.subscription][:, topics].any(axis=1)))
    sharing = min(max(could, readers.size), partitions.size)
    return Spread(topics, by_member, readers, partitions, int(by_member.sum()) / sharing)


def find(case: Case) -> Finding | None:
    """Return the finding if readers are alike, or nothing else is to be said of a spread that no
    assignor mends.
    """
    if not is_asked(case):
        return None
    spread = spread_of(case)
    if not spread.is_alike and (_is_wide(spread) or best_offer(case) is not None):
        return None
    lag = int(spread.lag.sum())
    doubt = case.doubt
    return Finding(
        CODE,
        Severity.INFO if doubt == Certainty.UNSURE else Severity.WARNING,
        members=tuple(
            spread.readers[np.argsort(-spread.lag[spread.readers], kind="stable")].tolist()
        ),
        tps=tuple(spread.partitions.tolist()),
        topics=tuple(spread.topics.tolist()),
        lag=lag,
        figures={
            "least": spread.least,
            "most": spread.worst,
            "lag": lag,
            "members": case.member_count,
            "readers": int(spread.readers.size),
            "partitions": int(spread.partitions.size),
            "room": int(spread.partitions.size) - case.member_count,
        },
        detail={"alike": spread.is_alike},
        certainty=doubt,
        settles=case.settles if case.is_one_reading else Settles.NOTHING,
        is_primary=True,
    )


def _is_wide(spread: Spread) -> bool:
    return spread.least < spread.mean / 10 or spread.worst > 3 * spread.mean


def best_offer(case: Case) -> Offer | None:
    """Return the assignor with the largest gain that a setting gives, or a cheaper one within two
    points; None below the least gain.
    """
    worst = int(case.member_lag.max())
    offers = [each for each in case.all_offers if each.worst < worst]
    if not offers:
        return None
    gained = worst - min(each.worst for each in offers)
    near = [each for each in offers if gained - (worst - each.worst) <= 0.02 * worst]
    best = min(near, key=lambda each: each.price)
    is_worth = worst - best.worst >= max(case.gain * worst, SMALL_LAG)
    return best if is_worth else None
