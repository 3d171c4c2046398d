"""Uneven: with this assignment, one member has more lag than its share, and another assignor would
spread the lag.
"""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case, lower_median
from evenkeel.assignors.diagnosis.causes.behind import best_offer, is_asked
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.diagnosis.spread import ALIKE

CODE = Code.UNEVEN


def find(case: Case) -> Finding | None:
    """Return the finding. None if the worst member's partitions have far more lag than other
    partitions of the same topics.
    """
    if not is_asked(case) or Code.BEHIND in case.primary:
        return None
    spread, offer = case.spread, best_offer(case)
    if offer is None or spread.is_alike:
        return None
    if (case.is_one_reading or case.are_few_late) and not is_like_others(case):
        return None
    worst = int(case.member_lag.max())
    above = np.flatnonzero(case.member_lag > ALIKE * spread.mean)
    if not above.size:
        above = case.member_lag.argmax(0, keepdims=True)
    doubt = case.doubt
    return Finding(
        CODE,
        Severity.INFO if doubt == Certainty.UNSURE else Severity.WARNING,
        members=tuple(above[np.argsort(-case.member_lag[above], kind="stable")].tolist()),
        lag=int(case.member_lag[above].sum()),
        figures={
            "worst": worst,
            "worst_after": offer.worst,
            "mean": round(spread.mean),
            "times": round(worst / spread.mean, 1),
            "gain": round(1 - offer.worst / worst, 4),
            "moved": offer.moved,
        },
        detail={"assignor": offer.name, "readings": case.reading_count},
        certainty=doubt,
        settles=Settles.LATER_READING,
        is_primary=True,
    )


def is_like_others(case: Case) -> bool:
    """Return whether the worst member's partitions have about as much lag as other partitions of
    the same topics. False if no other member reads these topics.
    """
    worst = int(case.member_lag.argmax())
    held, lag = case.held, case.held_lag_now
    topic, is_its = case.group.tp_topic[held], case.owners[held] == worst
    ratios, weights = [], []
    for row in np.bincount(topic[is_its]).nonzero()[0].tolist():
        others = lag[(topic == row) & ~is_its]
        if others.size:
            own = lag[(topic == row) & is_its]
            ratios.append(own / max(lower_median(others), 1))
            weights.append(own)
    if not ratios:
        return False
    ratio, weight = np.concatenate(ratios), np.concatenate(weights).astype(float)
    if not weight.any():
        return False
    return bool(np.median(ratio) <= 3 and np.average(ratio, weights=weight) <= 10)
