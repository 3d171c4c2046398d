"""Stalled: two readings show that a member reads none of the records that wait for it."""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case, rows
from evenkeel.assignors.diagnosis.finding import Code, Finding, Severity

CODE = Code.STALLED


def standing(case: Case) -> np.ndarray:
    """Return the members that make no progress, bool (M,): records wait in a partition of the
    member, and none of its commits grew.
    """
    waiting = np.zeros(case.member_count, dtype=bool)
    moving = np.zeros(case.member_count, dtype=bool)
    waiting[case.owners[case.waits]] = True
    moving[case.owners[case.moved & (case.owners >= 0) & case.before.has_same_owner]] = True
    return waiting & ~moving


def find(case: Case) -> Finding | None:
    """Return the finding. It names the partitions in which records wait and whose owner makes no
    progress.
    """
    if case.owner is None or not case.waits.any():
        return None
    members = np.flatnonzero(standing(case))
    if not members.size:
        return None
    tps = rows(case.waits & np.isin(case.owner, members))
    lag = case.lag_of_members(np.array(tps))
    worst_first = members[np.argsort(-lag[members], kind="stable")]
    return Finding(
        CODE,
        Severity.WARNING,
        members=tuple(worst_first.tolist()),
        tps=tps,
        lag=int(case.known[list(tps)].sum()),
        figures={
            "seconds": int(case.before.seconds),
            "lag": int(case.known[list(tps)].sum()),
            "partitions": len(tps),
        },
        detail={
            "others_move": bool(case.moved.any()),
            "are_all": members.size == case.member_count,
        },
    )
