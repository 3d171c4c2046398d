"""The rows of the group list, a page at a time; a click picks a group."""

import math
from functools import partial

import pandas as pd
import streamlit as st

from dashboard import loading
from dashboard.formats import UNKNOWN, exact

_PICKED, _PICKS = "groups-picked", "groups-picks"
_PAGE = 50
_NUMBER = "groups-page"
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
    "lag_change": "Lag change",
    "max_lag": "Worst partition",
    "unknown_lag_count": "Lag unknown",
    "problem": "Cannot be seen",
}


def picked() -> str | None:
    """Return once the group that was clicked."""
    return st.session_state.pop(_PICKED, None)


def show(groups: pd.DataFrame, total: int, before: loading.LiveList | None) -> None:
    """Draw one page of rows, with what their lags were before."""
    if groups.empty:
        st.info(f"None of the {exact(total)} groups passes the filters.")
        return
    pages = math.ceil(len(groups) / _PAGE)
    first = (min(st.session_state.get(_NUMBER, 1), pages) - 1) * _PAGE
    rows = groups.iloc[first : first + _PAGE]
    left_out = {"lag_change"} if before is None else set()
    left_out |= {"problem"} if rows["problem"].isna().all() else set()
    shown = _with_change(rows, before)[[name for name in _HEADERS if name not in left_out]].rename(columns=_HEADERS)
    numbers = {name: st.column_config.NumberColumn(format="localized") for name in shown.columns if pd.api.types.is_numeric_dtype(shown[name])}
    key, group_ids = f"groups-rows-{first}-{st.session_state.get(_PICKS, 0)}", rows["group_id"].tolist()
    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        row_height=_ROW,
        height=min(_ROW * len(shown) + _HEAD, _ROW * 20 + _HEAD),
        placeholder=UNKNOWN,
        column_config=numbers,
        on_select=partial(_pick, key, group_ids),
        selection_mode="single-row",
        alt="Groups, the one with the most lag first",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{exact(first + 1)} to {exact(first + len(rows))} of {exact(len(groups))}. Click the box before a group to open it.", width="content")
        st.space("stretch")
        if pages > 1:
            _show_page(pages)


def is_whole(groups: pd.DataFrame) -> pd.Series:
    """Tell of each group whether its lag is that of all its partitions: none is unknown, and nothing of it cannot be seen."""
    return (groups["unknown_lag_count"] == 0) & groups["problem"].isna()


def _pick(key: str, group_ids: list[str]) -> None:
    """Keep the group that was clicked among the rows as they were drawn then: the next reading may order them otherwise, for which reason no tick stays either."""
    for row in st.session_state[key].selection.rows:
        st.session_state[_PICKED] = group_ids[row]
        st.session_state[_PICKS] = st.session_state.get(_PICKS, 0) + 1


def _with_change(rows: pd.DataFrame, before: loading.LiveList | None) -> pd.DataFrame:
    """Add by how much each lag has grown since it was read before; unknown where one of both lags is, or a part of it."""
    if before is None:
        return rows
    known = [one[is_whole(one)].set_index("group_id")["lag"] for one in (rows, before.groups)]
    return rows.assign(lag_change=rows["group_id"].map(known[0].sub(known[1]).reindex(rows["group_id"])))


def _show_page(pages: int) -> None:
    if st.session_state.get(_NUMBER, 1) > pages:
        st.session_state[_NUMBER] = pages
    st.html(f'<span class="note">Page of {exact(pages)}</span>', width="content")
    st.number_input(f"Page of {pages:,}", 1, pages, key=_NUMBER, width=160, label_visibility="collapsed")
