"""Uncommitted: partitions that have no commit and may have lag."""

from evenkeel.assignors.diagnosis.case import Case, rows
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Severity

CODE = Code.UNCOMMITTED


def find(case: Case) -> Finding | None:
    """Return the finding. It is primary if the partitions without a commit may have more lag than
    all others.
    """
    if not case.unknown_count or case.has_no_member:
        return None
    tps = rows(case.at_most > 0)
    if not tps:
        return None
    most, known = int(case.at_most.sum()), case.base or 0
    return Finding(
        CODE,
        Severity.WARNING,
        tps=tps,
        figures={"at_most": most, "partitions": len(tps), "known": known},
        certainty=Certainty.CERTAIN,
        is_primary=most > known,
    )
