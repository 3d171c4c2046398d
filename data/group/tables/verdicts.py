"""Verdicts on groups and members, from all rows of groups; many groups are judged at once."""

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.drain import NEVER, at_least, band, drain, middle_alone
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.group.series import UNKNOWN_SECONDS, Series
from evenkeel.assignors.group.speed import behind
from evenkeel.assignors.timeline.draws import Draws, draws_of
from evenkeel.assignors.timeline.now import Now, now
from evenkeel.assignors.timeline.stuck import blocked
from evenkeel.assignors.timeline.time_lag import METHODS
from evenkeel.assignors.timeline.verdicts import (
    OBSERVATIONS,
    OK,
    VERDICTS,
    breaks,
    lasting,
)
from evenkeel.data.group.tables import history_schemas
from evenkeel.data.group.tables.many_groups import (
    ManyGroups,
    many_groups,
    named_by_group,
    reduced,
    slots_of_groups,
    split_name,
    verdicts_of_groups,
    verdicts_of_members,
)
from evenkeel.data.group.tables.schemas import TIME
from evenkeel.data.group.tables.series import Axis, series_of

LAGS = 40
"""Slots with a lag in GROUP_VERDICT."""


class VerdictTables(NamedTuple):
    """The tables GROUP_VERDICT and MEMBER_VERDICT."""

    groups: pa.Table
    members: pa.Table


def verdict_tables(
    offsets: pa.Table, members: pa.Table, axis: Axis, cluster: str | None, lead: int = 0
) -> VerdictTables:
    """OFFSETS, MEMBERS with `batch` -> GROUP_VERDICT, MEMBER_VERDICT of the last slot.

    `lead`: number of slots at the start that are read only to judge later slots.
    """
    series = series_of(
        named_by_group(offsets, ("topic", "member_id")),
        named_by_group(members, ("member_id",)),
        axis,
    )
    rows = many_groups(series)
    present = now(series, group_of_member=rows.of_member)
    # A fixed seed, so that the same rows give the same bands.
    drawn = draws_of(series, np.random.default_rng(0), rows.of_member)
    lag = behind(present.lag, drawn.on_the_way)
    has_members = np.bincount(rows.of_member[present.members], minlength=len(rows.group_id)) > 0
    stuck = drawn.stuck
    assert stuck
    stuck = stuck._replace(is_paused=stuck.is_paused & has_members[rows.of_tp])
    drawn = drawn._replace(stuck=stuck)
    held = blocked(stuck, present.owner)
    seconds = drain(
        lag,
        drawn.in_rate,
        present.owner,
        drawn.busy_rate,
        drawn.spread,
        drawn.proven,
        drawn.rounding,
        held,
    ).by_member
    head = {"taken_at": times(axis.time[-1:]), "cluster": [cluster]}
    return VerdictTables(
        _table(
            history_schemas.GROUP_VERDICT, head, _of_groups(present, rows, seconds, drawn, lead)
        ),
        _table(history_schemas.MEMBER_VERDICT, head, _of_members(present, rows, seconds)),
    )


def _of_groups(
    present: Now, rows: ManyGroups, seconds: np.ndarray, drawn: Draws, lead: int
) -> dict[str, Any]:
    series, count = present.series, len(rows.group_id)
    is_listed, has_lag = series.is_listed[-1], series.lag != UNKNOWN_LAG
    farthest = _farthest(present.seconds, rows.of_tp, count)
    last = slice(max(series.slot_count - LAGS, lead), None)
    lags = reduced(np.add, np.where(has_lag, series.lag, 0), rows.of_tp, count, 0)[last]
    lag_is_known = reduced(np.logical_or, has_lag, rows.of_tp, count, False)[last]
    unknown = {
        "unknown_lag_count": ~has_lag[-1],
        "unknown_seconds_count": present.seconds == UNKNOWN_SECONDS,
    }
    is_there = slots_of_groups(series, rows)
    columns = {
        "group_id": pa.array(rows.group_id),
        "since": times(np.full(count, series.time[lead])),
        "slot_count": pa.array(np.full(count, series.slot_count - lead)),
        "partition_count": pa.array(np.bincount(rows.of_tp[is_listed], minlength=count)),
        "unobserved_count": pa.array(
            np.bincount(rows.of_tp[present.is_unobserved], minlength=count)
        ),
        "member_count": pa.array(
            np.bincount(rows.of_member[present.members], minlength=count),
            mask=np.full(count, not present.has_owners),
        ),
        "lag": pa.array(lags[-1], mask=~lag_is_known[-1]),
        **{
            name: pa.array(np.bincount(rows.of_tp[mask & is_listed], minlength=count))
            for name, mask in unknown.items()
        },
        "lag_seconds": pa.array(present.seconds).take(farthest),
        "lag_seconds_method": pa.array(METHODS, "string").take(
            pa.array(present.method, "int64").take(farthest)
        ),
        "in_rate": sums(present.in_rate[is_listed], rows.of_tp[is_listed], count),
        "out_rate": sums(present.out_rate[is_listed], rows.of_tp[is_listed], count),
        "lags": lists(lags, lag_is_known),
    }
    is_partial = np.bincount(rows.of_tp[~has_lag[-1] & is_listed], minlength=count) > 0
    columns |= _verdicts(
        series, verdicts_of_groups(series, present.verdicts, rows, is_there), is_there
    )
    columns |= _drains(
        _of_members_together(present, rows, seconds, drawn.stuck.is_paused), is_partial
    )
    columns["drain_assumed_count"] = assumed_counts(rows, seconds, drawn.assumed)
    rows_there = pa.array(np.flatnonzero(is_there[-1]))
    return {name: column.take(rows_there) for name, column in columns.items()}


