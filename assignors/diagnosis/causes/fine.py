"""Fine: the group has no lag worth mentioning."""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity

CODE = Code.FINE


def find(case: Case) -> Finding | None:
    """Return the finding. None if another finding is primary."""
    if case.primary:
        return None
    has_owners = case.is_judged and case.member_count > 0
    return Finding(
        CODE,
        Severity.OK,
        lag=case.base,
        figures={
            "lag": case.base,
            "partitions": case.read_count,
            "most": _most(case) if has_owners else None,
        },
        certainty=Certainty.LIKELY,
        settles=Settles.LATER_READING if case.is_one_reading else Settles.NOTHING,
        is_primary=True,
        detail={
            "is_all_known": case.now.is_whole and not case.unknown_count,
            "is_whole": case.now.is_whole,
        },
        assumed=_assumed(case),
    )


def _assumed(case: Case) -> tuple[str, ...]:
    if case.reads_without_members:
        return ("commits move without members",)
    return ("owners",) if case.keeps_up_unseen and case.base else ()


def _most(case: Case) -> int:
    """Return the lag of the worst member, including the records that arrived since the earlier
    reading.
    """
    lag = np.zeros(case.member_count, dtype=np.int64)
    np.add.at(lag, case.held_owner, case.known[case.held])
    return int(lag.max())
