"""Members on Assignors: charts, the chosen member with its partitions, and a table of members."""

from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from evenkeel.assignors.compare.balance import Balance
from evenkeel.assignors.compare.comparison import Row
from evenkeel.assignors.protocol import SHARE
from evenkeel.dashboard.best import why
from evenkeel.dashboard.compare import many_members, member_bars
from evenkeel.dashboard.names import UNDER, literal, under
from evenkeel.dashboard.parts import long_table, move_tables, plot
from evenkeel.dashboard.parts.facts import LAG, PARTITIONS
from evenkeel.dashboard.parts.loads import count_load, lag_load, no_lag
from evenkeel.dashboard.parts.move_tables import LAG_UNKNOWN
from evenkeel.dashboard.shell.loading import views
from evenkeel.dashboard.view import Change, View
from evenkeel.data.text.formats import UNKNOWN, compact_sum, exact


def show_charts(view: View, current: Row, candidate: Row) -> None:
    """Draw bars for up to 24 members, and lines with two ends for up to 60 members.

    For larger groups, draw a rank curve, the worst 15 members and a histogram.
    """
    shown = (view.names, view.order, current.balance, candidate.balance, candidate.name)
    finding = _finding(view, current, candidate)
    member_count = len(view.names)
    if member_count <= member_bars.MOST_MEMBERS:
        _show_panels(member_bars.member_bars, shown, "member-bars", finding, view)
    elif member_count <= member_bars.MOST_ROWS:
        _show_panels(member_bars.all_members, shown, "member-dumbbells", finding, view)
    elif not no_lag(current.balance, candidate.balance):
        left, middle, right = st.columns([42, 36, 22])
        with left:
            curve = views.figure(
                view,
                [candidate.name],
                many_members.rank_curve,
                current.balance,
                candidate.balance,
                candidate.name,
            )
            plot.show(curve, "rank-curve", finding)
        with middle:
            _picking_chart(member_bars.worst_members, shown, "worst-members", finding, view)
        with right:
            _show_histogram(view, current, candidate)
    else:
        st.caption(f"{no_lag(current.balance, candidate.balance).capitalize()}.")
        _show_histogram(view, current, candidate)
    _say_what_is_shared(view, current, candidate)


def _say_what_is_shared(view: View, *rows: Row) -> None:
    """Explain the bars of a share group, because their sum is more than the group's lag."""
    if view.observed.group_type == SHARE and any(
        row.assignment and row.assignment.extra.size for row in rows
    ):
        st.caption(
            "Lag of the partitions that a member reads; a shared partition counts for"
            " each of its readers."
        )


def show_current(view: View, current: Row) -> None:
    """Draw the current assignment. In large groups, draw only the members with the most lag.

    Draw nothing if the owners are unknown.
    """
    if current.balance is None:
        return
    draw = (
        member_bars.member_bars
        if len(view.names) <= member_bars.MOST_MEMBERS
        else member_bars.all_members
    )
    finding = f"Lag and partitions per member now, at most {_worst(current.balance)} records"
    shown = (view.names, view.order[: member_bars.MOST_ROWS], current.balance, None, "")
    _show_panels(draw, shown, "members-now", finding, view)
    _say_what_is_shared(view, current)


def _show_histogram(view: View, current: Row, candidate: Row) -> None:
    now = exact(current.balance and current.balance.idle_members)
    idle = (
        f"{now} members idle now, {candidate.balance and candidate.balance.idle_members}"
        f" {under(candidate.name)}"
    )
    drawn = views.figure(
        view,
        [candidate.name],
        many_members.count_histogram,
        current.balance,
        candidate.balance,
        candidate.name,
    )
    plot.show(drawn, "count-histogram", f"Partitions per member: {idle}")


def _show_panels(draw, shown: tuple, key: str, finding: str, view: View) -> None:
    """Draw lag and partitions side by side. In a narrow window, draw partitions below lag."""
    if not plot.width():
        _picking_chart(draw, shown, key, finding, view)
        return
    _, _, current, candidate, _ = shown
    for place in range(1 if no_lag(current, candidate) else 2):
        _picking_chart(draw, (*shown, place), f"{key}-{place}", finding, view)


def _picking_chart(draw, shown: tuple, key: str, finding: str, view: View) -> None:
    figure = views.figure(view, [], draw, *shown)
    # The callback stores the clicked member, because Streamlit clears a selection when the figure
    # changes, even under the same key.
    plot.show(figure, key, finding, lambda: pick_from(key, view))


def _finding(view: View, current: Row, candidate: Row) -> str:
    if current.balance is None:
        most = f"at most {_worst(candidate.balance)} records"
        return (
            f"Lag and partitions per member {under(candidate.name)}, {most}; the current owners are"
            " unknown"
        )
    if not len(view.order) or current.balance.worst_lag is None:
        return f"Partitions per member, now and {under(candidate.name)}; lag is unknown"
    worst = view.names[view.order[0]]
    after = _worst(candidate.balance)
    return (
        f"{worst} has the most lag now, {_worst(current.balance)} records;"
        f" {under(candidate.name)} the worst member has {after}"
    )


