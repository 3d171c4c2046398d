"""Conditions on diagnoses for `--fail-if`: the severity of a group, or the number of its findings
by severity or code.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from evenkeel.assignors.diagnosis.finding import Class, Code, Severity
from evenkeel.data.commands.options.fail_if import Condition, is_number, nearest, refused
from evenkeel.data.diagnosis.answer import Answer

SEVERITY = "severity"
_WORDS = {severity.word: severity for severity in Severity}
FIGURES = (SEVERITY, *reversed(_WORDS), *(code.value for code in Code))

_CONDITION = re.compile(r"\s*([^\s<>=!]+)\s*(<=|>=|==|!=|<|>)\s*\"?([^\s\"]+)\"?\s*")


@dataclass(frozen=True)
class GroupCondition:
    """FIGURE OPERATOR VALUE; the value of `severity` is a word, any other one a number."""

    figure: str
    operator: str
    value: str

    @classmethod
    def parse(cls, text: str, figures: Sequence[str] = FIGURES) -> Self:
        """Read a condition such as `severity >= warning` or `down > 0` on one of these figures;
        argparse.ArgumentTypeError names the fault.
        """
        parts = _CONDITION.fullmatch(text)
        if not parts:
            raise refused(
                text, "FIGURE < <= > >= == != VALUE, such as severity >= warning or down > 0"
            )
        figure, sign, value = parts.groups()
        if figure not in figures:
            raise refused(text, f"{_nearest(figure, figures)} in place of {figure}")
        if figure == SEVERITY and value not in _WORDS:
            raise refused(text, f'{_nearest(value, tuple(_WORDS))} in place of "{value}"')
        if figure != SEVERITY and not is_number(value):
            raise refused(text, f'a number in place of "{value}"')
        return cls(figure, sign, value)

    def holds(self, answer: Answer) -> bool | None:
        """Return whether it holds for a group; None if its unknown lag or owners could change the
        answer.
        """
        primary = [finding for finding, is_primary in answer.diagnosis.pairs if is_primary]
        return self.holds_for(
            [finding.severity for finding in primary],
            [finding.code for finding in answer.diagnosis.findings],
            answer.group_class == Class.UNKNOWN,
        )

    def holds_for(
        self, severities: Sequence[Severity], codes: Sequence[Code], is_unknown: bool
    ) -> bool | None:
        """Return whether it holds for findings of these severities and codes; `is_unknown`: unknown
        values may hide others.
        """
        is_open = is_unknown and self.figure != Code.UNKNOWN
        if self.figure == SEVERITY:
            low = float(max(severities, default=Severity.OK))
            high = float(Severity.CRITICAL) if is_open else low
        else:
            is_word = self.figure in _WORDS
            names = [each.word for each in severities] if is_word else codes
            low = float(sum(name == self.figure for name in names))
            high = math.inf if is_open else low
        value = str(int(_WORDS[self.value])) if self.figure == SEVERITY else self.value
        return Condition(self.figure, self.operator, value).holds(low, high)

    def __str__(self) -> str:
        return f"{self.figure} {self.operator} {self.value}"


def judged(
    condition: GroupCondition, answers: Sequence[Answer]
) -> tuple[list[Answer], list[Answer]]:
    """Return the groups for which a condition holds, and those for which it cannot be judged."""
    verdicts = [condition.holds(answer) for answer in answers]
    pairs = list(zip(answers, verdicts, strict=True))
    return [one for one, holds in pairs if holds], [one for one, holds in pairs if holds is None]


def _nearest(word: str, known: Sequence[str]) -> str:
    """Return the known word that was probably meant, else all of them."""
    return nearest(word, known) or f"one of {', '.join(known)}"
