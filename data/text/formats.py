"""Numbers as texts for people. An unknown number (None or NaN) is `–`, never 0."""

from collections.abc import Iterable, Sequence
from math import ceil, isinf, isnan

UNKNOWN = "–"
NARROW = "\u202f"
MINUS = "\u2212"

_UNITS = ((86400, "d"), (3600, "h"), (60, "m"))
_NEAR = 1e-6
_EXACT = 10_000
_SIZES = ((10**9, "G"), (10**6, "M"), (10**3, "k"))


def exact(number: float | None) -> str:
    """`120,455`: for hovers and long tables."""
    return UNKNOWN if number is None or isnan(number) else f"{round(number):,}".replace("-", MINUS)


def compact(value: float | None) -> str:
    """`548`, `9,999`, `12.4 k`, `218 k`, `1.30 M`: like `number`, but with a narrow space. A
    fraction below 100 has one decimal place.
    """
    if value is None or isnan(value):
        return UNKNOWN
    if abs(value) >= _EXACT:
        sign = MINUS if value < 0 else ""
        return sign + number(round(abs(value))).replace(" ", NARROW)
    if value == int(value) or abs(value) >= 99.95:
        return exact(value)
    return f"{value:.1f}".replace("-", MINUS)


def number(value: int) -> str:
    """`9,999`, `10.3 k`, `2.21 M`: all digits below 10,000, else three significant digits. Rounded
    half to even.
    """
    if value < _EXACT:
        return f"{value:,}"
    size, letter = next((size, letter) for size, letter in _SIZES if value >= size)
    for decimals in (2, 1, 0):
        scaled = round_half_even(value * 10**decimals, size)
        if scaled < 1000:
            return f"{scaled / 10**decimals:.{decimals}f} {letter}"
    # 999,600 has four digits as thousands.
    above = _SIZES[[each for each, _ in _SIZES].index(size) - 1]
    return f"1.00 {above[1]}" if above[0] > size else f"{round_half_even(value, size):,} {letter}"


def round_half_even(value: int, divisor: int) -> int:
    """Divide and round half to even."""
    quotient, rest = divmod(value, divisor)
    is_up = 2 * rest > divisor or (2 * rest == divisor and quotient % 2 == 1)
    return quotient + is_up


def round_number(number: int) -> str:
    """`10 k`, where `compact` returns `10.0 k`. For settings, which are often round numbers."""
    head, blank, letter = compact(number).partition(NARROW)
    return f"{head.rstrip('0').rstrip('.') if '.' in head else head}{blank}{letter}"


WHERE_PARTIAL = "if the lag of some partitions is unknown"
"""Explains `≥` and `≈` in the help of a column."""


def at_least(text: str, partial: bool) -> str:
    """`≥ 12,400`. `partial`: some numbers of the sum are unknown, so the sum is a lower bound."""
    return f"≥ {text}" if partial and text != UNKNOWN else text


def compact_sum(number: float | None, partial: bool) -> str:
    """`≥ 12.3 k`: like `at_least`, from a number that is shortened by `compact`."""
    return at_least(compact(number), partial)


def about(text: str, partial: bool) -> str:
    """`≈ 1.43`. `partial`: some numbers are unknown, so the ratio is not exact."""
    return f"≈ {text}" if partial and text != UNKNOWN else text


def percent(share: float | None) -> str:
    """`52 %`; `< 1 %` and `> 99 %` if rounding would show 0 % or 100 %."""
    if share is None:
        return UNKNOWN
    if 0 < share < 0.005:
        return f"< 1{NARROW}%"
    if 0.995 <= share < 1:
        return f"> 99{NARROW}%"
    return f"{share:.0%}".replace("%", f"{NARROW}%").replace("-", MINUS)


def percentage(share: float) -> str:
    """`12.5 %`. `share`: from 0 to 1; all its digits are shown."""
    return f"{percent_number(share)}{NARROW}%"


def percent_number(share: float) -> str:
    """`12.5`: like `percentage` without the percent sign."""
    return f"{round(100 * share, 6):.9g}"


def upper_percent(part: float) -> str:
    """`0.4 %`, `8.7 %`, `55 %`: an upper bound, rounded up, at least `0.1 %`."""
    shown = 100 * part
    text = (
        f"{max(ceil(shown * 10 - _NEAR), 1) / 10:.1f}" if shown < 10 else f"{ceil(shown - _NEAR):,}"
    )
    return f"{text.removesuffix('.0')}{NARROW}%"


def change(
    before: int | None,
    after: int | None,
    before_is_least: bool = False,
    after_is_least: bool = False,
) -> str:
    """`−29 %`, `+100 %`, `less than 1 %`, `=`, `from 0`; `–` if the change is unknown.

    If one value is a lower bound, the change is a bound too: `≥ +15 %` or `≤ −29 %`. If both values
    are lower bounds, the result compares the known parts: `≈ −29 %`, or `–` if the known parts are
    equal.
    """
    if (
        before is None
        or after is None
        or (not before and (before_is_least or (after_is_least and not after)))
    ):
        return UNKNOWN
    if not before:
        return "from 0" if after else "="
    grown = 100 * (after - before)
    if before_is_least and after_is_least:
        return f"≈ {_signed_percent(_nearest(grown, before))}" if grown else UNKNOWN
    if after_is_least:
        return f"≥ {_signed_percent(grown // before)}"
    if before_is_least:
        return f"≤ {_signed_percent(-(-grown // before))}"
    return _exact_change(grown, before)


