"""Slow member: two readings show that a few members fall behind, and that they read fewer records
than the other members.
"""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.causes.silent_member import of_members
from evenkeel.assignors.diagnosis.finding import Code, Finding

CODE = Code.SLOW_MEMBER

_SLOW = 0.8
"""A member is slow if it reads at most this part of the other members' median."""


def find(case: Case) -> Finding | None:
    """Return the finding. It names the partitions that have lag and whose owner is late."""
    if not case.is_open or case.is_one_reading or not case.are_few_late:
        return None
    if {Code.STALLED, Code.STUCK, Code.REWOUND} & case.primary:
        return None
    late = np.flatnonzero(case.is_late)
    if not late.size or not is_slower(case):
        return None
    is_subject = case.is_of(late) & (case.held_lag_now > 0)
    return of_members(case, CODE, late, is_subject)


def is_slower(case: Case) -> bool:
    """Return whether every late member read far fewer records than the median of the members that
    are not late.
    """
    group, earlier = case.group, case.before
    tps = case.held[case.moved[case.held] & earlier.has_same_owner[case.held]]
    reads = np.zeros(case.member_count, dtype=np.int64)
    np.add.at(reads, case.owners[tps], group.committed_offset[tps] - earlier.committed[tps])
    owns = np.bincount(case.held_owner, minlength=case.member_count) > 0
    keeping_up = reads[owns & ~case.is_late]
    return bool(keeping_up.size) and bool(
        (reads[case.is_late] <= _SLOW * np.median(keeping_up)).all()
    )
