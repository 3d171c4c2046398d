"""Down: the group has no members, and records are waiting or may be waiting."""

from evenkeel.assignors.diagnosis.case import WITHOUT_MEMBERS, Case, rows
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity

CODE = Code.DOWN


def find(case: Case) -> Finding | None:
    """Return the finding. It is certain if the state or a complete list of members shows that there
    are no members.
    """
    if not case.has_no_member or case.reads_without_members:
        return None
    if case.total == 0 and not case.unknown_count:
        return None
    is_certain = case.now.state in WITHOUT_MEMBERS or case.now.are_members_known
    waiting = rows((case.known > 0) | case.is_unknown)
    return Finding(
        CODE,
        Severity.CRITICAL,
        tps=waiting,
        lag=case.total,
        figures={"lag": case.total, "partitions": len(waiting), "of": case.read_count},
        detail={"is_least": bool(case.unknown_count)},
        certainty=Certainty.CERTAIN if is_certain else Certainty.LIKELY,
        settles=Settles.NOTHING if is_certain else Settles.STATE,
    )
