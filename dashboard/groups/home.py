"""List of groups: the number of groups that need the reader, a line for each group that is not
fine, and a table of the other groups.
"""

from collections.abc import Callable
from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evenkeel.dashboard.alerts import panel as alerts
from evenkeel.dashboard.groups import choices, finding_list
from evenkeel.dashboard.groups.choices import ALL, ListFilter
from evenkeel.dashboard.groups.columns import Row, class_of, name_of, reads
from evenkeel.dashboard.groups.loading import Groups
from evenkeel.dashboard.groups.tables import (
    GroupList,
    Line,
    drawn_columns,
    fold_of,
    header_of,
    line_of,
    segments,
    shown,
)
from evenkeel.dashboard.groups.words import CLASSES, FINE, NEED, SHORT, headline, readers
from evenkeel.dashboard.parts import table
from evenkeel.dashboard.shares import menu
from evenkeel.dashboard.shell import walk
from evenkeel.data.text.formats import exact

_SEARCH, _SHOW, _PICKED = "groups-search", "groups-show", "groups-picked"


def picked() -> str | None:
    """Return the id of the clicked row in the first run after the click. None in other runs."""
    # The id is removed at once: if this run ends early, no later run opens the group.
    return st.session_state.pop(_PICKED, None)


def remember(source: str, groups: Groups, stop: Callable[[Row], walk.Stop]) -> None:
    """Store the list, so that the tabs of a group can open the next group that needs the reader.

    `source`: as in `walk.remember`.
    """
    walk.remember(source, [stop(row) for row in groups.rows if class_of(row) == NEED])


def show_close(key: str, on_click: Callable[[], None]) -> None:
    """Draw the button that closes the list."""
    st.button("Close", icon=":material/close:", type="tertiary", key=key, on_click=on_click)


def show(groups: Groups, sentence: DeltaGenerator, cluster: str | None = None) -> None:
    """Draw the lines, a cluster's alerts, the search and the table. Write the counts of groups into
    `sentence`.
    """
    choices.write()
    menu.show_link("" if cluster else ", as long as the upload is kept")
    choice = choices.chosen()
    part = shown(groups.rows, choice, is_short=bool(cluster) and alerts.is_open())
    sentence.html(_headline(part, groups.is_behind))
    choices.show_refused()
    has_history = any("lags" in row for row in groups.rows[:1])
    # On a phone the table is drawn only on request.
    is_asked = bool(choice.show or choice.search or choice.topic or not part.lines)
    if part.lines:
        lines = [_drawn(line, choice) for line in part.lines]
        if part.listed and not is_asked:
            lines.append(fold_of(FINE, part.total, choice) | {"isNarrow": True})
        finding_list.show(lines, has_history, _pick, choices.turn_fold)
    if cluster:
        alerts.show(cluster, [name_of(row) for row in groups.rows if class_of(row) == NEED])
    _show_choices(part, choice)
    if choice.topic:
        names = [name_of(row) for row in groups.rows if reads(row, choice.topic)]
        _say_readers(choice.topic, names)
    elif choice.search:
        names = [
            name_of(row) for row in groups.rows if row["summary"] and reads(row, choice.search)
        ]
        if names:
            _say_readers(choice.search, names)
    is_open = is_asked or choice.unfolds(FINE)
    with st.container(key="groups-asked" if is_open else "groups-fine"):
        _show_table(part, choice)


def _drawn(line: Line, choice: ListFilter) -> dict[str, Any]:
    match line:
        case str():
            return {"note": line}
        case tuple():
            return fold_of(*line, choice)
    return line_of(line)


def _headline(part: GroupList, is_behind: bool) -> str:
    if is_behind and not part.counts.keys() - {"unknown"}:
        return (
            f'<h1 class="counts" role="status">Looking at {exact(sum(part.counts.values()))} groups'
            " …</h1>"
        )
    words = [
        f"<b class={'bad' if name == NEED else 'count'}>{number}</b> {escape(text)}"
        for name, (number, text) in zip(
            [name for name in CLASSES if part.counts[name]],
            headline(part.counts),
            strict=True,
        )
    ]
    return f'<h1 class="counts">{", ".join(words) or "No group"}</h1>'


def _pick(row_id: str) -> None:
    st.session_state[_PICKED] = row_id


def _show_choices(part: GroupList, choice: ListFilter) -> None:
    if st.session_state.get(_SEARCH, "").strip() != choice.search:
        # Not in every run, because the reader may be typing while the page is drawn.
        st.session_state[_SEARCH] = choice.search
    counts = segments(part.counts, part.passing)
    if choice.show and choice.show not in counts:
        counts[choice.show] = 0
    texts = {
        name: f"{'All' if name == ALL else SHORT[name]} :gray[{exact(number)}]"
        for name, number in counts.items()
    }
    chosen = choice.show or (FINE if FINE in counts else None)
    st.session_state[_SHOW] = chosen
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key="home-choices"
    ):
        st.text_input(
            "Search",
            key=_SEARCH,
            placeholder="Group, topic, member, host",
            label_visibility="collapsed",
            width=340,
            icon=":material/search:",
            live="300ms",
            on_change=lambda: choices.choose(search=st.session_state[_SEARCH].strip()),
        )
        st.segmented_control(
            "Class",
            list(texts),
            key=_SHOW,
            default=chosen,
            format_func=texts.__getitem__,
            label_visibility="collapsed",
            on_change=_choose_class,
        )
        if choice.topic:
            st.button(
                f"topic {choice.topic}",
                icon=":material/close:",
                key="groups-topic",
                on_click=lambda: choices.choose(topic=""),
            )


def _choose_class() -> None:
    name = st.session_state[_SHOW]
    choices.choose(show=None if name == FINE else name)


def _say_readers(topic: str, names: list[str]) -> None:
    st.html(f'<p class="note" role="status">{escape(readers(topic, names))}</p>')


def _show_table(part: GroupList, choice: ListFilter) -> None:
    if not part.listed and (part.lines or not (choice.show or choice.search or choice.topic)):
        return
    columns = drawn_columns(part.listed, choice)
    rows = [
        {"id": row["id"], "cells": [column.cell(row) for column in columns]} for row in part.listed
    ]
    last = part.first + len(rows)
    table.show(
        "Groups",
        "groups home",
        {
            "columns": [header_of(column) for column in columns],
            "rows": rows,
            "picks": True,
            "none": "" if rows else _none(choice),
            "foot": {
                "text": f"{exact(part.first + 1)}–{exact(last)} of {exact(part.total)}"
                if rows
                else "",
                "page": part.page,
                "pages": part.page_count,
            },
            "sort": choice.sort,
        },
        key="groups",
        picked=_pick,
        sorted=lambda column: choices.choose(sort=column),
        paged=lambda page: choices.choose(page=int(page)),
    )


def _none(choice: ListFilter) -> str:
    if choice.search:
        return (
            f"No group has “{choice.search}” in its name, or in the name of a topic,"
            " member or host."
        )
    return "No group is in this class."
