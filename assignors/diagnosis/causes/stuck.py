"""Stuck: of two readings, partitions that wait although their owner reads others."""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.causes.stalled import standing
from evenkeel.assignors.diagnosis.finding import Code, Finding, Severity

CODE = Code.STUCK


def find(case: Case) -> Finding | None:
    """Return the finding, the partition with the most lag first."""
    if case.is_one_reading or not case.waits.any():
        return None
    tps = np.flatnonzero(case.waits & ~standing(case)[case.owner])
    if not tps.size:
        return None
    tps = tps[np.argsort(-case.known[tps], kind="stable")]
    worst = int(tps[0])
    owners = list(dict.fromkeys(case.owner[tps].tolist()))
    lag = int(case.known[tps].sum())
    return Finding(
        CODE,
        Severity.WARNING,
        members=tuple(owners),
        tps=tuple(tps.tolist()),
        lag=lag,
        figures={
            "seconds": int(case.earlier.seconds),
            "lag": lag,
            "partitions": int(tps.size),
            "committed": int(case.group.committed_offset[worst]),
        },
    )
