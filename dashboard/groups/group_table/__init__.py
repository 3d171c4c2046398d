"""A page of groups as a table; a click, Enter or Space on a row opens the group, headers sort,
groups without lag fold into one line.
"""

from collections.abc import Callable, Mapping, Sequence
from math import isnan

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.dashboard.groups.columns import COLUMNS, Column, Row
from evenkeel.dashboard.groups.group_table import choices
from evenkeel.dashboard.groups.listing import Choice, Listing, listing
from evenkeel.dashboard.parts import table
from evenkeel.data.text.formats import count, exact
from evenkeel.data.timeline.words import Sentence


def show(
    groups: pa.Table,
    key: str,
    *,
    id_column: str,
    pick: Callable[[str], None],
    current: str | None = None,
    folds: bool = True,
    diagnosed: Callable[[Sequence[Row]], Mapping[str, Sequence[Sentence]]] | None = None,
    explain: Callable[[str, float | None], None] | None = None,
) -> None:
    """Draw the filters and the chosen page of groups that come worst first; only this page travels
    to the browser.

    Parameters
    ----------
    key : str
        Names the table in `choices`.
    id_column : str
        The column whose value tells a row from the others; `pick` gets it when the row is opened.
    current : str, optional
        The row that is marked.
    folds : bool
        Whether groups without lag fold into one line.
    diagnosed : callable, optional
        Gets the rows of the page that are in trouble; returns sentences by group id, which stand
        below their row.
    explain : callable, optional
        Gets the row of the sentence that was clicked, and since when the history shows it, None
        where none does.
    """
    columns = [
        column
        for column in COLUMNS
        if column.needs in groups.column_names and column.without not in groups.column_names
    ]
    choice = _drawn(choices.chosen(key), columns)
    choice = choice if folds else choice._replace(shows_quiet=True)
    choices.show_refused()
    choices.show_filters(groups, key)
    found = listing(groups, choice, _order(choice, columns))
    data = {
        "columns": [_header(column, groups) for column in columns],
        "rows": _rows(groups, found, columns, id_column, current, diagnosed),
        "picks": True,
        "isTree": True,
        "steady": _steady(found, choice),
        "fold": _fold(found) if folds else None,
        "none": _none(found, choice.search),
        "foot": {"text": _foot(found, choice), "page": found.page, "pages": found.page_count},
        "sort": choice.sort,
    }
    table.show(
        "Groups, worst first",
        "groups",
        data,
        key=key,
        picked=pick,
        explained=lambda asked: explain(*asked),
        sorted=lambda column: choices.choose(key, sort=column, page=1),
        paged=lambda page: choices.choose(key, page=int(page)),
        folded=lambda is_open: choices.choose(key, shows_quiet=bool(is_open), page=1),
    )


def _drawn(choice: Choice, columns: Sequence[Column]) -> Choice:
    """Return the choice; an order by a column that is not drawn is left out, such as the change
    before there are two readings.
    """
    return choice if _order(choice, columns) else choice._replace(sort=None)


def _order(choice: Choice, columns: Sequence[Column]) -> tuple[str, ...]:
    return next(
        (
            column.order
            for column in columns
            if choice.sort and column.key == choice.sort.removeprefix("-")
        ),
        (),
    )


def _header(column: Column, groups: pa.Table) -> dict:
    first = None if not column.order else "-" if column.highest_first else ""
    label = column.label_of(groups) if column.label_of else column.label
    made = {
        "key": column.key,
        "kind": column.key,
        "label": label,
        "help": column.help,
        "over": column.over,
        "first": first,
    }
    return made | {"heads": True} if column.key == "group" else made


def _rows(
    groups: pa.Table,
    found: Listing,
    columns: Sequence[Column],
    id_column: str,
    current: str | None,
    diagnosed,
) -> list[dict]:
    without = dict.fromkeys(
        {
            "problem",
            "idle_members",
            "lag_change",
            "worst_partition",
            "trouble",
            "leader",
            "leader_certain",
        }
        - set(groups.column_names)
    )
    highest = pc.max(groups["lag"]).as_py()
    rows = [row | without | {"highest_lag": highest} for row in found.rows.to_pylist()]
    wrong = diagnosed([row for row in rows if row["trouble"]]) if diagnosed else {}
    return [
        _row(
            str(row[id_column]),
            current,
            [column.cell(row) for column in columns],
            wrong.get(row["group_id"], ()),
        )
        for row in rows
    ]


def _row(id: str, current: str | None, cells: list[dict], wrong: Sequence[Sentence]) -> dict:
    why = [
        {"text": f"{one.text}.", "since": None if isnan(one.since) else one.since} for one in wrong
    ]
    return {"id": id, "isCurrent": id == current, "cells": cells, "reasons": why}


def _steady(found: Listing, choice: Choice) -> dict | None:
    """Return the line between the groups in trouble and those with lag that keep up."""
    if choice.sort or found.steady_at is None:
        return None
    number = found.lagging_count - found.trouble_count
    return {
        "text": "Keeping up",
        "note": f"{exact(number)} with lag, no rule fired",
        "at": found.steady_at,
    }


def _fold(found: Listing) -> dict | None:
    hidden = found.quiet.num_rows
    if not hidden:
        return None
    empty = (
        pc.sum(pc.equal(found.quiet["state"], "Empty")).as_py()
        if "state" in found.quiet.column_names
        else None
    )
    facts = [f"{exact(empty)} of them empty"] * bool(empty) + [
        "listed below" if found.shows_quiet else "open to list them here"
    ]
    return {
        "text": f"{count(hidden, 'group')} without lag",
        "note": " · ".join(facts),
        "isOpen": found.shows_quiet,
        "at": found.fold_at,
    }


def _none(found: Listing, search: str) -> str:
    if found.lagging_count or found.rows.num_rows:
        return ""
    if found.quiet.num_rows:
        return "No group has lag."
    more = (
        ", nor in that of a topic, a member, a client id or a host"
        if "names" in found.rows.column_names
        else ""
    )
    return (
        f"No group has “{search}” in its name{more}." if search else "No group passes the filters."
    )


def _foot(found: Listing, choice: Choice) -> str:
    if not found.rows.num_rows:
        return ""
    total = found.lagging_count + (found.quiet.num_rows if found.shows_quiet else 0)
    order = (
        f"sorted by {choice.sort.removeprefix('-')}"
        if choice.sort
        else "worst first: verdict, then time lag"
        if found.trouble_count
        else "worst first"
    )
    which = "" if found.shows_quiet else " with lag"
    return f"{exact(found.first + 1)}–{exact(found.first + found.rows.num_rows)} of {exact(total)}{which}, {order}"
