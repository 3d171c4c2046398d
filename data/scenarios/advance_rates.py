"""Writes the rates and capacities from a group's history into the edit `advance`.

The scenario then contains all its rates, so later history does not change its answers.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TypeGuard

import msgspec
import numpy as np

from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.series import Series
from evenkeel.assignors.group.snapshot_order import in_rates_of, rows_in
from evenkeel.assignors.group.speed import (
    WINDOW,
    busy_rates,
    capacity,
    median_of_known,
    rates,
)
from evenkeel.assignors.timeline.draws import draws_of
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.scenarios.edits.advance import OTHERS, Advance, MeasuredSpan
from evenkeel.data.scenarios.scenario.scenario import Scenario


def with_rates(scenario: Scenario, history: Callable[[], Series]) -> Scenario:
    """Return the scenario with rates in every `advance`; missing rates come from `history`.

    `history`: returns the history of the group up to the time of the scenario.

    Raises
    ------
    SnapshotError
        If the history has no rate. The message names the place of the edit.
    """
    if not any(_lacks(edit) for step in scenario.steps for edit in step.edits):
        return scenario
    series, listed = history(), observed_from_document(scenario.group).snapshot
    steps = [
        msgspec.structs.replace(
            step,
            edits=[
                _filled(edit, place, step_place, listed, series)
                for place, edit in enumerate(step.edits)
            ],
        )
        for step_place, step in enumerate(scenario.steps)
    ]
    return msgspec.structs.replace(scenario, steps=steps)


def measured(
    edit: Advance,
    listed: GroupSnapshot,
    group: GroupSnapshot,
    series: Series,
    former: Mapping[str, str] | None = None,
) -> Advance:
    """Return the edit with all rates; missing rates come from the history `series`.

    Parameters
    ----------
    listed : GroupSnapshot
        The group as listed.
    group : GroupSnapshot
        The group at the start of the step.
    former : mapping of str to str, optional
        Former member id by present member id, for restarted members.

    Raises
    ------
    SnapshotError
        If the history has no rate.
    """
    window = _window(series, edit.window_seconds)
    first = np.flatnonzero(series.slot > series.slot[-1] - window)[0]
    return msgspec.structs.replace(
        edit,
        in_rate=in_rates(listed, series, edit.window_seconds)
        if edit.in_rate is None
        else edit.in_rate,
        capacity=capacities(group, series, former or {})
        if edit.capacity is None
        else edit.capacity,
        window_seconds=None,
        measured=MeasuredSpan(
            *(datetime.fromtimestamp(round(float(series.time[row])), UTC) for row in (first, -1))
        ),
    )


def in_rates(
    listed: GroupSnapshot, series: Series, seconds: float | None
) -> dict[str, list[float | None]]:
    """Return by topic: records/s that arrive in each partition, over the last `seconds`.

    Raises as `measured`.
    """
    rate_of_tps = in_rates_of(
        listed,
        series,
        rates(series, np.array([series.slot_count - 1]), _window(series, seconds)).incoming[0],
    )
    if np.isnan(rate_of_tps).all():
        raise SnapshotError(
            "in_rate: two snapshots of the history with end offsets of the group are needed,"
            " expected records/s"
        )
    tps = {
        name: rate_of_tps[listed.tps_of(row)].tolist()
        for row, name in enumerate(listed.topic_name)
        if listed.partition_count[row]
    }
    return {
        name: [None if np.isnan(rate) else _short(rate) for rate in of_topic]
        for name, of_topic in tps.items()
    }


def capacities(group: GroupSnapshot, series: Series, former: Mapping[str, str]) -> dict[str, float]:
    """Return records/s that each member reads while it has lag.

    `*`, the median of the members, is for members that join later or never had lag in the history.
    """
    member_rates = _capacity(series)
    if not (member_rates > 0).any():
        raise SnapshotError(
            "capacity: no member was behind in 3 windows of the history and read, so no read rate"
            " was seen: give the capacity, in records/s"
        )
    known = np.append(member_rates, np.nan)[rows_in(group, series, former)].tolist()
    mine = {
        name: _short(rate)
        for name, rate in zip(group.member_id, known, strict=True)
        if not np.isnan(rate)
    }
    return mine | {OTHERS: _short(float(median_of_known(member_rates)))}


def _capacity(series: Series) -> np.ndarray:
    rates = capacity(busy_rates(series)).rate
    # A short history has fewer than three windows: use the reading rates of the time to drain.
    return (
        np.median(draws_of(series, np.random.default_rng(0)).busy_rate, axis=0)
        if np.isnan(rates).all()
        else rates
    )


def in_rate_of(group: GroupSnapshot, listed: GroupSnapshot, series: Series) -> np.ndarray:
    """Return records/s that arrive in each partition of `group`: float64 (P,), NaN if unknown.

    `group`: the group after some steps. `listed`: the group before these steps.
    """
    return in_rates_of(
        group, series, rates(series, np.array([series.slot_count - 1])).incoming[0], listed
    )


def slot_seconds(series: Series) -> float:
    """Return the median time between two consecutive slots, in seconds."""
    return float(np.median(np.diff(series.time) / np.diff(series.slot)))


def _lacks(edit: object) -> TypeGuard[Advance]:
    return isinstance(edit, Advance) and edit.lacks_rates and not edit.off


def _filled(edit: object, place: int, step: int, listed: GroupSnapshot, series: Series) -> object:
    if not _lacks(edit):
        return edit
    try:
        return measured(edit, listed, listed, series)
    except SnapshotError as error:
        raise SnapshotError(f"steps[{step}].edits[{place}].{error}") from None


def _window(series: Series, seconds: float | None) -> int:
    """Return a duration as a number of slots, at least 2."""
    if series.slot_count < 2:
        raise SnapshotError(
            "in_rate: the history has fewer than two snapshots of the group, expected rates in"
            " the edit"
        )
    return WINDOW if seconds is None else max(round(seconds / slot_seconds(series)) + 1, 2)


def _short(rate: float) -> float:
    """Round a rate to four digits, because a measurement is not more precise.

    A negative rate becomes 0: end offsets of the topic became lower.
    """
    return max(float(f"{rate:.4g}"), 0.0)
