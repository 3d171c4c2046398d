"""Idle: members without partitions. The finding is never primary."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Severity
from evenkeel.assignors.group import NO_TP

CODE = Code.IDLE


def find(case: Case) -> Finding | None:
    """Return the finding. Its figure `always`: number of members that cannot have a partition,
    because there are more members than partitions.
    """
    if not case.is_judged or case.is_reconciling:
        return None
    owner = case.owners
    owns = np.zeros(case.member_count, dtype=bool)
    owns[owner[owner != UNASSIGNED]] = True
    # `owners` contains only one owner of a partition with several owners.
    owns[case.group.claim_member[case.group.claim_tp != NO_TP]] = True
    idle = tuple(np.flatnonzero(~owns).tolist())
    if not idle or len(idle) == case.member_count:
        return None
    return Finding(
        CODE,
        Severity.INFO,
        members=idle,
        figures={"members": len(idle), "always": max(case.member_count - case.read_count, 0)},
        certainty=Certainty.CERTAIN,
        is_primary=False,
    )
