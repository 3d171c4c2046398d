"""The condition of `--fail-if`: one figure of a comparison against a number."""

import argparse
import math
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FIGURES = (
    "max_partitions",
    "min_partitions",
    "max_lag",
    "mean_lag",
    "total_lag",
    "lag_cv",
    "max_lag_share",
    "idle_members",
    "moved_partitions",
    "moved_lag",
)
"""The figures of one row of a comparison, in the order of `--json`."""

_OPERATORS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
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
        if not found or found[1] not in FIGURES or not _is_number(found[3]):
            raise argparse.ArgumentTypeError(f'found "{text}", expected FIGURE < <= > >= == != NUMBER with one of {", ".join(FIGURES)}')
        return cls(found[1], found[2], found[3])

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Tell whether it is so; what is not known does not hold."""
        return row[self.figure] is not None and _OPERATORS[self.operator](row[self.figure], float(self.number))

    def __str__(self) -> str:
        return f"{self.figure} {self.operator} {self.number}"


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
