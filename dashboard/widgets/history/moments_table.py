"""Two moments side by side: A, which a click on an event sets, and B, the last reading; a button opens Moves with both."""

from html import escape

import streamlit as st

from dashboard.charts.timeline.time_axis import clock
from dashboard.loading.history.timelines import Timeline
from dashboard.loading.history.two_moments import TwoMoments, moment_of, two_moments
from dashboard.view import Opened
from dashboard.widgets.opening import opened
from dashboard.widgets.parts import address
from dashboard.words.formats import change, compact, exact
from data.lake.history.moment import parted

_KEY, _LINK = "moment-a", "a"


def first(shown: Timeline) -> float:
    """Return A: what the address says, else what was clicked, else where the range begins."""
    linked = address.take(_LINK)
    if linked is not None and linked.isdecimal():
        st.session_state[_KEY] = float(linked)
    elif linked is not None:
        address.refuse(_LINK, f"The address asks for the moment “{linked[:40]}”, expected seconds since 1970.")
    elif address.is_followed():
        st.session_state.pop(_KEY, None)
    chosen = st.session_state.get(_KEY)
    is_inside = chosen is not None and shown.since <= chosen < shown.until
    address.show(a=str(int(chosen)) if is_inside else None)
    address.show_refused(_LINK)
    return chosen if is_inside else shown.since


def pick(time: float) -> None:
    """Make another moment A; for callbacks."""
    # The address has whole seconds: the reading that began within this one counts.
    st.session_state[_KEY] = float(int(time) + 1)
    address.chosen(_LINK)


def show(group: Opened, shown: Timeline, time: float) -> None:
    """Draw the table and the button; nothing where the range has one reading."""
    found = two_moments(group, time, shown.until)
    if found is None:
        return
    st.html(_table(found))
    if st.button("Compare these two moments", icon=":material/compare_arrows:", width="stretch", key="compare-moments"):
        _compare(group, found)


def _compare(group: Opened, found: TwoMoments) -> None:
    later = group._replace(batch=parted(found.batch[1])[0])
    since = moment_of(later, found.batch[0])
    if since is None:
        st.warning("The group is not listed at A, so there is nothing to compare.")
        return
    opened.open_group(later)
    address.lead_to(since=since)
    st.switch_page("app_pages/moves.py", query_params={"since": since})


def _table(found: TwoMoments) -> str:
    members = tuple(f"{exact(number)}, {exact(idle)}" for number, idle in zip(found.members, found.idle, strict=True))
    rows = [
        ("Total lag", *map(compact, found.lag), change(*found.lag)),
        ("Worst member", *map(compact, found.worst), change(*found.worst)),
        ("Members, idle", *members, ""),
        ("Owners changed", "", f"{exact(found.changed_count)} of {exact(found.partition_count)}", ""),
    ]
    head = "".join(f"<th><b>{letter}</b> {clock(time)}</th>" for letter, time in zip("AB", found.time, strict=True))
    body = "".join(f"<tr><th>{name}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>" for name, *cells in rows)
    return f'<table class="two-moments"><thead><tr><th>Two moments</th>{head}<th></th></tr></thead><tbody>{body}</tbody></table>'
