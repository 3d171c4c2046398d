"""Queues: which members still get partitions where subscriptions are equal, and in which order."""

from dataclasses import dataclass

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn, stable_order
from evenkeel.assignors.assignment import AssignorError


@dataclass(frozen=True, eq=False)
class Queues:
    """`under` int32: members below the lower quota, by id. `missing` int64: how many partitions each of them lacks.

    `exact` int32: members at the lower quota that may get one more.
    """

    under: np.ndarray
    missing: np.ndarray
    exact: np.ndarray


def takers(queues: Queues, number: int) -> np.ndarray:
    """Return the member for each of `number` partitions, int32.

    First `under` in rounds until no member is below the lower quota; then `exact`, then the others in the order in which they reached it.

    Raises
    ------
    AssignorError
        IllegalStateException where there are more partitions than members may take.
    """
    under, missing = queues.under, queues.missing
    lacking = int(missing.sum())
    rest = number - lacking
    if not 0 <= rest <= queues.exact.size + under.size:
        most = lacking + queues.exact.size + under.size
        raise AssignorError("IllegalStateException", f"{number} partitions are left, expected {lacking} to {most}")
    if not under.size:
        return queues.exact[:number]
    result = np.empty(number, dtype=np.int32)
    if (missing == missing[0]).all():
        deal_in_turn(result[:lacking], under)
        reached = under
    else:
        result[:lacking] = _in_rounds(under, missing)
        reached = under[stable_order(missing)]
    result[lacking:] = np.concatenate((queues.exact, reached))[:rest]
    return result


def _in_rounds(members: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Return each member as often as it lacks a partition: first all members, then those that lack two, and so on."""
    result, whole = np.empty(missing.sum(), dtype=members.dtype), int(missing.min()) * members.size
    deal_in_turn(result[:whole], members)
    missing = missing - missing.min()
    number_of_round = np.arange(missing.sum()) - np.repeat(np.cumsum(missing) - missing, missing)
    result[whole:] = np.repeat(members, missing)[stable_order(number_of_round)]
    return result
