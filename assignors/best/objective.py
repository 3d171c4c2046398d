"""Objectives: the worst member's number to minimise, and everything that differs between
objectives.

Rates and capacities are thousandths of a record a second. A value is a Fraction: records for `lag`,
a part of capacity for `rate`, seconds for `drain`. `NEVER` is infinite.
"""

import math
from fractions import Fraction
from typing import cast

import numpy as np

THOUSAND = 1000

NEVER = cast(Fraction, math.inf)
"""A value greater than every other value. It is only used in comparisons."""

Value = Fraction
"""Or `NEVER`."""

_NEVER_SCORE = 1e30


class Lag:
    """A member's lag in records.

    `is_sum`: a member's value is the sum of one number over its partitions. `by_capacity`: this sum
    is divided by the member's capacity. `grain`: values that differ by less count as equal.
    """

    name = "lag"
    is_sum = True
    by_capacity = False
    reads_lag, reads_rate = True, False
    grain = 0

    def value(self, lag: int, rate: int, capacity: int) -> Value:
        """Return the value of a member with these loads."""
        return Fraction(lag)

    def mean(self, lag: int, rate: int, capacity: int, count: int, equal: int | None) -> Value:
        """Return a value that at least one of `count` members has or exceeds.

        `capacity`: their total capacity. `equal`: each member's capacity, if all have the same.
        """
        return Fraction(-(-lag // count))

    def above(self, lag: int, rate: int, capacity: int) -> Value:
        """Return an upper limit of interesting values: all partitions on the slowest member."""
        return Fraction(lag)

    def compared(self, best: Fraction, lag: int, rate: int, capacity: int) -> tuple[int, int]:
        """Return two whole numbers. They compare like a member's value and `best`."""
        return lag * best.denominator, best.numerator

    def factors(self, value: Fraction) -> tuple[int, int, int]:
        """Return the factors of lag, rate and capacity. A member's room below a value is its
        capacity minus its lag and its rate, each times its factor.

        If the factor of capacity is 0, the value's numerator replaces the capacity.
        """
        return value.denominator, 0, 0

    def weight(self, lag: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Return the number that a linear objective sums."""
        return lag

    def work(self, lag: np.ndarray, rate: np.ndarray, seconds: float) -> np.ndarray:
        """Return the sizes of partitions that the search balances between members, float64. For
        drain, the work until a time.
        """
        return self.weight(lag, rate)

    def score(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray | None) -> np.ndarray:
        """Return numbers that grow with the value, float64 if rounded. `capacity`: None if the
        objective is linear and all capacities are equal.
        """
        return lag

    def rough(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        """Return each partition's rounded value if it were its member's only partition."""
        return lag

    def rank(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        """Return sort sizes of partitions, float64. The largest partition is placed first."""
        return lag.astype(float) + rate * 1e-3


class Rate(Lag):
    """The records that arrive at a member, as a part of its capacity."""

    name = "rate"
    by_capacity = True
    reads_lag, reads_rate = False, True

    def value(self, lag: int, rate: int, capacity: int) -> Value:
        return Fraction(rate, capacity)

    def mean(self, lag: int, rate: int, capacity: int, count: int, equal: int | None) -> Value:
        return Fraction(rate, capacity) if equal is None else Fraction(-(-rate // count), equal)

    def above(self, lag: int, rate: int, capacity: int) -> Value:
        return Fraction(rate, capacity)

    def compared(self, best: Fraction, lag: int, rate: int, capacity: int) -> tuple[int, int]:
        return rate * best.denominator, best.numerator * capacity

    def factors(self, value: Fraction) -> tuple[int, int, int]:
        return 0, value.denominator, value.numerator

    def weight(self, lag: np.ndarray, rate: np.ndarray) -> np.ndarray:
        return rate

    def score(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray | None) -> np.ndarray:
        return rate if capacity is None else rate / capacity

    def rough(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        return rate / capacity

    def rank(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        return lag.astype(float) + rate * 1.0


class Drain(Lag):
    """The seconds until a member has read its lag and all records that arrive meanwhile."""

    name = "drain"
    is_sum = False
    reads_rate = True
    grain = 1

    def value(self, lag: int, rate: int, capacity: int) -> Value:
        if lag == 0 and rate <= capacity:
            return Fraction(0)
        return Fraction(THOUSAND * lag, capacity - rate) if capacity > rate else NEVER

    def mean(self, lag: int, rate: int, capacity: int, count: int, equal: int | None) -> Value:
        return self.value(lag, rate, capacity)

    def above(self, lag: int, rate: int, capacity: int) -> Value:
        return Fraction(THOUSAND * lag + 1)

    def compared(self, best: Fraction, lag: int, rate: int, capacity: int) -> tuple[int, int]:
        if lag == 0:
            return (0, best.numerator) if rate <= capacity else (1, 0)
        return THOUSAND * lag * best.denominator, best.numerator * (capacity - rate)

    def factors(self, value: Fraction) -> tuple[int, int, int]:
        return THOUSAND * value.denominator, value.numerator, value.numerator

    def work(self, lag: np.ndarray, rate: np.ndarray, seconds: float) -> np.ndarray:
        return lag * float(THOUSAND) + rate * seconds

    def score(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray | None) -> np.ndarray:
        room = capacity - rate
        with np.errstate(divide="ignore", invalid="ignore"):
            seconds = lag * float(THOUSAND) / np.where(room > 0, room, 1)
        return np.where(
            room > 0,
            seconds,
            np.where((room == 0) & (lag == 0), 0.0, _NEVER_SCORE * (1 - room / capacity)),
        )

    def rough(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        room = capacity - rate
        stuck = np.where((lag > 0) | (room < 0), np.inf, 0)
        return np.where(room > 0, lag / np.maximum(room, 1e-9), stuck)

    def rank(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        return super().rank(lag, rate, capacity) + lag / max(1.0, float(capacity.max(initial=1)))


OBJECTIVES = {each.name: each for each in (Lag(), Rate(), Drain())}
