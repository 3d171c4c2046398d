"""Lagging: records wait, and the readings show no cause."""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.causes.behind import best_offer
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity

CODE = Code.LAGGING

_MOST = 3


def find(case: Case) -> Finding | None:
    """Return the finding. It is about the worst member if the lag is uneven and an assignor
    improves it. Otherwise it is about the three partitions with the most lag.
    """
    if not case.is_open or case.primary - {Code.PAST_END}:
        return None
    members: list[int] = []
    is_late_member = case.held_lag > 0 and not case.spread.is_alike and best_offer(case) is not None
    if is_late_member:
        worst = int(case.member_lag.argmax())
        tps = case.held[case.held_owner == worst]
        tps = tps[case.lag_now[tps] > 0]
        members = [worst]
    else:
        tps = case.held[np.argsort(-case.held_lag_now, kind="stable")[:_MOST]]
        tps = tps[case.lag_now[tps] > 0]
    lag, doubt = int(case.lag_now[tps].sum()), case.doubt
    return Finding(
        CODE,
        Severity.INFO if doubt == Certainty.UNSURE else Severity.WARNING,
        members=tuple(members),
        tps=tuple(tps.tolist()),
        lag=lag,
        figures={
            "lag": lag,
            "of": case.base,
            "partitions": int(tps.size),
            **(_rates(case, members[0]) if members else {}),
        },
        detail={"readings": case.reading_count},
        certainty=doubt,
        settles=Settles.LATER_READING,
        is_primary=True,
    )


def _rates(case: Case, member: int) -> dict[str, float]:
    """Return the records/s that arrive in a member's partitions and the records/s that it reads.
    Empty if the member could read more, or if it keeps up.
    """
    if case.pace is None or np.isnan(case.pace.capacity[member]):
        return {}
    rates = case.rates(case.held[case.held_owner == member])
    return rates if rates and rates["in_rate"] > rates["read_rate"] else {}
