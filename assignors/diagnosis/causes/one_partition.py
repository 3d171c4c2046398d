"""One partition: up to three partitions have most of the lag. The other partitions of their owners
and topics have almost none.
"""

import math

import numpy as np

from evenkeel.assignors.diagnosis.case import SMALL_LAG, Case
from evenkeel.assignors.diagnosis.finding import Certainty, Code, Finding, Settles, Severity
from evenkeel.assignors.group import UNKNOWN

CODE = Code.ONE_PARTITION

EXPLAIN = {
    Code.STALLED,
    Code.STUCK,
    Code.REWOUND,
    Code.SILENT_MEMBER,
    Code.SLOW_MEMBER,
    Code.HOT_PARTITION,
}
"""Causes that already explain why a single partition has lag."""

_MOST = 3


def find(case: Case) -> Finding | None:
    """Return the finding. From one reading, it is not clear whether the partition is stuck or
    hot.
    """
    if not is_asked(case):
        return None
    tps = outstanding(case)
    if not tps.size:
        return None
    return of_partitions(case, CODE, tps, **_rates(case, tps))


def _rates(case: Case, tps: np.ndarray) -> dict[str, float]:
    """Return the records/s that arrive in the partitions and the records/s that are read. If the
    lag of each partition falls, also return the seconds until all lag is drained.
    """
    rates = case.rates(tps)
    if not rates:
        return {}
    falls = case.flow.reads[tps] - case.flow.arrives[tps]
    if (falls <= 0).any():
        return rates
    return rates | {"drain_seconds": math.ceil((case.known[tps] / falls).max())}


def is_asked(case: Case) -> bool:
    """Return whether a few partitions may be the cause. Not so if a member already explains the
    lag, or if two readings show that more than half of the members are late.
    """
    if not case.is_open or EXPLAIN & case.primary:
        return False
    return case.is_one_reading or case.are_few_late


def of_partitions(case: Case, code: Code, tps: np.ndarray, **more: float) -> Finding:
    """Return a finding about partitions. `tps`: the partition with the largest lag first. `more`:
    further figures.
    """
    worst = int(tps[0])
    committed = int(case.group.committed_offset[worst])
    lag = int(case.known[tps].sum())
    owners = list(dict.fromkeys(case.owners[tps].tolist()))
    count = np.bincount(case.held_owner, minlength=case.member_count)
    is_all_of_owner = tps.size == 1 and count[case.owners[worst]] == 1
    figures = {
        "lag": lag,
        "of": case.base,
        "next": _next(case, tps),
        "committed": None if committed == UNKNOWN else committed,
    }
    return Finding(
        code,
        Severity.WARNING,
        members=tuple(owners),
        tps=tuple(tps.tolist()),
        lag=lag,
        figures=figures | more,
        certainty=Certainty.LIKELY,
        settles=Settles.LATER_READING,
        detail={"is_only": case.held.size == 1, "readings": case.reading_count},
        assumed=("the owner reads",) if is_all_of_owner else (),
    )


def outstanding(case: Case) -> np.ndarray:
    """Return up to three partitions (int64, largest lag first) that have most of the lag, and far
    more than other partitions. Empty if there are no such partitions.
    """
    lag = case.held_lag_now
    first = np.argsort(-lag, kind="stable")[:_MOST]
    for count in range(min(_MOST, first.size), 0, -1):
        tps = case.held[first[:count]]
        if (count == 1 or 3 * count <= case.member_count) and _stand_out(case, tps):
            return tps
    return case.held[:0]


def _others(case: Case, tps: np.ndarray) -> np.ndarray:
    """Return the held partitions that are not in `tps`, int64."""
    is_other = np.ones(case.group.tp_count, dtype=bool)
    is_other[tps] = False
    return case.held[is_other[case.held]]


def _stand_out(case: Case, tps: np.ndarray) -> bool:
    lag = case.lag_now
    least, most = int(lag[tps].min()), int(lag[tps].max())
    if least < SMALL_LAG or least < most / 10 or 2 * int(lag[tps].sum()) < case.held_lag:
        return False
    others = _others(case, tps)
    for tp in tps.tolist():
        of_topic = others[case.group.tp_topic[others] == case.group.tp_topic[tp]]
        of_owner = others[case.owners[others] == case.owners[tp]]
        limit = int(lag[tp]) / 10
        if max(lag[of_topic].max(initial=0), lag[of_owner].max(initial=0)) > limit:
            return False
    return True


def _next(case: Case, tps: np.ndarray) -> int:
    """Return the largest lag of other partitions in the topic of `tps[0]`."""
    others = _others(case, tps)
    of_topic = others[case.group.tp_topic[others] == case.group.tp_topic[tps[0]]]
    return int(case.lag_now[of_topic].max(initial=0))
