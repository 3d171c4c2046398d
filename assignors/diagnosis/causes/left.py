"""Left: commits in topics to which no member subscribes any more."""

from evenkeel.assignors.diagnosis.case import Case, rows
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Severity

CODE = Code.LEFT


def find(case: Case) -> Finding | None:
    """Return the finding. It is primary only if no other finding is."""
    if not case.left_lag:
        return None
    tps = rows(case.is_left & (case.known > 0))
    topics = tuple(dict.fromkeys(case.group.tp_topic[list(tps)].tolist()))
    return Finding(
        CODE,
        Severity.INFO,
        tps=tps,
        topics=topics,
        lag=case.left_lag,
        figures={"lag": case.left_lag, "partitions": len(tps)},
        certainty=Certainty.CERTAIN,
        is_primary=not case.primary,
    )
