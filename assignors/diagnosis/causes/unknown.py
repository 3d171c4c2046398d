"""Unknown: no lag is known; or there is lag, but the owners of the partitions are unknown."""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.group import UNKNOWN

CODE = Code.UNKNOWN


def find(case: Case) -> Finding | None:
    """Return the finding. Its lag is the known lag of the group, or None."""
    if case.primary:
        return None
    nothing_waits = case.base == 0 and not case.unknown_count
    is_shared_lag = case.is_share and not case.is_small
    has_owners = case.owner is not None or case.has_no_member
    is_answered = nothing_waits or case.keeps_up_unseen or (has_owners and not is_shared_lag)
    if case.base is not None and is_answered:
        return None
    waiting = case.now.is_read if case.base is None else case.known > 0
    return Finding(
        CODE,
        Severity.INFO,
        lag=case.base,
        figures={"partitions": int(np.count_nonzero(waiting))},
        detail={"shared": case.is_share, "lacks_ends": _lacks_ends(case)},
        certainty=Certainty.CERTAIN,
        settles=Settles.NOTHING,
        is_primary=True,
    )


def _lacks_ends(case: Case) -> bool:
    """Return whether commits were read, but no end offset."""
    group, is_read = case.group, case.now.is_read
    has_commits = bool((group.committed_offset[is_read] != UNKNOWN).any())
    return has_commits and not (group.end_offset[is_read] != UNKNOWN).any()
