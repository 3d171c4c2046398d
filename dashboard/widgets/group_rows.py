"""The rows of the group list, a page at a time; a click opens a group."""

import math

import pandas as pd
import streamlit as st

from dashboard.formats import UNKNOWN, exact

_PAGE = 50
_ROW, _HEAD = 28, 38
_HEADERS = {
    "group_id": "Group",
    "group_type": "Type",
    "state": "State",
    "assignor": "Assignor",
    "member_count": "Members",
    "topic_count": "Topics",
    "partition_count": "Partitions",
    "lag": "Lag",
    "max_lag": "Worst partition",
    "unknown_lag_count": "Lag unknown",
    "problem": "Cannot be seen",
}


def show(groups: pd.DataFrame, total: int) -> str | None:
    """Draw one page of rows and return the group that was clicked."""
    if groups.empty:
        st.info(f"None of the {exact(total)} groups passes the filters.")
        return None
    pages = math.ceil(len(groups) / _PAGE)
    first = (_page(pages) - 1) * _PAGE
    rows = groups.iloc[first : first + _PAGE]
    shown = rows[list(_HEADERS)].rename(columns=_HEADERS)
    if rows["problem"].isna().all():
        shown = shown.drop(columns=_HEADERS["problem"])
    numbers = {name: st.column_config.NumberColumn(format="localized") for name in shown.columns if pd.api.types.is_numeric_dtype(shown[name])}
    clicked = st.dataframe(
        shown,
        key=f"groups-rows-{first}",
        hide_index=True,
        row_height=_ROW,
        height=min(_ROW * len(shown) + _HEAD, _ROW * 20 + _HEAD),
        placeholder=UNKNOWN,
        column_config=numbers,
        on_select="rerun",
        selection_mode="single-row",
        alt="Groups, the one with the most lag first",
    )
    st.caption(f"{exact(first + 1)} to {exact(first + len(rows))} of {exact(len(groups))}. Click the box before a group to open it.")
    return rows["group_id"].iloc[clicked.selection.rows[0]] if clicked.selection.rows else None


def _page(pages: int) -> int:
    if pages == 1:
        return 1
    if st.session_state.get("groups-page", 1) > pages:
        st.session_state["groups-page"] = pages
    return int(st.number_input(f"Page of {pages:,}", 1, pages, key="groups-page", width=160))
