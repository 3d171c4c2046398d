"""Stuck: two readings show that the commit of a partition does not grow although its owner reads
other partitions. If owners are unknown, other partitions are not compared.
"""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.causes.stalled import standing
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Severity

CODE = Code.STUCK


def find(case: Case) -> Finding | None:
    """Return the finding. It lists the partition with the most lag first."""
    if not case.waits.any():
        return None
    # Members without any progress are a finding of `stalled`.
    waits = case.waits if case.owner is None else case.waits & ~standing(case)[case.owner]
    tps = np.flatnonzero(waits)
    if not tps.size:
        return None
    tps = tps[np.argsort(-case.known[tps], kind="stable")]
    worst = int(tps[0])
    owners = [] if case.owner is None else list(dict.fromkeys(case.owner[tps].tolist()))
    lag = int(case.known[tps].sum())
    return Finding(
        CODE,
        Severity.WARNING,
        members=tuple(owners),
        tps=tuple(tps.tolist()),
        lag=lag,
        figures={
            "seconds": int(case.before.seconds),
            "lag": lag,
            "partitions": int(tps.size),
            "committed": int(case.group.committed_offset[worst]),
        },
        certainty=Certainty.LIKELY if case.owner is None else Certainty.CERTAIN,
        assumed=("owners",) if case.owner is None else (),
    )
