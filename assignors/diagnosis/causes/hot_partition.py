"""Hot partition: two readings show that far more records arrive in a partition than in other
partitions of the topic. The partition must also have most of the lag (`outstanding` in
`one_partition.py`).
"""

import numpy as np

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.causes.one_partition import is_asked, of_partitions, outstanding
from evenkeel.assignors.diagnosis.finding import Code, Finding
from evenkeel.assignors.group import UNKNOWN

CODE = Code.HOT_PARTITION

_HOT = 3
"""A partition is hot if it receives at least this many times the usual records."""


def find(case: Case) -> Finding | None:
    """Return the finding if each outstanding partition receives at least three times as many
    records as usual.
    """
    if case.is_one_reading or not is_asked(case):
        return None
    tps = outstanding(case)
    if not tps.size:
        return None
    arrived = np.where(case.before.end != UNKNOWN, case.group.end_offset - case.before.end, 0)
    usual = [_usual_intake(case, arrived, tp, tps) for tp in tps.tolist()]
    if any(int(arrived[tp]) < _HOT * each for tp, each in zip(tps.tolist(), usual, strict=True)):
        return None
    if not arrived[tps].any():
        return None
    more = {
        "arrived": int(arrived[tps].sum()),
        "others_arrived": int(usual[0]),
        "seconds": int(case.before.seconds),
    }
    return of_partitions(case, CODE, tps, **more)


def _usual_intake(case: Case, arrived: np.ndarray, tp: int, tps: np.ndarray) -> float:
    """Return the usual number of arrived records: the median of the other partitions of the topic.
    If there are fewer than three, the median of the other partitions of the group.
    """
    others = case.held[~np.isin(case.held, tps)]
    of_topic = others[case.group.tp_topic[others] == case.group.tp_topic[tp]]
    compared = of_topic if of_topic.size >= 3 else others
    return float(np.median(arrived[compared])) if compared.size else 0.0
