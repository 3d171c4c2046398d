"""The condition of `--fail-if`: one figure of a comparison, or of a history, against a value."""

import argparse
import math
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from assignors.group.lag import total_lag
from assignors.history.changes.verdicts import VERDICTS
from assignors.history.now import Now
from assignors.history.speed.time_lag import UNKNOWN_SECONDS
from data.commands.printing.figures import FIGURES
from data.scenarios.applications.task_figures import TASK_FIGURES

if TYPE_CHECKING:
    from data.scenarios.drains import GroupDrain

_OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
_FIGURES = tuple(dict.fromkeys((*FIGURES, *TASK_FIGURES)))
_CONDITION = re.compile(r"\s*([a-z_]+)\s*(<=|>=|==|!=|<|>)\s*(\S+)\s*")


@dataclass(frozen=True)
class Condition:
    """FIGURE OPERATOR NUMBER; the number as it was written."""

    figure: str
    operator: str
    number: str

    @classmethod
    def parse(cls, text: str) -> "Condition":
        """Read a condition such as `max_lag_share > 1.3`.

        Raises
        ------
        argparse.ArgumentTypeError
            When it is none.
        """
        found = _CONDITION.fullmatch(text)
        if not found or found[1] not in _FIGURES or not _is_number(found[3]):
            raise argparse.ArgumentTypeError(f'found "{text}", expected FIGURE < <= > >= == != NUMBER with one of {", ".join(_FIGURES)}')
        return cls(found[1], found[2], found[3])

    def holds(self, low: float, high: float) -> bool | None:
        """Tell whether it is so of a figure that lies between two bounds; None where only some of what lies there meets it."""
        number = float(self.number)
        ends = {_OPERATORS[self.operator](end, number) for end in (low, high)}
        # Both ends may differ from the number while a value between them equals it.
        skips = self.operator in ("==", "!=") and low < number < high
        return None if skips or len(ends) > 1 else ends.pop()

    def __str__(self) -> str:
        return f"{self.figure} {self.operator} {self.number}"


class GroupCondition(Condition):
    """FIGURE OPERATOR VALUE of a group's history; a verdict is named, in quotation marks or without."""

    FIGURES: ClassVar = ("verdict", "lag", "lag_seconds", "drain_seconds")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a condition such as `verdict == "STOP"`.

        Raises
        ------
        argparse.ArgumentTypeError
            When it is none.
        """
        found = _CONDITION.fullmatch(text)
        value = found[3].strip("\"'") if found else ""
        if not found or found[1] not in cls.FIGURES or not (value in VERDICTS if found[1] == "verdict" else _is_number(value)):
            expected = f"verdict == one of {', '.join(VERDICTS)}, or {', '.join(cls.FIGURES[1:])} < <= > >= == != NUMBER"
            raise argparse.ArgumentTypeError(f'found "{text}", expected {expected}')
        return cls(found[1], found[2], value)

    def holds_for(self, now: Now, drains: "Mapping[str, GroupDrain]") -> bool | None:
        """Tell whether it is so of a group; None where that depends on what is unknown."""
        low, high = self._within(now, drains)
        if self.figure == "verdict":
            return _OPERATORS[self.operator](low, VERDICTS.index(self.number))
        return None if math.isnan(low) else self.holds(low, high)

    def _within(self, now: Now, drains: "Mapping[str, GroupDrain]") -> tuple[float, float]:
        """Return between what the figure lies, NaN where nothing of it is known."""
        if self.figure == "verdict":
            return now.group_verdict, now.group_verdict
        if self.figure == "drain_seconds":
            low, middle, _ = map(float, drains["current"].band) if "current" in drains else (math.nan,) * 3
            # Where lags are unknown, the band has its low end alone.
            known = low if math.isnan(middle) else middle
            return known, (math.inf if now.unknown_count() else known)
        if self.figure == "lag":
            lag = total_lag(now.lag)
            return (math.nan if lag is None else lag), (math.inf if now.unknown_count() else lag)
        unknown = (now.seconds == UNKNOWN_SECONDS).any()
        known = max(now.worst_seconds, 0.0)
        return known, (math.inf if unknown else known)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