def _exact_change(grown: int, before: int) -> str:
    if not grown:
        return "="
    nearest = _nearest(grown, before)
    if not nearest:
        return f"less than 1{NARROW}%"
    if nearest == -100 and grown > -100 * before:
        return f"< {_signed_percent(-99)}"
    return _signed_percent(nearest)


def _nearest(number: int, divisor: int) -> int:
    """Divide and round half away from zero: −37.5 % and +37.5 % become −38 % and +38 %."""
    nearest = (2 * abs(number) + divisor) // (2 * divisor)
    return nearest if number >= 0 else -nearest


def _signed_percent(number: int) -> str:
    return f"{signed(number)}{NARROW}%"


def signed(number: int) -> str:
    """`+9`, `−9`, `0`."""
    return f"{'+' if number > 0 else ''}{exact(number)}"


def factor(number: float | None, decimals: int = 1) -> str:
    """`6.3×`."""
    return UNKNOWN if number is None else f"{number:.{decimals}f}×"


def ratio(number: float | None) -> str:
    """`6.29`."""
    return UNKNOWN if number is None else f"{number:.2f}"


def count(number: int | None, noun: str) -> str:
    """`1 member`, `2,000 members`, `– members`."""
    return f"{exact(number)} {noun}" + ("" if number == 1 else "s")


def ordinal(number: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    ending = "th" if number // 10 % 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def most_and_fewest(most: int | None, fewest: int | None) -> str:
    """`8 / 3`: the most and the fewest. `–` if both are unknown."""
    return UNKNOWN if most is None else f"{exact(most)} / {exact(fewest)}"


def span(low: float, high: float) -> str:
    """`40–52 s`, `1.5–2.1 h`; `3 m` if both ends round to 3; `> 40 m` if `high` is infinite."""
    end = low if isinf(high) else high
    unit, letter = next(((unit, letter) for unit, letter in _UNITS if end >= 2 * unit), (1, "s"))
    texts = [
        f"{seconds / unit:.1f}" if 0 < seconds < 10 * unit and unit > 1 else f"{seconds / unit:.0f}"
        for seconds in (low, end)
    ]
    first, last = (text.removesuffix(".0") for text in texts)
    if isinf(high):
        return f"> {first}{NARROW}{letter}"
    return f"{last}{NARROW}{letter}" if first == last else f"{first}–{last}{NARROW}{letter}"


# Durations as people read them, in texts and on pages.


def passing(seconds: float) -> str:
    """`1 minute passes`, `10 minutes pass`, `1h 20m pass`."""
    text = duration(seconds)
    number, _, unit = text.partition(" ")
    words = {"s": "second", "m": "minute", "h": "hour", "d": "day"}
    if unit not in words:
        return f"{text} pass"
    return f"1 {words[unit]} passes" if number == "1" else f"{number} {words[unit]}s pass"


def duration(seconds: float) -> str:
    """`8 s`, `3m 12s`, `2h 5m`, `24 h`, `4 d`."""
    whole = int(seconds)
    if whole >= 48 * 3600:
        return f"{whole // 86400:,} d"
    for size, letter, smaller, small_letter in ((3600, "h", 60, "m"), (60, "m", 1, "s")):
        if whole >= size:
            rest = whole % size // smaller
            return (
                f"{whole // size}{letter} {rest}{small_letter}"
                if rest
                else f"{whole // size} {letter}"
            )
    return f"{whole} s"


# Numbers with nouns, and lists in one line: the first names and the number of further names.


def times(number: int) -> str:
    """Return `once`, `twice` or `7 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def counted(number: int, noun: str) -> str:
    """`1 line`, `2,000 lines`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def first_of(texts: Sequence[str], most: int, noun: str = "") -> list[str]:
    """Return the first `most` texts. If there are more, the last text says how many: `and 3
    more`.
    """
    return [*texts[:most], *and_more(len(texts) - most, noun)]


def and_more(number: int, noun: str = "") -> list[str]:
    """`and 3 more`, or `and 3 files more` with a noun. Empty if `number` is 0."""
    rest = counted(number, noun) if noun else f"{number:,}"
    return [f"and {rest} more"] if number > 0 else []


def with_more(text: str, number: int) -> str:
    """`orders-3 and 12 more`; only the text if `number` is 0."""
    return " ".join([text, *and_more(number)])


def listed(names: Iterable[str], most: int = 3) -> str:
    """`a`, `a and b`, `a, b, c and 7 more`. `names` must not be empty."""
    first = first_of(list(names), most)
    if len(first) > most:
        return f"{', '.join(first[:-1])} {first[-1]}"
    return " and ".join([", ".join(first[:-1]), first[-1]]) if len(first) > 1 else first[0]
