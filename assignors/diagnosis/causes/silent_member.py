"""Silent member: few members are far behind on nearly all of their partitions, and no other member
is.
"""

import numpy as np

from evenkeel.assignors.diagnosis.case import SMALL_LAG, Case, lower_median
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.group import UNKNOWN

CODE = Code.SILENT_MEMBER

_FAR = 10
"""A partition is far behind if its lag is as many times the usual lag of its topic."""


def find(case: Case) -> Finding | None:
    """Return the finding of one reading; a second reading tells whether these members stand
    still.
    """
    if not case.is_open or not case.is_one_reading or case.held_lag < SMALL_LAG:
        return None
    if np.count_nonzero(case.lag_now[case.held] >= 10 * _FAR) < 2:
        return None
    is_bad = _far_behind(case)
    members = _suspects(case, is_bad)
    if not members.size or not _is_theirs(case, members, is_bad):
        return None
    return of_members(case, CODE, members, is_bad & case.is_of(members))


def of_members(case: Case, code: Code, members: np.ndarray, is_subject: np.ndarray) -> Finding:
    """Return a finding about members; `is_subject` bool (H,): their partitions that are far
    behind.
    """
    held, lag = case.held, case.lag_now[case.held]
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


def _far_behind(case: Case) -> np.ndarray:
    """bool (H,): partitions far beyond the usual lag of their topic, and no trifle for
    their owner.
    """
    held, lag = case.held, case.lag_now[case.held]
    usual = _usual_lag(case)[case.group.tp_topic[held]]
    most = np.zeros(case.member_count, dtype=np.int64)
    np.maximum.at(most, case.owner[held], lag)
    is_far = (usual >= 0) & (lag >= _FAR * np.maximum(usual, 10))
    return is_far & (lag >= most[case.owner[held]] / 100)


def _usual_lag(case: Case) -> np.ndarray:
    """Return for each topic the lower median of its owners' medians, int64 (T,), -1 with fewer than
    two owners.
    """
    held, lag = case.held, case.lag_now[case.held]
    pair = case.group.tp_topic[held].astype(np.int64) * case.member_count + case.owner[held]
    key, median = _medians(pair, lag)
    topic, usual = _medians(key // case.member_count, median)
    result = np.full(case.group.topic_count, -1, dtype=np.int64)
    result[topic] = usual
    result[np.bincount(key // case.member_count, minlength=result.size) < 2] = -1
    return result


def _medians(key: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each key once, ascending, and the lower median of its values."""
    order = np.lexsort((value, key))
    each, start, count = np.unique(key[order], return_index=True, return_counts=True)
    return each, value[order][start + (count - 1) // 2]


def _suspects(case: Case, is_bad: np.ndarray) -> np.ndarray:
    """Return members, int64, with two partitions far behind or more, and hardly another one."""
    owner = case.owner[case.held]
    bad = np.bincount(owner[is_bad], minlength=case.member_count)
    if not (bad >= 2).any():
        return np.flatnonzero(bad[:0])
    good = np.bincount(owner[~is_bad & _tells(case)], minlength=case.member_count)
    members = np.flatnonzero((bad >= 2) & (10 * good <= bad + good))
    if not members.size:
        return members
    their = case.member_lag[members]
    members = members[their >= int(their.max()) / 20]
    carried = int(case.member_lag[members].sum())
    is_few = 2 * members.size <= case.member_count
    is_most = 2 * carried >= case.held_lag and carried >= SMALL_LAG
    return members if is_few and is_most else members[:0]


def _tells(case: Case) -> np.ndarray:
    """bool (H,): partitions that tell whether their owner reads: not empty, and not of a quiet
    topic.
    """
    held = case.held
    owner, topic = case.owner[held], case.group.tp_topic[held].astype(np.int64)
    each, at = np.unique(topic * case.member_count + owner, return_inverse=True)
    carried = np.zeros(each.size, dtype=np.int64)
    np.add.at(carried, at, case.lag_now[held])
    is_loud = carried[at] >= case.member_lag[owner] / 20
    end = case.group.end_offset[held]
    return is_loud & ((end == UNKNOWN) | (end > 0))


def _is_theirs(case: Case, members: np.ndarray, is_bad: np.ndarray) -> bool:
    """Tell whether in every topic that counts nine of ten partitions of the others are far below
    theirs.
    """
    held, lag = case.held, case.lag_now[case.held]
    topic = case.group.tp_topic[held]
    is_their = case.is_of(members)
    total = int(lag[is_their].sum())
    for row in np.unique(topic[is_their & is_bad]).tolist():
        inside = topic == row
        if int(lag[inside & is_their].sum()) < total / 10:
            continue
        usual = lower_median(lag[inside & is_their & is_bad])
        others = lag[inside & ~is_their]
        if np.count_nonzero(others <= usual / 10) < 0.9 * others.size:
            return False
    return True
