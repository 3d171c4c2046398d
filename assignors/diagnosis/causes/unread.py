"""Unread: the group has members and does not rebalance, but partitions with lag have no owner."""

from evenkeel.assignors.diagnosis.case import Case, rows
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity

CODE = Code.UNREAD


def find(case: Case) -> Finding | None:
    """Return the finding. It is certain if Kafka reports the state Stable, or if subscriptions are
    known.
    """
    is_at_rest = not (case.is_rebalancing or case.is_reconciling or case.has_no_member)
    if not is_at_rest or case.is_unread is None or not case.member_count:
        return None
    waiting = rows(case.is_unread & (case.known > 0))
    if not waiting:
        return None
    is_certain = case.now.state == "Stable" or case.group.are_subscriptions_known
    lag = int(case.known[list(waiting)].sum())
    return Finding(
        CODE,
        Severity.WARNING,
        tps=waiting,
        lag=lag,
        figures={"lag": lag, "partitions": len(waiting), "of": case.base},
        certainty=Certainty.CERTAIN if is_certain else Certainty.LIKELY,
        settles=Settles.NOTHING if is_certain else Settles.LATER_READING,
    )
