"""Conditions of `--fail-if` on diagnoses: the severity of a group, or counts of its findings."""

import math
from collections.abc import Mapping, Sequence
from typing import Self

from evenkeel.assignors.diagnosis.finding import Class, Code, Severity
from evenkeel.data.commands.options.fail_if import Condition
from evenkeel.data.diagnosis.answer import Answer

SEVERITY = "severity"
_WORDS = {severity.word: severity for severity in Severity}
FIGURES = (SEVERITY, *reversed(_WORDS), *(code.value for code in Code))


class GroupCondition(Condition):
    """A condition FIGURE OPERATOR VALUE about a group.

    The value of `severity` is a word; other values are numbers.
    """

    @classmethod
    def parse(
        cls,
        text: str,
        figures: Sequence[str] = FIGURES,
        example: str = "severity >= warning or down > 0",
        words: Mapping[str, Sequence[str]] = {SEVERITY: tuple(_WORDS)},
    ) -> Self:
        """Read a condition such as `severity >= warning` or `down > 0`.

        Raises
        ------
        argparse.ArgumentTypeError
            If the text is not a condition on these figures.
        """
        return super().parse(text, figures, example, words)

    def holds_of(self, answer: Answer) -> bool | None:
        """Return whether the condition holds for a group.

        None if unknown: the result depends on an unknown lag, unknown owners or unreadable rows.
        """
        primary = [finding for finding, is_primary in answer.diagnosis.pairs if is_primary]
        return self.holds_for(
            [finding.severity for finding in primary],
            [finding.code for finding in answer.diagnosis.findings],
            answer.group_class == Class.UNKNOWN or not answer.case.now.is_whole,
        )

    def holds_for(
        self, severities: Sequence[Severity], codes: Sequence[Code], is_unknown: bool
    ) -> bool | None:
        """Return whether the condition holds for findings; None if unknown.

        `is_unknown`: the group may have more findings.
        """
        is_open = is_unknown and self.figure != Code.UNKNOWN
        if self.figure == SEVERITY:
            low = float(max(severities, default=Severity.OK))
            high = float(Severity.CRITICAL) if is_open else low
        else:
            is_word = self.figure in _WORDS
            names = [each.word for each in severities] if is_word else codes
            is_certain = not is_open or self.figure not in (Severity.OK.word, Code.FINE)
            low = float(is_certain and sum(name == self.figure for name in names))
            high = math.inf if is_open else low
        return self.holds(low, high)


def judged(
    condition: GroupCondition, answers: Sequence[Answer]
) -> tuple[list[Answer], list[Answer]]:
    """Return two lists: groups for which the condition holds, and groups for which it may hold."""
    verdicts = [condition.holds_of(answer) for answer in answers]
    pairs = list(zip(answers, verdicts, strict=True))
    return [answer for answer, holds in pairs if holds], [
        answer for answer, holds in pairs if holds is None
    ]
