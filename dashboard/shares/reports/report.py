"""The contents of a report, and the sentences at its start."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from evenkeel.dashboard.parts.facts import WORST_MEMBER
from evenkeel.dashboard.shell.answer_words import in_words
from evenkeel.dashboard.steps.tables import totals_of
from evenkeel.data.scenarios.run.step_figures import Figures, StepFigures
from evenkeel.data.text.formats import change, compact_sum, count, exact, listed


@dataclass(frozen=True)
class Report:
    """The contents of a report: a scenario, shown at one of its steps.

    Parameters
    ----------
    step : int
        The step that the report shows; 0 is the group as listed.
    names : sequence of str
        Names of the steps, without the group as listed.
    figures : Figures
        Figures by step and assignor. The first step is the group as listed.
    candidate, in_use : str
        Names of assignors; `in_use` is None if unknown.
    settings : sequence of str
        The client and release whose assignors answer, and the least gain for a switch.
    source : str
        Where the group was read, empty if unknown.
    address : str
        Address of the page with the same view.
    sentences : sequence of str
        Diagnosis and advice for the group as listed; for a later step, the gain of a switch.
    known : str
        Which facts of the group are known, in one or two sentences.
    bands : mapping or None
        Contents of the group's Overview, None without an Overview.
    is_chosen : bool
        The reader chose a candidate other than the default candidate.
    frozen_at, expires_at : datetime or None
        Times of a share, None for an open what-if. `expires_at` is also None for a share that never
        expires.
    taken_at : datetime or None
        Time at which the group was read.
    """

    title: str
    group: str
    step: int
    names: Sequence[str]
    figures: Figures
    candidate: str
    in_use: str | None
    group_type: str | None
    sentences: Sequence[str]
    known: str
    settings: Sequence[str]
    engine: str
    content_hash: str = ""
    result_hash: str = ""
    source: str = ""
    address: str = ""
    author: str = ""
    note: str = ""
    bands: Mapping[str, Any] | None = None
    is_chosen: bool = False
    taken_at: datetime | None = None
    frozen_at: datetime | None = None
    expires_at: datetime | None = None

    @property
    def told_steps(self) -> list[int]:
        """Numbers of the steps that have a table, in order.

        The group as listed (0) has a table only if it is the report's step.
        """
        return [number for number in range(len(self.figures)) if number or not self.step]

    @property
    def has_answers(self) -> bool:
        """Whether the report includes the assignors' answers.

        True if there are steps, if a reader chose the candidate, or if another assignment would
        help.
        """
        is_asked = self.is_chosen or bool(self.names)
        return is_asked or self.bands is None or self.bands["switched"] is not None

    @property
    def times(self) -> list[str]:
        """When the share was frozen, when the group was read, and from which source, in words."""
        frozen = [f"frozen {self.frozen_at:%d %b %Y, %H:%M:%S} UTC"] if self.frozen_at else []
        group = [f"group as of {self.taken_at:%d %b %Y, %H:%M:%S} UTC"] if self.taken_at else []
        return [*frozen, *group, *([f"read from {self.source}"] if self.source else [])]

    @property
    def of_candidate(self) -> StepFigures:
        """The candidate's figures in the report's step."""
        return self.figures[self.step][self.candidate]

    @property
    def of_in_use(self) -> StepFigures | None:
        """Figures of the assignor in use, in the report's step.

        None if this assignor is unknown, has no answer, or is the candidate.
        """
        return (
            None
            if self.in_use in (None, self.candidate)
            else self.figures[self.step].get(self.in_use)
        )


def why(bands: Mapping[str, Any]) -> str:
    """Return Overview's sentences on topic rates, rebalances and retention."""
    drawn = bands.get("why") or {}
    rates = [
        f"{each['arrived']} records a second arrive in {each['name']}, {each['read']} are read"
        for each in drawn.get("topics", ())
    ]
    turns, retention = drawn.get("rebalances"), drawn.get("kept")
    more = [turns["text"]] if turns else []
    more += [f"{retention['text']}, {retention['note']}"] if retention else []
    sentences = [f"{text[:1].upper()}{text[1:]}." for text in [*rates, *more]]
    return " ".join([*sentences, *filter(None, [drawn.get("text")])])