def _verdicts(series: Series, verdict: np.ndarray, is_there: np.ndarray) -> dict[str, pa.Array]:
    """Return the verdict columns of groups or members, from verdicts (S, K).

    The columns are null if the slots are too far apart.
    """
    if series.is_sparse:
        count = verdict.shape[1]
        unknown = pa.nulls(count, "string")
        return dict.fromkeys(("verdict", "lasting_verdict", "verdict_before"), unknown) | {
            "verdict_since": pa.nulls(count, TIME),
            "verdict_is_older": pa.array(np.zeros(count, dtype=bool)),
        }
    lasts = lasting(verdict)
    is_break = breaks(is_there)
    is_other = (lasts != lasts[-1]) | is_break
    since = (
        np.where(is_other.any(axis=0), series.slot_count - np.argmax(is_other[::-1], axis=0), 0)
        % series.slot_count
    )
    before = np.maximum(since - 1, 0), np.arange(verdict.shape[1])
    # With fewer than ten observations, a verdict is OK less often, except in the first slot, which
    # is always OK.
    is_cut = (since < np.where(lasts[-1] == OK, OBSERVATIONS, 2)) & is_there[0]
    return {
        "verdict": verdict_names(verdict[-1]),
        "lasting_verdict": verdict_names(lasts[-1]),
        "verdict_since": times(series.time[since]),
        "verdict_is_older": pa.array(is_cut),
        "verdict_before": pc.if_else(
            pa.array((since > 0) & ~is_cut & ~is_break[before]), verdict_names(lasts[before]), None
        ),
    }


def _of_members_together(
    present: Now, rows: ManyGroups, seconds: np.ndarray, is_paused: np.ndarray
) -> np.ndarray:
    """Return each group's drain time in each random draw, (B, G): its slowest member's drain time.

    Unknown during a rebalance, or if owners are not recorded.
    """
    count, is_paused = len(rows.group_id), is_paused | (not present.has_owners)
    # A member that never drains decides, even if another member's time is unknown.
    worst = reduced(
        np.maximum, np.where(np.isnan(seconds), 0.0, seconds), rows.of_member, count, 0.0
    )
    is_unknown = reduced(np.logical_or, np.isnan(seconds), rows.of_member, count, False)
    is_unowned = present.series.is_listed[-1] & (present.owner == UNASSIGNED)
    alone = is_unowned & ((present.lag > 0) | (np.nan_to_num(present.in_rate) > 0))
    is_alone, is_between = (
        np.bincount(rows.of_tp[is_member_set], minlength=count) > 0
        for is_member_set in (alone & ~is_paused, alone & is_paused)
    )
    return np.where(
        (worst == NEVER) | is_alone, NEVER, np.where(is_unknown | is_between, np.nan, worst)
    )


def assumed_counts(rows: ManyGroups, seconds: np.ndarray, is_assumed: np.ndarray) -> pa.Array:
    """Count in each group the members that determine the drain time and have an assumed rate.

    If some members never drain, they determine the drain time; if not, all members with lag do.
    """
    count, middle = len(rows.group_id), band(seconds).middle
    never = np.bincount(rows.of_member[np.isinf(middle)], minlength=count) > 0
    decides = np.where(never[rows.of_member], np.isinf(middle), middle > 0)
    return pa.array(np.bincount(rows.of_member[decides & is_assumed], minlength=count))


