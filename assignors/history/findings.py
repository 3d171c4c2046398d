"""Findings: whose fault a slow group is, as far as its partitions tell. Ours, beyond Burrow's rules."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.history.changes.stays import unstable_members
from evenkeel.assignors.history.series import Restarts, Series
from evenkeel.assignors.history.verdicts import OK, SLOW, STALL

MEMBER, PARTITION, TOPIC, GROUP, UNSTABLE = "member", "partition", "topic", "group too small", "unstable member"
HOT = 3
"""Times the median of its topic."""
POLL_SECONDS = 300
"""Kafka's default of max.poll.interval.ms; snapshots do not show that of a group."""


class Finding(NamedTuple):
    """`what`: `MEMBER`, `UNSTABLE`, `PARTITION`, `TOPIC` or `GROUP`; `row`: of the member, the partition or the topic, -1 for the group.

    `figure`: of a partition, its rate in / the median of its topic; of the group, records/s that come in beyond what is read; of an
    unstable member, the longest time in seconds for which it had the same partitions. Where members leave and come back, only they are
    unstable: whom that disturbs is not. `restarts`: the run of restarts of such a member, one finding each.
    """

    what: str
    row: int
    figure: float = 0.0
    restarts: Restarts | None = None


def findings(
    series: Series, verdict: np.ndarray, in_rate: np.ndarray, out_rate: np.ndarray, is_busy: np.ndarray, at: int = -1
) -> list[Finding]:
    """Return what the partitions have in common at a row of slots.

    Parameters
    ----------
    verdict : int8 (P,)
    in_rate, out_rate : float64 (P,)
        Records/s, NaN where unknown.
    is_busy : bool (M,)
        Members that had lag at both ends of the last window.
    """
    owner, is_bad = series.owner[at], (verdict == SLOW) | (verdict == STALL)
    return [
        *_members(series.topic, owner, is_bad, verdict == OK, len(series.member_id)),
        *_hot_partitions(series, in_rate),
        *_topics(series, is_bad & (owner != UNASSIGNED)),
        *_group(in_rate, out_rate, is_busy[np.unique(owner[owner != UNASSIGNED])]),
        *_unstable(series, at),
    ]


def _unstable(series: Series, at: int) -> list[Finding]:
    found = unstable_members(series, POLL_SECONDS)
    leave = [Finding(UNSTABLE, one.member, found.get(one.member, 0.0), one) for one in series.restarts if one.is_unstable]
    if leave:
        return leave
    return [Finding(UNSTABLE, row, stay) for row, stay in found.items() if series.is_member[at, row]]


def _members(topic: np.ndarray, owner: np.ndarray, is_bad: np.ndarray, is_ok: np.ndarray, member_count: int) -> list[Finding]:
    """Name members of which every partition is slow or stalled, while the same topics are OK at other members."""
    found = []
    for member in range(member_count):
        mine = owner == member
        if mine.any() and is_bad[mine].all():
            others = (owner != UNASSIGNED) & ~mine & np.isin(topic, topic[mine])
            if others.any() and is_ok[others].all():
                found.append(Finding(MEMBER, member))
    return found


def _hot_partitions(series: Series, in_rate: np.ndarray) -> list[Finding]:
    found = []
    for topic in range(len(series.topic_name)):
        tps = np.flatnonzero((series.topic == topic) & ~np.isnan(in_rate))
        median = float(np.median(in_rate[tps])) if tps.size else 0.0
        if median > 0:
            found += [Finding(PARTITION, tp, float(in_rate[tp]) / median) for tp in tps[in_rate[tps] > HOT * median].tolist()]
    return found


def _topics(series: Series, is_bad: np.ndarray) -> list[Finding]:
    return [
        Finding(TOPIC, topic)
        for topic in range(len(series.topic_name))
        if np.count_nonzero(series.topic == topic) > 1 and is_bad[series.topic == topic].all()
    ]


def _group(in_rate: np.ndarray, out_rate: np.ndarray, is_busy: np.ndarray) -> list[Finding]:
    known = ~np.isnan(in_rate) & ~np.isnan(out_rate)
    excess = float((in_rate - out_rate)[known].sum())
    return [Finding(GROUP, -1, excess)] if is_busy.size and is_busy.all() and known.any() and excess > 0 else []
