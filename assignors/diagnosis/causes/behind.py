"""Behind: all members that read the heavy topics (the topics with most of the lag) are behind. The
whole group is too slow, not one member.
"""

import math

import numpy as np

from evenkeel.assignors.diagnosis.case import SMALL_LAG, Case, rounded
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.diagnosis.offer import Offer, largest_gain

CODE = Code.BEHIND

_HINDERS = {
    Code.UNREAD,
    Code.REBALANCING,
    Code.UNCOMMITTED,
    Code.REWOUND,
    Code.STALLED,
    Code.STUCK,
    Code.SILENT_MEMBER,
    Code.SLOW_MEMBER,
    Code.ONE_PARTITION,
    Code.HOT_PARTITION,
}


def is_asked(case: Case) -> bool:
    """Return whether the whole group may be behind, or its lag uneven: the members have lag, and no
    primary finding excludes this.
    """
    return case.is_open and case.held_lag > 0 and not _HINDERS & case.primary


def find(case: Case) -> Finding | None:
    """Return the finding in three cases:

    * all readers have similar lag;
    * the members together read fewer records/s than arrive;
    * the lag is a little uneven, but no assignor improves it enough.
    """
    if not is_asked(case):
        return None
    spread = case.spread
    is_spread = spread.is_alike or case.is_short
    is_wide = spread.least < spread.mean / 10 or spread.worst > 3 * spread.mean
    if not is_spread and (is_wide or best_offer(case) is not None):
        return None
    lag = int(spread.lag.sum())
    doubt = case.doubt
    return Finding(
        CODE,
        Severity.INFO if doubt == Certainty.UNSURE else Severity.WARNING,
        members=tuple(
            spread.readers[np.argsort(-spread.lag[spread.readers], kind="stable")].tolist()
        ),
        tps=tuple(spread.partitions.tolist()),
        topics=tuple(spread.topics.tolist()),
        lag=lag,
        figures={
            "least": spread.least,
            "most": spread.worst,
            "lag": lag,
            "members": spread.could_read,
            "readers": int(spread.readers.size),
            "partitions": int(spread.partitions.size),
            "room": int(spread.partitions.size) - spread.could_read,
            **_rates(case, spread.readers),
        },
        detail={"alike": spread.is_alike, "readings": case.reading_count},
        certainty=doubt,
        settles=Settles.LATER_READING,
        is_primary=True,
    )


def _rates(case: Case, readers: np.ndarray) -> dict[str, float]:
    """Return the rates of the readers as figures: records/s that arrive, records/s that are read,
    the smallest number of members that would keep up, and the seconds to drain.

    `reach`: sum of the partitions' incoming rates, where a rate counts at most as the mean
    capacity of a member. Empty if a rate or the capacity of a reader is unknown.
    """
    pace = case.pace
    if pace is None or np.isnan(pace.capacity[readers]).any():
        return {}
    tps = case.held[case.is_of(readers)]
    rates = case.rates(tps)
    if not rates:
        return {}
    arrives, mean = case.flow.arrives[tps], pace.mean
    seconds = float(pace.drained(case.lag_now, case.owners).by_member[readers].max())
    return {
        **rates,
        "needed": math.floor(float(arrives.sum()) / mean) + 1,
        "reach": rounded(float(np.minimum(arrives, mean).sum())),
        **({"drain_seconds": math.ceil(seconds)} if math.isfinite(seconds) else {}),
    }


def best_offer(case: Case) -> Offer | None:
    """Return the offer of the assignor that Evenkeel advises. None if its gain is too small."""
    worst = int(case.member_lag.max())
    best = largest_gain(case.all_offers, worst)
    is_worth = best is not None and worst - best.worst >= max(case.gain * worst, SMALL_LAG)
    return best if is_worth else None
