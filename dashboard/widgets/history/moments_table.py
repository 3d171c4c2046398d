"""Two moments side by side; a button opens Moves with both."""

from html import escape

import streamlit as st

from evenkeel.dashboard.loading.history.two_moments import TwoMoments, moment_of
from evenkeel.dashboard.tables.timeline import MomentRow, lag_row, member_row, owner_row
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.opening import by_link, opened
from evenkeel.dashboard.widgets.parts import address
from evenkeel.dashboard.words.times import clock, day
from evenkeel.data.lake.history.instants import parted


def show(group: Opened, found: TwoMoments | None) -> None:
    """Draw the table and the button; nothing where the range has one reading."""
    if found is None:
        return
    st.html(_table(found))
    if st.button("Compare these two moments", icon=":material/compare_arrows:", width="stretch", key="compare-moments"):
        _compare(group, found)


def _compare(group: Opened, found: TwoMoments) -> None:
    later = group._replace(batch=parted(found.batch[1])[0])
    since, until = (moment_of(group, batch) for batch in found.batch)
    if since is None or until is None:
        st.warning(f"The group is not listed at {'A' if since is None else 'B'}, so there is nothing to compare.")
        return
    opened.open_group(later)
    address.lead_to(since=since)
    # With the group: an address without one would close what is open.
    st.switch_page("app_pages/moves.py", query_params=by_link.params(later) | {"since": since})


def _table(found: TwoMoments) -> str:
    rows = [
        lag_row("Total lag", found.lag, found.unknown),
        lag_row("Worst member", found.worst, (0, 0)),
        member_row(found.members, found.idle),
        owner_row(found.changed_count, found.partition_count),
    ]
    days = [day(time) for time in found.time]
    # Two equal times of different days would look like one.
    shown = [f"<small>{one}</small>" if days[0] != days[1] else "" for one in days]
    head = "".join(f"<th><b>{letter}</b> {clock(time)}{one}</th>" for letter, time, one in zip("AB", found.time, shown, strict=True))
    body = "".join(map(_line, rows))
    table = f"<thead><tr><th>Two moments</th>{head}<th>Change</th></tr></thead><tbody>{body}</tbody>"
    return f'<div class="moments"><table class="two-moments">{table}</table></div>'


def _line(row: MomentRow) -> str:
    cells = f"<td>{escape(row.first)}</td><td>{escape(row.second)}</td>"
    return f'<tr><th>{row.name}</th>{cells}<td class="change {row.tone}">{escape(row.change)}</td></tr>'
