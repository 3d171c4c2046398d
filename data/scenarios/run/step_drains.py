"""Time until the group has no lag, after each step and for each assignor."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.drain import Band
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot_order import grown_topics, rows_in
from evenkeel.assignors.timeline.draws import Draws
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.drains import Drains, GroupDrain
from evenkeel.data.scenarios.run.group_step import StepAnswer


class StepDrain(NamedTuple):
    """The time to drain after a step, and the number of values that it assumes.

    `unknown_rates`: partitions with an unknown incoming rate. `unknown_capacities`: members with an
    unknown reading rate. `assumed_capacities`: new members, which get the median rate of the
    others. `grown_topics`: topics with new partitions, which divide the topic's rate.
    `median_capacities`: members that decide the time, but were rarely busy, so that the median rate
    is assumed.
    """

    drain: GroupDrain
    unknown_rates: int = 0
    unknown_capacities: int = 0
    assumed_capacities: int = 0
    grown_topics: int = 0
    median_capacities: int = 0


COMING = StepDrain(GroupDrain(Band(*np.full(3, np.nan)), np.nan))
"""Placeholder for a time to drain that is still being computed."""

Drained = Sequence[Mapping[str, StepDrain]]
"""The time to drain by assignor, for each step; step 0 is the group as listed. Failed answers are
left out.
"""


class StepDrains:
    """Computes the time to drain after each step, from the group's history.

    A restarted member keeps its reading rate. A topic with new partitions keeps its incoming rate.
    """

    def __init__(self, listed: ObservedGroup, series: Series, drawn: Draws):
        self._listed, self._series, self._drawn = listed.snapshot, series, drawn

    def of_answer(self, answer: StepAnswer, former: Mapping[str, str]) -> StepDrain | None:
        """Return the time to drain after a step; None if the step has no answer.

        `former`: result of `former_ids`.
        """
        if answer.group is None or answer.assignment is None:
            return None
        return self.of(answer.group.snapshot, answer.assignment, former)

    def of(
        self, group: GroupSnapshot, assignment: Assignment, former: Mapping[str, str]
    ) -> StepDrain:
        """Return the time to drain under an assignment; `group`: the group after some steps."""
        drains = Drains(group, self._series, self._drawn, self._listed, former)
        group_drain = drains.of(assignment)
        return StepDrain(
            group_drain,
            drains.unknown_rate_count,
            drains.unknown_capacity_count,
            int(np.count_nonzero(rows_in(group, self._series, former) < 0)),
            len(grown_topics(group, self._listed)),
            len(group_drain.assumed),
        )


def former_ids(answers: Iterable[StepAnswer]) -> dict[str, str]:
    """Return the first member id by present member id, for members that the steps restarted."""
    former: dict[str, str] = {}
    for answer in answers:
        former |= {now: former.get(before, before) for before, now in answer.renamed}
    return former


def drains_of(steps: Sequence[Mapping[str, StepAnswer]], drains: StepDrains) -> Drained:
    """Return the time to drain by assignor, for each step of a scenario."""
    return [
        {
            name: drain_of_name
            for name, answer in answers.items()
            if (
                drain_of_name := drains.of_answer(
                    answer, former_ids(before[name] for before in steps[: number + 1])
                )
            )
        }
        for number, answers in enumerate(steps)
    ]


def with_current_drain(
    lines: Sequence[Mapping[str, Any]], listed: ObservedGroup, drains: StepDrains
) -> list[dict[str, Any]]:
    """Add the time to drain with the present owners to the first line of a result; return the
    lines.
    """
    head, *others = lines
    current = (
        {}
        if listed.current is None
        else {"drain": drain_line(drains.of(listed.snapshot, listed.current, {}))}
    )
    return [{**head, **current}, *map(dict, others)]


def current_drain_of(head: Mapping[str, Any]) -> StepDrain | None:
    """Return the time to drain that `with_current_drain` added, or None if it added none."""
    return drain_of(head["drain"]) if head.get("drain") else None


def drain_line(step_drain: StepDrain) -> dict[str, Any]:
    """Return a time to drain as JSON values: null if unknown or infinite.

    `is_never` is true if the middle of the band is infinite.
    """
    band = step_drain.drain.band
    return {
        "low_seconds": _seconds(band.low),
        "seconds": _seconds(band.middle),
        "high_seconds": _seconds(band.high),
        "is_never": step_drain.drain.is_never,
        **{
            key: None if np.isnan(value) else float(value)
            for key, value in (
                ("excess", step_drain.drain.excess),
                ("missing", step_drain.drain.missing),
            )
        },
        **{name: getattr(step_drain, name) for name in _COUNTS},
    }


def drain_of(line: Mapping[str, Any]) -> StepDrain:
    """Return the time to drain from a line that `drain_line` made."""
    # A middle without a low end is a single value. A low end without a middle is a lower bound. If
    # low end and middle are known, a missing end is infinite.
    has_band = line["low_seconds"] is not None and line["seconds"] is not None
    missing = np.inf if line["is_never"] or has_band else np.nan
    names = ("low_seconds", "seconds", "high_seconds")
    ends = np.array(
        [missing if line[name] is None else line[name] for name in names], dtype=np.float64
    )
    excess, lacks = (
        np.nan if line.get(key) is None else line[key] for key in ("excess", "missing")
    )
    return StepDrain(
        GroupDrain(Band(*ends), excess, missing=lacks),
        **{name: line.get(name, 0) for name in _COUNTS},
    )


_COUNTS = (
    "unknown_rates",
    "unknown_capacities",
    "assumed_capacities",
    "grown_topics",
    "median_capacities",
)


def _seconds(end: np.ndarray) -> float | None:
    return float(end) if np.isfinite(end) else None
