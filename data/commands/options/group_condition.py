"""The condition of `--fail-if` of a history: one figure of a group against a number, or its verdict against a name."""

import argparse
import math
import re
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from evenkeel.assignors.history.verdicts import VERDICTS
from evenkeel.data.commands.options.fail_if import OPERATORS, Condition, is_number
from evenkeel.data.words.formats import counted
from evenkeel.data.words.verdicts import WORDS

AGE = "age_seconds"
FIGURES = ("verdict", "lag", "lag_seconds", "drain_seconds", "members", "unknown_partitions", AGE)

_CONDITION = re.compile(r"""\s*([^\s<>=!"']+)\s*(<=|>=|==|!=|<|>)\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))\s*""")


class GroupFigures(NamedTuple):
    """What a condition is about. `low`, `high`: between what each figure lies; `why`: what is not known of the group."""

    group_id: str
    verdict: str | None
    since: str
    low: dict[str, float]
    high: dict[str, float]
    why: str


class GroupCondition(Condition):
    """FIGURE OPERATOR VALUE of a group's history; a verdict is named, in quotation marks or without."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a condition such as `verdict == "STOP"`.

        Raises
        ------
        argparse.ArgumentTypeError
            When it is none: names what is wrong in it.
        """
        found = _CONDITION.fullmatch(text)
        if not found:
            raise _error(text, 'FIGURE < <= > >= == != VALUE, such as verdict == "STOP" or lag_seconds > 300')
        figure, sign, quoted, word = found[1], found[2], found[3] if found[3] is not None else found[4], found[5]
        if figure not in FIGURES:
            raise _error(text, f"one of {', '.join(FIGURES)} in place of {figure}")
        value = word if quoted is None else quoted
        if figure == "verdict" and value not in VERDICTS:
            raise _error(text, f'one of {", ".join(VERDICTS)} in place of "{value}"')
        if figure != "verdict" and (quoted is not None or not is_number(value)):
            raise _error(text, f'a number in place of "{value}"')
        return cls(figure, sign, value)

    def holds_for(self, group: GroupFigures) -> bool | None:
        """Tell whether it is so of a group; None where that depends on what is unknown."""
        if self.figure != "verdict":
            return self.holds(group.low[self.figure], group.high[self.figure])
        return None if group.verdict is None else OPERATORS[self.operator](VERDICTS.index(group.verdict), VERDICTS.index(self.number))

    def reason(self, group: GroupFigures) -> str:
        """Return the figure that it is about."""
        if self.figure == "verdict":
            return f"{group.verdict} since {group.since}, {WORDS[group.verdict].reason}"
        low, high = group.low[self.figure], group.high[self.figure]
        if low == math.inf:
            return f"{self.figure} is endless"
        return f"{self.figure} is {'' if low == high else 'at least '}{_rounded(low)}"

    def unknown(self, group: GroupFigures) -> str:
        """Return why it cannot be judged."""
        return f"{self} cannot be judged for {group.group_id}: {group.why or f'{self.figure} is unknown'}"


def figures_of(row: dict[str, Any]) -> GroupFigures:
    """Return the figures of a row of GROUP_VERDICT that has its age."""
    unknown, count = row["unknown_lag_count"], row["partition_count"]
    drain = math.inf if row["drain_is_never"] else row["drain_seconds"]
    low = {
        "lag": row["lag"] or 0,
        "lag_seconds": row["lag_seconds"] or 0.0,
        "drain_seconds": drain or 0.0,
        "members": row["member_count"],
        "unknown_partitions": unknown,
        AGE: row[AGE],
    }
    high = dict(low)
    if unknown or not count:
        high |= {"lag": math.inf, "drain_seconds": math.inf}
    if row["unknown_seconds_count"] or not count:
        high["lag_seconds"] = math.inf
    if drain is None:
        high["drain_seconds"] = math.inf
    is_unobserved = row["unobserved_count"] == count
    # Verdicts need observations: without any, OK would be a guess.
    verdict, since = None if is_unobserved else row["lasting_verdict"], f"{row['verdict_since']:%Y-%m-%dT%H:%M:%SZ}"
    return GroupFigures(row["group_id"], verdict, f"{since} or longer" if row["verdict_is_older"] else since, low, high, _why(row))


def judged_when_old(conditions: Iterable[GroupCondition]) -> list[GroupCondition]:
    """Return those about the age of the last snapshot, which is known however old it is."""
    return [condition for condition in conditions if condition.figure == AGE]


def _rounded(number: float) -> str:
    """`1,380`, `527.6`."""
    return f"{round(number, 1):,}".removesuffix(".0")


def _why(row: dict[str, Any]) -> str:
    count, unknown, seconds = row["partition_count"], row["unknown_lag_count"], row["unknown_seconds_count"]
    if not count:
        return "its last snapshot names no partition"
    if unknown:
        return f"the lag of {unknown:,} of {counted(count, 'partition')} is unknown"
    return f"the time lag of {seconds:,} of {counted(count, 'partition')} is unknown, their end offsets did not move" if seconds else ""


def _error(text: str, expected: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"found {text!r}, expected {expected}")