def _farthest(seconds: np.ndarray, key: np.ndarray, count: int) -> pa.Array:
    """Return the partition with the largest time lag of each group; null if all are unknown."""
    if not seconds.size:
        return pa.nulls(count, "int64")
    order = np.lexsort((seconds, key))
    place = order[np.searchsorted(key[order], np.arange(count), side="right") - 1]
    return pa.array(
        place, mask=(key[place] != np.arange(count)) | (seconds[place] == UNKNOWN_SECONDS)
    )


def _of_members(present: Now, rows: ManyGroups, seconds: np.ndarray) -> dict[str, Any]:
    count = len(present.series.member_id)
    owned = np.flatnonzero(present.owner != UNASSIGNED)
    owner, lag = present.owner[owned], present.lag[owned]
    verdict = verdicts_of_members(present.series, present.verdicts.verdict)
    has_lag = lag != UNKNOWN_LAG
    total = np.zeros(count, dtype=np.int64)
    np.add.at(total, owner[has_lag], lag[has_lag])
    partition_count, unknown_count = (
        np.bincount(owner, minlength=count),
        np.bincount(owner[~has_lag], minlength=count),
    )
    columns = {
        "group_id": np.array(rows.group_id, dtype=object)[rows.of_member],
        "member_id": np.array(
            [split_name(name)[1] for name in present.series.member_id], dtype=object
        ),
        "partition_count": partition_count,
        "lag": pa.array(total, mask=unknown_count == partition_count),
        "unknown_lag_count": unknown_count,
        "in_rate": sums(present.in_rate[owned], owner, count),
        "out_rate": sums(present.out_rate[owned], owner, count),
        "capacity": known(present.capacity.rate),
        "capacity_is_assumed": present.capacity.is_assumed,
    }
    columns |= _verdicts(present.series, verdict, present.series.is_member) | _drains(
        seconds, unknown_count > 0
    )
    members_there = pa.array(np.flatnonzero(partition_count > 0))
    return {
        name: (column if isinstance(column, pa.Array) else pa.array(column)).take(members_there)
        for name, column in columns.items()
    }


def _drains(seconds: np.ndarray, is_partial: np.ndarray) -> dict[str, pa.Array]:
    """Return the columns of drain times, (B, N).

    If there are few readings, there is a single draw, so the lowest and highest times are null.
    """
    drain_band = at_least(band(seconds), is_partial)
    ends = zip(
        ("drain_low_seconds", "drain_seconds", "drain_high_seconds"),
        drain_band if len(seconds) > 1 else middle_alone(drain_band),
        strict=True,
    )
    return {name: known(end) for name, end in ends} | {
        "drain_is_never": pa.array(np.isinf(drain_band.middle))
    }


def _table(schema: pa.Schema, head: dict[str, Any], columns: dict[str, pa.Array]) -> pa.Table:
    count = len(columns["group_id"])
    given = {
        name: pa.array(value).take(pa.array([0] * count, "int64")) for name, value in head.items()
    } | columns
    return pa.table(
        {field.name: given[field.name].cast(field.type) for field in schema}, schema=schema
    )


# Maxima, sums and lists by key


def sums(rate: np.ndarray, key: np.ndarray, count: int) -> pa.Array:
    """Return the sum of known rates for each value of `key`; null if all rates are unknown."""
    is_known = ~np.isnan(rate)
    total = np.bincount(key[is_known], rate[is_known], minlength=count)
    return pa.array(total, mask=np.bincount(key[is_known], minlength=count) == 0)


def lists(values: np.ndarray, is_known: np.ndarray) -> pa.ListArray:
    """Return one list for each column of `values`, (S, G); unknown values are null."""
    flat = pa.array(values.T.ravel(), mask=~is_known.T.ravel())
    return pa.ListArray.from_arrays(
        np.arange(values.shape[1] + 1, dtype=np.int32) * values.shape[0], flat
    )


def verdict_names(verdict: np.ndarray) -> pa.Array:
    """Return the names of verdict numbers."""
    return pa.array(VERDICTS).take(pa.array(verdict))


def known(values: np.ndarray) -> pa.Array:
    """Return the values as Arrow numbers; null if a value is not finite."""
    return pa.array(values, mask=~np.isfinite(values))


def times(seconds: np.ndarray) -> pa.Array:
    """Return timestamps from seconds since 1970."""
    return pa.array(np.round(seconds * 1e6).astype(np.int64)).cast(TIME)
