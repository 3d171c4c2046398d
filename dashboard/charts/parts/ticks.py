"""Values and texts of an axis; d3 cannot write `50 k`."""

from math import ceil, floor, log10

from evenkeel.data.words.formats import compact

_STEPS = (1, 2, 2.5, 5, 10)


def ticks(high: float, low: float = 0, most: int = 5, whole: bool = True) -> tuple[list[float], list[str]]:
    """Return about `most` round values between `low` and `high` at the most, and their texts.

    `whole`: steps are whole numbers, because half a partition means nothing.
    """
    span = high - low
    if span <= 0:
        return [low], [_text(low, 1)]
    power = 10.0 ** floor(log10(span / most))
    step = next((power * step for step in _STEPS if span / (power * step) <= most and (not whole or (power * step).is_integer())), 1.0)
    # 1e-9: in floats 0.3 / 0.1 is below 3.
    values = [index * step for index in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]
    return values, [_text(value, step) for value in values]


def _text(value: float, step: float) -> str:
    if step < 1:
        return f"{value:.{len(f'{step:.6f}'.rstrip('0')) - 2}f}"
    return compact(value).replace(".0", "")
