"""Past the end: a commit is beyond the log's end, so the topic was created again or truncated."""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case, rows
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.group.lag import committed_past_end

CODE = Code.PAST_END

_MANY = 1_000
"""Up to this many records past the end can mean that end offsets were read before commits."""


def find(case: Case) -> Finding | None:
    """Return the finding. It is only a note if commits are a few records past the end: perhaps the
    end offsets were read before these commits.
    """
    is_past = committed_past_end(case.group)
    if not is_past.any():
        return None
    is_past &= case.now.is_read & ~case.is_left
    if not is_past.any():
        return None
    committed, end = case.group.committed_offset, case.group.end_offset
    past = committed - end
    is_grave = is_past & ((past > _MANY) | (committed > 2 * end))
    subject = is_grave if is_grave.any() else is_past
    tps = rows(subject)
    worst = max(tps, key=lambda tp: past[tp])
    is_certain = bool(is_grave.any())
    return Finding(
        CODE,
        Severity.CRITICAL if is_certain else Severity.INFO,
        members=_owners(case, tps),
        tps=(worst, *(tp for tp in tps if tp != worst)),
        lag=int(case.known[subject].sum()),
        figures={
            "committed": int(committed[worst]),
            "end": int(end[worst]),
            "past": int(past[worst]),
            "partitions": len(tps),
        },
        certainty=Certainty.CERTAIN if is_certain else Certainty.LIKELY,
        settles=Settles.NOTHING if is_certain else Settles.LATER_READING,
    )


def _owners(case: Case, tps: tuple[int, ...]) -> tuple[int, ...]:
    if case.owner is None:
        return ()
    owners = np.unique(case.owner[list(tps)])
    return tuple(owners[owners >= 0].tolist())
