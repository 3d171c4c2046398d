"""The condition of `--fail-if`: one figure of a comparison against a number."""

import argparse
import math
import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Self

from evenkeel.assignors.compare.figure import FIGURES
from evenkeel.data.scenarios.run.application_step import TASK_FIGURES

OPERATORS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
ADVICE = ("advice.gain", "advice.moved", "advice.paused", "advice.rounds")
"""Figures of a group: the gain of the advised assignor, as a part of 1, and its price."""

_CONDITION = re.compile(r"\s*([^\s<>=!]+)\s*(<=|>=|==|!=|<|>)\s*(\S+)\s*")


@dataclass(frozen=True)
class Condition:
    """FIGURE OPERATOR NUMBER; the number as it was written."""

    figure: str
    operator: str
    number: str

    @classmethod
    def parse(
        cls, text: str, figures: Sequence[str] = (), example: str = "max_lag_share > 1.3"
    ) -> Self:
        """Read a condition such as `max_lag_share > 1.3`; `figures`: figures other than a
        comparison's, with an example.

        Raises
        ------
        argparse.ArgumentTypeError
            If it is none: names the fault.
        """
        match = _CONDITION.fullmatch(text)
        if not match:
            raise refused(text, f"FIGURE < <= > >= == != NUMBER, such as {example}")
        figures = figures or (*FIGURES, *TASK_FIGURES, *ADVICE)
        if match[1] not in figures:
            raise no_word(text, match[1], figures)
        if not is_number(match[3]):
            raise refused(text, f'a number in place of "{match[3]}"')
        return cls(match[1], match[2], match[3])

    def holds(self, low: float, high: float) -> bool | None:
        """Return whether the condition holds for a figure between two bounds; None if only part of
        the interval meets it.
        """
        number = float(self.number)
        ends = {OPERATORS[self.operator](end, number) for end in (low, high)}
        # Both ends may differ from the number while a value between them equals it.
        skips = self.operator in ("==", "!=") and low < number < high
        return None if skips or len(ends) > 1 else ends.pop()

    def __str__(self) -> str:
        return f"{self.figure} {self.operator} {self.number}"


def refused(text: str, expected: str) -> argparse.ArgumentTypeError:
    """Return the error of a condition."""
    return argparse.ArgumentTypeError(f"found {text!r}, expected {expected}")


def no_word(
    text: str, word: str, known: Sequence[str], quotes: str = ""
) -> argparse.ArgumentTypeError:
    """Return the error of an unknown word in a condition, with the nearest known word; `quotes`:
    around the word.
    """
    near = nearest(word, known)
    hint = f": did you mean {near}?" if near else ""
    return refused(text, f"one of {', '.join(known)} in place of {quotes}{word}{quotes}{hint}")


def nearest(word: str, known: Sequence[str]) -> str | None:
    """Return the known word that was probably meant, in whatever case it was written."""
    in_lower_case = {each.lower(): each for each in known}
    near = get_close_matches(word.lower(), in_lower_case, 1)
    return in_lower_case[near[0]] if near else None


def is_number(text: str) -> bool:
    """Return whether a text is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
