"""Rebalancing: the owners are temporary, or a KIP-848 group is still reconciling. In a KIP-848
group, members continue to read the partitions that they own.
"""

from evenkeel.assignors.diagnosis.case import Case, rows
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity

CODE = Code.REBALANCING


def find(case: Case) -> Finding | None:
    """Return the finding. In a rebalance, it explains all lag. In a KIP-848 group that only
    reconciles, it explains the lag of partitions without an owner.
    """
    if not (case.is_rebalancing or case.is_reconciling):
        return None
    explained = case.known > 0
    lag = case.base
    if not case.is_rebalancing and case.is_unread is not None:
        explained = explained & case.is_unread
        lag = case.unread_lag
    waiting = rows(explained & ~case.is_left)
    return Finding(
        CODE,
        Severity.WARNING,
        tps=waiting,
        lag=lag,
        figures={"lag": lag, "partitions": len(waiting)},
        certainty=Certainty.LIKELY if case.now.state is None else Certainty.CERTAIN,
        settles=Settles.LATER_READING,
    )
