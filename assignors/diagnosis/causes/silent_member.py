"""Silent member: a few members are far behind in nearly all of their partitions. Other members are
not.
"""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.diagnosis.case import SMALL_LAG, Case, lower_median
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.group import UNKNOWN

CODE = Code.SILENT_MEMBER

_FAR = 10
"""A partition is far behind if its lag is this many times the usual lag of its topic."""


def find(case: Case) -> Finding | None:
    """Return the finding. None if there are two readings: these show whether the members make
    progress, so other causes apply.
    """
    if not case.is_open or not case.is_one_reading or case.held_lag < SMALL_LAG:
        return None
    lag = case.held_lag_now
    # The usual lag of a topic is at least the smallest lag of all held partitions.
    if np.count_nonzero(lag >= _FAR * max(int(lag.min()), 10)) < 2:
        return None
    pairs = _pairs(case)
    is_bad = _far_behind(case, pairs)
    members = _suspects(case, pairs, is_bad)
    if not members.size or not _is_theirs(case, members, is_bad):
        return None
    return of_members(case, CODE, members, is_bad & case.is_of(members))


def of_members(case: Case, code: Code, members: np.ndarray, is_subject: np.ndarray) -> Finding:
    """Return a finding about members. `is_subject`, bool (H,): the partitions of these members that
    are far behind.
    """
    held, lag = case.held, case.held_lag_now
    is_other = ~case.is_of(members)
    by_lag = case.lag_of_members(held[is_subject])
    subject = lag[is_subject]
    return Finding(
        code,
        Severity.WARNING,
        members=tuple(members[np.argsort(-by_lag[members], kind="stable")].tolist()),
        tps=tuple(held[is_subject].tolist()),
        lag=int(subject.sum()),
        figures={
            "least": int(subject.min()),
            "most": int(subject.max()),
            "others_most": int(case.known[held[is_other]].max(initial=0)),
            "partitions": int(subject.size),
            "others": int(np.count_nonzero(is_other)),
            "members": int(members.size),
            "of": case.member_count,
        },
        certainty=Certainty.LIKELY,
        settles=Settles.LATER_READING,
    )


class _Pairs(NamedTuple):
    """The held partitions, sorted by topic, owner and lag: `order`, int64 (H,).

    The other fields have one entry for each pair of topic and owner: the position in `order` of its
    first partition, its number of partitions, the topic and the owner.
    """

    order: np.ndarray
    first: np.ndarray
    size: np.ndarray
    topic: np.ndarray
    owner: np.ndarray


def _pairs(case: Case) -> _Pairs:
    topic, owner = case.group.tp_topic[case.held], case.held_owner
    order = np.lexsort((case.held_lag_now, owner, topic))
    topic, owner = topic[order], owner[order]
    first = _starts(topic, owner)
    return _Pairs(order, first, _sizes(first, order.size), topic[first], owner[first])


def _starts(*keys: np.ndarray) -> np.ndarray:
    """Return the positions at which one of the sorted keys changes. The first position is 0."""
    is_first = np.ones(keys[0].size, dtype=bool)
    is_first[1:] = False
    for key in keys:
        is_first[1:] |= key[1:] != key[:-1]
    return is_first.nonzero()[0]


def _sizes(first: np.ndarray, count: int) -> np.ndarray:
    return np.concatenate((first[1:], [count])) - first


def _far_behind(case: Case, pairs: _Pairs) -> np.ndarray:
    """Return, bool (H,), whether each partition is far behind: its lag is far above the usual lag
    of the topic, and at least 1 % of its owner's largest lag.
    """
    held, lag = case.held, case.held_lag_now
    usual = _usual_lag(case, pairs)[case.group.tp_topic[held]]
    most = np.zeros(case.member_count, dtype=np.int64)
    np.maximum.at(most, case.owners[held], lag)
    is_far = (usual >= 0) & (lag >= _FAR * np.maximum(usual, 10))
    return is_far & (lag >= most[case.owners[held]] / 100)


def _usual_lag(case: Case, pairs: _Pairs) -> np.ndarray:
    """Return the usual lag of each topic, int64 (T,). First the median lag of each owner's
    partitions is taken, then the median of these medians. -1 if the topic has fewer than two
    owners.
    """
    middle = pairs.order[pairs.first + (pairs.size - 1) // 2]
    median = case.lag_now[case.held[middle]]
    median = median[np.lexsort((median, pairs.topic))]
    first = _starts(pairs.topic)
    owners = _sizes(first, pairs.topic.size)
    result = np.full(case.group.topic_count, -1, dtype=np.int64)
    usual = median[first + (owners - 1) // 2]
    result[pairs.topic[first]] = np.where(owners < 2, -1, usual)
    return result


def _suspects(case: Case, pairs: _Pairs, is_bad: np.ndarray) -> np.ndarray:
    """Return the members (int64) with two or more partitions far behind, and hardly any partition
    that shows that the member reads (`_tells`).
    """
    owner = case.held_owner
    bad = np.bincount(owner[is_bad], minlength=case.member_count)
    if not (bad >= 2).any():
        return np.flatnonzero(bad[:0])
    good = np.bincount(owner[~is_bad & _tells(case, pairs)], minlength=case.member_count)
    members = np.flatnonzero((bad >= 2) & (10 * good <= bad + good))
    if not members.size:
        return members
    their = case.member_lag[members]
    members = members[their >= int(their.max()) / 20]
    carried = int(case.member_lag[members].sum())
    is_few = 2 * members.size <= case.member_count
    is_most = 2 * carried >= case.held_lag and carried >= SMALL_LAG
    return members if is_few and is_most else members[:0]


def _tells(case: Case, pairs: _Pairs) -> np.ndarray:
    """Return whether each partition shows if its owner reads, bool (H,). The partition must not be
    empty, and its topic must have at least a twentieth of the owner's lag.
    """
    carried = np.add.reduceat(case.lag_now[case.held[pairs.order]], pairs.first)
    is_loud = np.empty(case.held.size, dtype=bool)
    is_loud[pairs.order] = np.repeat(
        carried >= case.member_lag[pairs.owner] / 20,
        pairs.size,
    )
    end = case.group.end_offset[case.held]
    return is_loud & ((end == UNKNOWN) | (end > 0))


def _is_theirs(case: Case, members: np.ndarray, is_bad: np.ndarray) -> bool:
    """Return whether the other members keep up: in each topic with at least a tenth of the silent
    members' lag, nine of ten partitions of other members have far less lag.
    """
    held, lag = case.held, case.held_lag_now
    topic = case.group.tp_topic[held]
    is_their = case.is_of(members)
    total = int(lag[is_their].sum())
    for row in np.bincount(topic[is_their & is_bad]).nonzero()[0].tolist():
        inside = topic == row
        if int(lag[inside & is_their].sum()) < total / 10:
            continue
        usual = lower_median(lag[inside & is_their & is_bad])
        others = lag[inside & ~is_their]
        if np.count_nonzero(others <= usual / 10) < 0.9 * others.size:
            return False
    return True