# The sentences at the top of a report: the candidate's effect on the worst member, and its cost.


class Part(NamedTuple):
    """A piece of text; bold if `is_strong`."""

    text: str
    is_strong: bool = False


class Fact(NamedTuple):
    """A figure with its label and its note."""

    label: str
    value: str
    beside: str = ""


def finding(report: Report) -> list[Part]:
    """Return the paragraph with the candidate's effect and cost."""
    step, other = report.of_candidate, report.of_in_use
    if step.error:
        return [
            Part(f"{_after(report)}"),
            Part(report.candidate, True),
            Part(f" gives no answer: {in_words(step.error)}."),
        ]
    parts = [
        Part(_after(report)),
        Part(report.candidate, True),
        Part(f" {_verb(step)} the worst member "),
        Part(_lag(step), True),
    ]
    if other and not other.error:
        parts.append(Part(f"; {report.in_use}, in use, {_verb(other)} it {_lag(other)}"))
    parts.append(Part(". "))
    return parts + _price(report, step, other)


def _after(report: Report) -> str:
    names = list(report.names[: report.step])
    return f"After {listed(names, len(names))}, " if names else "As the group is listed, "


def _verb(step: StepFigures) -> str:
    if (
        step.lag is None
        or step.lag_before is None
        or step.lag_is_least
        or step.lag_before_is_least
        or step.lag == step.lag_before
    ):
        return "leaves"
    return "lowers" if step.lag < step.lag_before else "raises"


def _lag(step: StepFigures) -> str:
    if step.lag is None:
        return "at an unknown lag"
    return (
        f"{'at' if _verb(step) == 'leaves' else 'to'} {compact_sum(step.lag, step.lag_is_least)}"
        " records"
    )


def _price(report: Report, step: StepFigures, other: StepFigures | None) -> list[Part]:
    if step.moved_partitions is None:
        return [Part("The moves are unknown, because the input does not have the owners.")]
    against = (
        f" ({exact(other.moved_partitions)} under {report.in_use})"
        if other and other.moved_partitions is not None
        else ""
    )
    parts = [
        Part("It moves "),
        Part(
            f"{exact(step.moved_partitions)} partitions"
            if step.partitions is None
            else f"{exact(step.moved_partitions)}",
            True,
        ),
        Part("" if step.partitions is None else f" of {count(step.partitions, 'partition')}"),
        Part(f"{against} and pauses {exact(step.paused_partitions)}."),
    ]
    if step.never_ends:
        parts.append(Part(" The group never stops rebalancing.", True))
    return parts


def facts(report: Report) -> list[Fact]:
    """Return the figures below the paragraph `finding`: worst member, moves and idle members."""
    step, other, total = (
        report.of_candidate,
        report.of_in_use,
        totals_of(report.figures, report.candidate),
    )
    in_use = totals_of(report.figures, report.in_use) if other and report.in_use else None
    of_all = f"Moved in all {count(len(report.names), 'step')}"
    return [
        _against(f"{WORST_MEMBER}, lag" + (" against in use" if other else ""), step, other),
        Fact(
            f"Moved in step {report.step}",
            exact(step.moved_partitions),
            f"{exact(other.moved_partitions)} in use" if other else "",
        ),
        *(
            [
                Fact(
                    of_all,
                    exact(total.moved_partitions),
                    f"{exact(in_use.moved_partitions)} in use" if in_use else "",
                )
            ]
            if report.names
            else []
        ),
        Fact(
            "Idle members",
            exact(step.idle_members),
            f"{exact(other.idle_members)} in use" if other else "",
        ),
    ]


def _against(label: str, step: StepFigures, other: StepFigures | None) -> Fact:
    value = compact_sum(step.lag, step.lag_is_least)
    if not other or other.lag is None:
        return Fact(label, value)
    lags = other.lag, step.lag
    bounds = other.lag_is_least, step.lag_is_least
    before = compact_sum(other.lag, other.lag_is_least)
    return Fact(label, value, f"{change(*lags, *bounds)} of {before}")
