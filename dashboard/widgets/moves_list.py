"""The list under the Moves charts: partitions by kind, or the members' sums, and the partitions as CSV."""

from functools import partial

import streamlit as st

from dashboard import moves_tables
from dashboard.formats import count, exact
from dashboard.loading import Change, View

_MOST_ROWS = 1_000
_MEMBERS = "By member"
_NUMBER = st.column_config.NumberColumn(format="localized")


def show(view: View, change: Change, file_name: str) -> None:
    """Draw the heading with its choices, then the table; the CSV holds every row of the chosen kind."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        heading = st.empty()
        st.space("stretch")
        kind = st.segmented_control("Rows", [*moves_tables.KINDS, _MEMBERS], default="Moved", required=True, key="moves-kind", label_visibility="collapsed")
        listed = "All" if kind == _MEMBERS else kind
        rows = moves_tables.rows_of(change, listed)
        st.download_button(
            "CSV",
            partial(moves_tables.moves_csv, view, change, rows),
            file_name,
            "text/csv",
            key="moves-csv",
            icon=":material/download:",
            on_click="ignore",
            type="tertiary",
        )
    if kind == _MEMBERS:
        heading.html('<b class="table-title">Members</b> <span class="note">before + added − revoked = after</span>')
        table = moves_tables.by_member(view, change)
        st.dataframe(
            table,
            hide_index=True,
            row_height=28,
            column_config={name: _NUMBER for name in table.columns[1:]},
            alt="Partitions and lag of each member before and after",
        )
        return
    more = f", the first {exact(_MOST_ROWS)}; the CSV has all" if len(rows) > _MOST_ROWS else ""
    noun = f"{kind} partitions" if kind != "All" else "All partitions"
    heading.html(
        f'<b class="table-title">{noun}</b> <span class="note">{exact(len(rows))} of {count(len(change.lag), "partition")}, most lag first{more}</span>'
    )
    if not len(rows):
        st.info(f"No partition is {kind.lower()}.")
        return
    table = moves_tables.by_partition(view, change, rows[:_MOST_ROWS])
    highest = table["Share of the group's lag"].fillna(0).max()
    share = st.column_config.ProgressColumn(format="%.1f %%", min_value=0, max_value=float(highest) or 100.0, color="violet")
    st.dataframe(
        table,
        hide_index=True,
        row_height=28,
        height=min(28 * len(table) + 38, 420),
        placeholder="–",
        column_config={"Lag, records": _NUMBER, "Share of the group's lag": share},
        alt=noun,
    )
