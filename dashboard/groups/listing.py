"""The groups that a table shows: one page of those that pass search and filters, with what
snapshots say; those in trouble first.
"""

import math
from functools import reduce
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.timeline.verdicts import VERDICTS
from evenkeel.data.group.tables.load import lag_is_zero
from evenkeel.data.group.tables.series import Axis

PAGE = 18
"""Rows of a page: with the scope, the filters and the line of groups without lag they fill the
screen of a laptop.
"""


IN_TROUBLE = "Trouble"
"""Every verdict but OK."""


class Choice(NamedTuple):
    """The choices of a person.

    `verdict`: one of `verdict_choices`. `sort`: the key of a column, with `-` in front for the
    highest first; None for the worst first. `shows_quiet`: groups without lag are listed.
    """

    search: str = ""
    group_type: str | None = None
    state: str | None = None
    verdict: str | None = None
    sort: str | None = None
    page: int = 1
    shows_quiet: bool = False


class Listing(NamedTuple):
    """One page of the table.

    `first` is the place of its first row; `lagging_count` counts the groups with lag, `quiet` are
    those without, `trouble_count` those with a verdict other than OK, on all pages.
    """

    rows: pa.Table
    first: int
    lagging_count: int
    quiet: pa.Table
    shows_quiet: bool
    page: int
    page_count: int
    trouble_count: int = 0

    @property
    def steady_at(self) -> int | None:
        """The groups that keep up begin with this row of the page, None where they begin on another
        or there is no one in trouble.
        """
        place = self.trouble_count - self.first
        return (
            place
            if self.trouble_count < self.lagging_count
            and self.trouble_count
            and 0 <= place < self.rows.num_rows
            else None
        )

    @property
    def fold_at(self) -> int:
        """The line of groups without lag stands before this row of the page."""
        return min(max(self.lagging_count - self.first, 0), self.rows.num_rows)


def verdict_choices() -> tuple[str, ...]:
    """Return what can be chosen of verdicts: all but OK, and each of them, the worst first."""
    return IN_TROUBLE, *VERDICTS[::-1]


def listing(groups: pa.Table, choice: Choice, order: tuple[str, ...] = ()) -> Listing:
    """Return the chosen page of groups that come worst first.

    Parameters
    ----------
    order : tuple of str
        The columns of the data that `choice.sort` means.
    """
    found = groups.filter(_passes(groups, choice))
    if order:
        direction = "descending" if choice.sort.startswith("-") else "ascending"
        found = found.sort_by(
            [*((column, direction) for column in order), ("group_id", "ascending")]
        )
    # A group in trouble is not hidden, whatever its lag has become since the snapshot.
    is_quiet = (
        pc.and_(lag_is_zero(found), pc.equal(found["trouble"], 0))
        if "trouble" in found.column_names
        else lag_is_zero(found)
    )
    lagging, without = found.filter(pc.invert(is_quiet)), found.filter(is_quiet)
    shows_quiet = choice.shows_quiet or bool(choice.search)
    listed = pa.concat_tables([lagging, without]) if shows_quiet else lagging
    page_count = max(math.ceil(listed.num_rows / PAGE), 1)
    page = min(max(choice.page, 1), page_count)
    first = (page - 1) * PAGE
    return Listing(
        listed.slice(first, PAGE),
        first,
        lagging.num_rows,
        without,
        shows_quiet,
        page,
        page_count,
        _trouble_count(found),
    )


def _passes(groups: pa.Table, choice: Choice) -> pa.ChunkedArray:
    passes = pc.fill_null(_is_named(groups, choice.search), not choice.search)
    for column, wanted in (("group_type", choice.group_type), ("state", choice.state)):
        if wanted is not None and column in groups.column_names:
            passes = pc.and_(passes, pc.fill_null(pc.equal(groups[column], wanted), False))
    if choice.verdict and "trouble" in groups.column_names:
        is_chosen = (
            pc.greater(groups["trouble"], 0)
            if choice.verdict == IN_TROUBLE
            else pc.equal(groups["verdict"], choice.verdict)
        )
        passes = pc.and_(passes, pc.fill_null(is_chosen, False))
    return passes


