"""Rewound: two readings show that a commit fell although the end offset did not fall."""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.finding import Code, Finding, Severity
from evenkeel.assignors.group import UNKNOWN

CODE = Code.REWOUND


def find(case: Case) -> Finding | None:
    """Return the finding. The partition whose commit fell most is first."""
    if case.earlier is None:
        return None
    before, now = case.earlier.committed, case.group.committed_offset
    has_end = (case.earlier.end != UNKNOWN) & (case.group.end_offset >= case.earlier.end)
    fell = (now != UNKNOWN) & (now < before) & has_end & ~case.is_left
    if not fell.any():
        return None
    back = np.where(fell, before - now, 0)
    tps = np.flatnonzero(fell)
    tps = tps[np.argsort(-back[tps], kind="stable")]
    worst = int(tps[0])
    return Finding(
        CODE,
        Severity.WARNING,
        tps=tuple(tps.tolist()),
        lag=int(case.known[tps].sum()),
        figures={
            "from": int(before[worst]),
            "to": int(now[worst]),
            "again": int(back.sum()),
            "partitions": int(tps.size),
        },
    )
