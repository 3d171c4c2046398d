"""Objectives: what is minimised for the worst member, and all code that depends on the objective.

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
"""A value may also be `NEVER`."""

_NEVER_SCORE = 1e30


class Lag:
    """The objective `lag`: a member's value is the lag of its partitions in records.

    `is_sum`: whether the value is a sum over the partitions. `by_capacity`: whether the sum is
    divided by the member's capacity. `grain`: values that differ by less than `grain` are equally
    good.
    """

    name = "lag"
    is_sum = True
    by_capacity = False
    reads_lag, reads_rate = True, False
    grain = 0

    def value(self, lag: int, rate: int, capacity: int) -> Value:
        """Return the value of a member with this total lag and rate."""
        return Fraction(lag)

    def mean(self, lag: int, rate: int, capacity: int, count: int, equal: int | None) -> Value:
        """Return a value that at least one of `count` members must reach.

        `capacity`: the sum of the members' capacities. `equal`: the capacity of one member if all
        capacities are equal, else None.
        """
        return Fraction(-(-lag // count))

    def above(self, lag: int, rate: int, capacity: int) -> Value:
        """Return an upper limit for the search: the value if the slowest member owned all
        partitions.
        """
        return Fraction(lag)

    def compared(self, best: Fraction, lag: int, rate: int, capacity: int) -> tuple[int, int]:
        """Return two integers that compare as the member's value and `best` do: the first is less,
        equal or greater if the value is.
        """
        return lag * best.denominator, best.numerator

    def factors(self, value: Fraction) -> tuple[int, int, int]:
        """Return integer factors (a, b, c) for lag, rate and capacity. Below `value`, a member has
        the room capacity * c - lag * a - rate * b.

        If c is 0, the numerator of `value` replaces capacity * c.
        """
        return value.denominator, 0, 0

    def weight(self, lag: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Return the numbers that the objective sums: lag or rate."""
        return lag

    def work(self, lag: np.ndarray, rate: np.ndarray, seconds: float) -> np.ndarray:
        """Return the size of each partition, float64. The search balances sizes between members.
        For drain, a size includes the records that arrive within `seconds`.
        """
        return self.weight(lag, rate)

    def score(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray | None) -> np.ndarray:
        """Return a score of each member: the larger the value, the larger the score. `capacity`:
        None if `Problem.is_linear`.
        """
        return lag

    def rough(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        """Return a rounded value for each partition: the value of a member that owns only this
        partition.
        """
        return lag

    def rank(self, lag: np.ndarray, rate: np.ndarray, capacity: np.ndarray) -> np.ndarray:
        """Return the numbers, float64, by which partitions are sorted before they are placed,
        largest first.
        """
        return lag.astype(float) + rate * 1e-3


class Rate(Lag):
    """The objective `rate`: a member's value is its incoming records, divided by its capacity."""

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
    """The objective `drain`: a member's value is the seconds until it has read its lag and all
    records that arrive meanwhile.
    """

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
