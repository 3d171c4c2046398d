"""A request for the best assignment: objective, limits and rates. Bad requests are refused.

Rates and capacities in this module are integers: thousandths of a record a second.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from evenkeel.assignors.best.objective import OBJECTIVES, THOUSAND

RACKS = ("ignore", "require")
UNKNOWN_RATE = -1


class RequestError(ValueError):
    """The request is refused. The message names the key, the value found and the expected value."""


class Infeasible(ValueError):
    """No assignment keeps the limits. The message names the smallest change that helps.

    `limit`: the key of the request that must change. `needed`: the smallest value of this key that
    helps; None if no value helps.
    """

    def __init__(self, message: str, limit: str = "", needed: int | None = None):
        super().__init__(message)
        self.limit, self.needed = limit, needed


@dataclass(frozen=True, eq=False)
class Rates:
    """How fast records arrive in partitions, and how fast members can read, in thousandths of a
    record a second.

    Parameters
    ----------
    arriving : int64 (P,)
        `UNKNOWN_RATE` if unknown.
    capacity : int64 (M,) or None
        The highest rate at which each member can read, above 0.
    assumed : tuple of str
        Ids of members with assumed capacity.
    """

    arriving: np.ndarray
    capacity: np.ndarray | None = None
    assumed: tuple[str, ...] = ()


def thousandths(per_second: np.ndarray) -> np.ndarray:
    """Convert records a second, float64 (N,), to whole thousandths. If the decimal text ends in
    exactly half a thousandth, round to even. NaN becomes `UNKNOWN_RATE`.
    """
    known = ~np.isnan(per_second)
    times = np.where(known, per_second, 0) * THOUSAND
    rounded = np.rint(times).astype(np.int64)
    # In floats, the product may end in exactly one half although the decimal text does not.
    for place in np.flatnonzero(np.abs(np.abs(times - np.floor(times)) - 0.5) < 1e-3).tolist():
        rounded[place] = round(Decimal(repr(float(per_second[place]))) * THOUSAND)
    return np.where(known, rounded, UNKNOWN_RATE)


@dataclass(frozen=True, eq=False)
class Request:
    """A request: objective, rates and limits.

    Parameters
    ----------
    objective : str
        One of `OBJECTIVES`: the number to minimise for the worst member.
    rates : Rates or None
        The objective `rate` needs arrival rates; `drain` also needs capacities.
    moves : int or None
        The most partitions that may leave their home.
    partitions_per_member : int or None
        The most partitions that each member may own. Untouched members have no limit.
    untouched : tuple of str
        Ids of members that neither give nor get partitions.
    pinned : mapping of topic names to partition numbers
        Partitions that stay at home.
    racks : str
        `require`: only a member in the rack of a replica may own the partition. If no member is in
        such a rack, any member may.
    tolerance : float
        All values up to bound * (1 + tolerance) count as equally good.
    time_limit_s : float or None
        The search ends after this time. If it ends earlier by itself, the result does not depend on
        the limit.
    """

    objective: str = "lag"
    rates: Rates | None = None
    moves: int | None = None
    partitions_per_member: int | None = None
    untouched: Sequence[str] = ()
    pinned: Mapping[str, Sequence[int]] = field(default_factory=dict)
    racks: str = "ignore"
    tolerance: float = 0.001
    time_limit_s: float | None = None

    def __post_init__(self):
        expect(
            self.objective in OBJECTIVES,
            "objective",
            self.objective,
            f"one of {', '.join(OBJECTIVES)}",
        )
        expect(self.racks in RACKS, "racks", self.racks, f"one of {', '.join(RACKS)}")
        expect(self.moves is None or self.moves >= 0, "moves", self.moves, "0 or more")
        expect(
            self.partitions_per_member is None or self.partitions_per_member >= 0,
            "partitions_per_member",
            self.partitions_per_member,
            "0 or more",
        )
        expect(0 <= self.tolerance < math.inf, "tolerance", self.tolerance, "0 or more")
        expect(
            self.time_limit_s is None or self.time_limit_s > 0,
            "time_limit_s",
            self.time_limit_s,
            "more than 0",
        )


def expect(holds: bool, key: str, value: object, expected: str) -> None:
    """Raise RequestError for a key if `holds` is False."""
    if not holds:
        raise RequestError(f"{key}: found {value}, expected {expected}")
