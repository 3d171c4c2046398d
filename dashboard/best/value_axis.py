"""Axis of values: ticks at round numbers, or at round times."""

from math import ceil, floor, log10

from evenkeel.dashboard.parts.labels import ticks
from evenkeel.data.text.formats import compact, duration

# Axes of values: records, records per second, or time.


_EQUAL, _FINE = 8, 100
"""Steps of a logarithmic axis: equal up to eight times its lowest value; 1, 2 and 5 up to a hundred
times; powers of ten above.
"""

_SECONDS = (
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1800,
    3600,
    7200,
    14400,
    28800,
    43200,
    86400,
    172800,
    432000,
    864000,
)


def axis(
    objective: str, low: float, high: float, is_log: bool = False
) -> tuple[list[float], list[str]]:
    """Return round values of an axis between `low` and `high`, and their texts."""
    if objective == "drain":
        last = _SECONDS[-1]
        longer = last * ceil((high - low) / (6 * last))
        step = next((seconds for seconds in _SECONDS if (high - low) / seconds <= 6), longer)
        values: list[float] = (
            [float(seconds) for seconds in _SECONDS if low <= seconds <= high]
            if is_log
            else [step * at for at in range(ceil(low / step), floor(high / step) + 1)]
        )
        return values, [duration(value) for value in values]
    if not is_log:
        return ticks(high, low, whole=False)
    if high < _EQUAL * low:
        return ticks(high, low, whole=False)
    steps = (1, 2, 5) if high < _FINE * low else (1,)
    values = [
        step * 10.0**power
        for power in range(floor(log10(low)), ceil(log10(high)) + 1)
        for step in steps
    ]
    values = [value for value in values if low <= value <= high]
    return values, [compact(value).replace(".0", "") for value in values]