def _is_named(groups: pa.Table, search: str) -> pa.ChunkedArray:
    """bool: the text is part of the group's name or, of a live one, of that of a topic, a member,
    its client id or its host.
    """
    columns = [groups[name] for name in ("group_id", "names") if name in groups.column_names]
    found = [pc.match_substring(column, search, ignore_case=True) for column in columns]
    return reduce(pc.or_kleene, found)


def _trouble_count(groups: pa.Table) -> int:
    return (
        pc.sum(pc.greater(groups["trouble"], 0)).as_py() or 0
        if "trouble" in groups.column_names
        else 0
    )


# Groups of a cluster with what the snapshots of its collector say of them, those in trouble first.


_DRAINS = (
    "drain_low_seconds",
    "drain_seconds",
    "drain_high_seconds",
    "drain_is_never",
    "drain_assumed_count",
)
_TAKEN = (
    "verdict_since",
    "verdict_is_older",
    "since",
    "lag_seconds",
    "lag_seconds_method",
    "unknown_seconds_count",
    *_DRAINS,
    "lags",
)
_COLUMNS = tuple("is_older" if name == "verdict_is_older" else name for name in _TAKEN)


def with_verdicts(groups: pa.Table, verdicts: pa.Table, axis: Axis) -> pa.Table:
    """GROUPS, GROUP_VERDICT -> GROUPS with the columns of the verdict, null where no snapshot has
    the group.

    Adds `verdict_at`; `trouble`, 0 for OK, higher for what comes first; `is_older`, whether the
    verdict may be older than the slots; `slots` of `lags`. `lag_change` is rate in less rate out,
    as on the Timeline, where every lag is known. Groups in trouble come first, by verdict and time
    lag; the others stay in their order.
    """
    place = pc.index_in(groups["group_id"], verdicts["group_id"])
    found = (
        verdicts.select(["taken_at", "lasting_verdict", *_TAKEN])
        .rename_columns(["verdict_at", "verdict", *_COLUMNS])
        .take(place)
    )
    rank = pc.fill_null(pc.index_in(found["verdict"], pa.array(VERDICTS)), 0).cast(pa.int64())
    slots = pa.array([(axis.slot - axis.slot[0]).tolist()], pa.list_(pa.int64()))
    added = {name: found[name] for name in found.column_names} | {
        "trouble": rank,
        "slots": slots.take(pa.array(np.zeros(groups.num_rows, dtype=np.int64))),
        "lag_change": _change(groups, verdicts, place),
    }
    kept = groups.drop_columns([name for name in added if name in groups.column_names])
    for name, column in added.items():
        kept = kept.append_column(name, column)
    return kept.take(_order(kept))


def _change(groups: pa.Table, verdicts: pa.Table, place: pa.Array) -> pa.ChunkedArray | pa.Array:
    """Return records a minute over the window of rates, else since the reading before."""
    grown = 60 * pc.subtract(verdicts["in_rate"], verdicts["out_rate"]).to_numpy()
    # Rates are sums of those that are known.
    is_partial = verdicts["unknown_lag_count"].to_numpy() > 0
    change = pa.array(np.round(grown), mask=is_partial | np.isnan(grown)).take(place)
    return (
        pc.coalesce(change, groups["lag_change"].cast(pa.float64()))
        if "lag_change" in groups.column_names
        else change
    )


def _order(groups: pa.Table) -> pa.Array:
    trouble = groups["trouble"].to_numpy()
    seconds = np.where(trouble > 0, groups["lag_seconds"].fill_null(-1.0).to_numpy(), 0.0)
    return pa.array(np.lexsort((np.arange(trouble.size), -seconds, -trouble)))
