"""The condition of `--fail-if`: a comparison of a figure with a number or a word."""

import argparse
import math
import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Self

from evenkeel.assignors.compare.figure import FIGURES
from evenkeel.data.scenarios.run.application_step import TASK_FIGURES

_OPERATORS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
ADVICE = ("advice.gain", "advice.moved", "advice.paused", "advice.rounds")
"""Figures of the advice. `advice.gain` is a fraction; the other figures are the price."""

_CONDITION = re.compile(
    r"""\s*([^\s<>=!"']+)\s*(<=|>=|==|!=|<|>)\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))\s*"""
)


@dataclass(frozen=True)
class Condition:
    """A figure, an operator and a value, each as text.

    `words`: possible values of the figure in ascending order, if these values are words; empty if
    the value is a number.
    """

    figure: str
    operator: str
    value: str
    words: tuple[str, ...] = ()

    @classmethod
    def parse(
        cls,
        text: str,
        figures: Sequence[str] = (),
        example: str = "max_lag_share > 1.3",
        words: Mapping[str, Sequence[str]] = {},
    ) -> Self:
        """Read a condition such as `max_lag_share > 1.3`.

        `figures`: allowed figures; if empty: figures of `compare`. `example`: a valid condition.
        `words`: for each figure whose values are words, these words in ascending order.

        Raises
        ------
        argparse.ArgumentTypeError
            If the text is not a condition.
        """
        match = _CONDITION.fullmatch(text)
        if not match:
            value = "VALUE" if words else "NUMBER"
            raise refused(text, f"FIGURE < <= > >= == != {value}, such as {example}")
        figure, sign, *texts = match.groups()
        value = next(each for each in texts if each is not None)
        figures = figures or (*FIGURES, *TASK_FIGURES, *ADVICE)
        if figure not in figures:
            raise no_word(text, figure, figures)
        known = tuple(words.get(figure, ()))
        if known and value not in known:
            raise no_word(text, value, known, '"')
        if not known and not is_number(value):
            raise refused(text, f'a number in place of "{value}"')
        if not known and texts[2] is None:
            raise refused(text, f"the number without quotes: {figure} {sign} {value}")
        return cls(figure, sign, value, known)

    def holds(self, low: float, high: float) -> bool | None:
        """Return whether the condition holds for a figure between `low` and `high`. None if
        the condition holds for some values between `low` and `high`, but not for all.

        If the figure's values are words, `low` and `high` are positions in `words`, from 0.
        """
        number = float(self.words.index(self.value) if self.words else self.value)
        ends = {_OPERATORS[self.operator](end, number) for end in (low, high)}
        # A value between `low` and `high` may equal the number, even if `low` and `high` do not.
        skips = self.operator in ("==", "!=") and low < number < high
        return None if skips or len(ends) > 1 else ends.pop()

    def __str__(self) -> str:
        return f"{self.figure} {self.operator} {self.value}"


def refused(text: str, expected: str) -> argparse.ArgumentTypeError:
    """Return the error for a text that is not a condition."""
    return argparse.ArgumentTypeError(f"found {text!r}, expected {expected}")


def no_word(
    text: str, word: str, known: Sequence[str], quotes: str = ""
) -> argparse.ArgumentTypeError:
    """Return the error for an unknown word. The message suggests the most similar known word."""
    near = nearest(word, known)
    hint = f": did you mean {near}?" if near else ""
    return refused(text, f"one of {', '.join(known)} in place of {quotes}{word}{quotes}{hint}")


def nearest(word: str, known: Sequence[str]) -> str | None:
    """Return the most similar known word, if any. Upper and lower case are the same."""
    in_lower_case = {each.lower(): each for each in known}
    near = get_close_matches(word.lower(), in_lower_case, 1)
    return in_lower_case[near[0]] if near else None


def is_number(text: str) -> bool:
    """Return whether a text is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