def _worst(balance: Balance | None) -> str:
    return compact_sum(balance.worst_lag, balance.lag_is_partial) if balance else UNKNOWN


# Choice of a member by select box or by a click on a chart, and a line with the load of the chosen
# member.


ANCHOR = "partitions-of-a-member"

_KEY = "member"


def picked(view: View) -> int:
    """Return the row number of the chosen member, by default of the worst member.

    A row number that was chosen in another group may not exist in this group.
    """
    row = st.session_state.get(_KEY)
    return row if row is not None and 0 <= row < len(view.names) else int(view.order[0])


def choose(view: View) -> int:
    """Draw the select box, with the worst member first. Return the row number of the chosen
    member.
    """
    members = view.order.tolist()
    # Must run before the select box: Streamlit refuses to set the key of a drawn widget.
    st.session_state[_KEY] = picked(view)
    full = view.observed.snapshot.member_id
    names = [
        name if name == member_id else f"{name} ({member_id})"
        for name, member_id in zip(view.names, full, strict=True)
    ]
    return st.selectbox("Member", members, format_func=names.__getitem__, key=_KEY, width=420)


def pick_from(chart: str, view: View) -> None:
    """Choose the member of a clicked mark; for callbacks. The `customdata` of a mark without a
    member is -1.
    """
    for point in st.session_state[chart].selection.points:
        row = point.get("customdata", [-1])
        row = int(row[0] if isinstance(row, list) else row)
        if 0 <= row < len(view.names):
            st.session_state[_KEY] = row


def show_picked(view: View, current: Row, candidate: Row) -> None:
    """Draw a line about the chosen member: its load now and with the candidate, and a link to the
    table of its partitions.
    """
    member = picked(view)
    loads = (("lag", lag_load), ("partitions", count_load))
    facts = [
        f"{noun} {_text(load, current.balance, member)} → {_text(load, candidate.balance, member)}"
        for noun, load in loads
    ]
    change = f"{' · '.join(facts)} {UNDER} <code>{escape(candidate.name)}</code>"
    st.html(
        f'<div class="picked"><b>{escape(view.names[member])}</b> <span>{change}</span> '
        f'<a href="#{ANCHOR}" target="_self">its partitions ↓</a></div>'
    )


def _text(load, balance: Balance | None, member: int) -> str:
    return load(balance, [member]).short()[0] if balance else UNKNOWN


# Partitions of one member, now and with the candidate.


def show_partitions(view: View, change: Change, member: int, candidate: str) -> None:
    """Draw the table of a member's partitions, most lag first.

    For a partition that the candidate adds or revokes, the table names the other owner. Below the
    table: the reason for the owner of the selected partition.
    """
    frame = move_tables.of_member(view, change, member)
    if frame.empty:
        st.info(f"{literal(view.names[member])} has no partitions, now or {under(candidate)}.")
        return
    key = f"partitions-{candidate}-{member}"
    why.show(frame, f"Partitions of {view.names[member]}", key, why.by_assignor(view, candidate))


# Figures of the charts, as a table.


def show_table(view: View, current: Row, candidate: Row) -> None:
    """Draw a closed box. Its table is computed when the reader opens the box."""
    # Streamlit also runs the body of a closed expander; `open` is known only with
    # `on_change="rerun"`.
    box = st.expander("Figures behind the charts", key="chart-tables", on_change="rerun")
    with box:
        if box.open:
            long_table.show(
                member_figures(view, current, candidate), "Lag and partitions of each member"
            )


def member_figures(view: View, current: Row, candidate: Row) -> pd.DataFrame:
    """Return lag and partitions of every member, in the order of the charts. Unknown is null.

    If some lags are unknown, the lags of members are lower bounds, and a column has each member's
    number of unknown lags.
    """
    member_id = view.comparison.group.member_id
    columns = {
        "Member": [view.names[member] for member in view.order],
        "Member id": [member_id[member] for member in view.order],
    }
    is_partial = any(row.balance and row.balance.lag_is_partial for row in (current, candidate))
    for noun, values in (
        (LAG, _lag),
        *[(LAG_UNKNOWN, _unknown)] * is_partial,
        (PARTITIONS, _count),
    ):
        for word, row in (("now", current), (under(candidate.name), candidate)):
            numbers = (
                values(row.balance, view.order) if row.balance else np.full(len(view.order), np.nan)
            )
            columns[f"{noun} {word}"] = pd.array(numbers, dtype="Float64").astype("Int64")
    return pd.DataFrame(columns)


def _lag(balance: Balance, members: np.ndarray) -> np.ndarray:
    return lag_load(balance, members).values


def _unknown(balance: Balance, members: np.ndarray) -> np.ndarray:
    return balance.unknown_lag_count[members]


def _count(balance: Balance, members: np.ndarray) -> np.ndarray:
    return balance.partition_count[members]
