"""The groups that a table shows: one page of those that pass search and filters; groups without lag come last and fold into one line."""

import math
from functools import reduce
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.assignors.history.verdicts import VERDICTS
from evenkeel.data.tables.lag import lag_is_zero

PAGE = 18
"""Rows of a page: with the scope, the filters and the line of groups without lag they fill the screen of a laptop."""


IN_TROUBLE = "Trouble"
"""Every verdict but OK."""


class Choice(NamedTuple):
    """The choices of a person.

    `verdict`: one of `verdict_choices`. `sort`: the key of a column, with `-` in front for the highest first; None for the worst first.
    `shows_quiet`: groups without lag are listed.
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

    `first` is the place of its first row; `lagging_count` counts the groups with lag, `quiet` are those without, `trouble_count` those
    with a verdict other than OK, on all pages.
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
        """The groups that keep up begin with this row of the page, None where they begin on another or there is no one in trouble."""
        place = self.trouble_count - self.first
        return place if self.trouble_count < self.lagging_count and self.trouble_count and 0 <= place < self.rows.num_rows else None

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
        found = found.sort_by([*((column, direction) for column in order), ("group_id", "ascending")])
    # A group in trouble is not hidden, whatever its lag has become since the snapshot.
    is_quiet = pc.and_(lag_is_zero(found), pc.equal(found["trouble"], 0)) if "trouble" in found.column_names else lag_is_zero(found)
    lagging, without = found.filter(pc.invert(is_quiet)), found.filter(is_quiet)
    shows_quiet = choice.shows_quiet or bool(choice.search)
    listed = pa.concat_tables([lagging, without]) if shows_quiet else lagging
    page_count = max(math.ceil(listed.num_rows / PAGE), 1)
    page = min(max(choice.page, 1), page_count)
    first = (page - 1) * PAGE
    return Listing(listed.slice(first, PAGE), first, lagging.num_rows, without, shows_quiet, page, page_count, _trouble_count(found))


def _passes(groups: pa.Table, choice: Choice) -> pa.ChunkedArray:
    passes = pc.fill_null(_is_named(groups, choice.search), not choice.search)
    for column, wanted in (("group_type", choice.group_type), ("state", choice.state)):
        if wanted is not None and column in groups.column_names:
            passes = pc.and_(passes, pc.fill_null(pc.equal(groups[column], wanted), False))
    if choice.verdict and "trouble" in groups.column_names:
        is_chosen = pc.greater(groups["trouble"], 0) if choice.verdict == IN_TROUBLE else pc.equal(groups["verdict"], choice.verdict)
        passes = pc.and_(passes, pc.fill_null(is_chosen, False))
    return passes


def _is_named(groups: pa.Table, search: str) -> pa.ChunkedArray:
    """bool: the text is part of the group's name or, of a live one, of that of a topic, a member, its client id or its host."""
    columns = [groups[name] for name in ("group_id", "names") if name in groups.column_names]
    found = [pc.match_substring(column, search, ignore_case=True) for column in columns]
    return reduce(pc.or_kleene, found)


def _trouble_count(groups: pa.Table) -> int:
    return pc.sum(pc.greater(groups["trouble"], 0)).as_py() or 0 if "trouble" in groups.column_names else 0
