"""Charts of lag and partitions of the members, by the number of members. A click on a member picks it."""

import streamlit as st

from evenkeel.assignors.figures.balance import Balance
from evenkeel.assignors.figures.comparison import Row
from evenkeel.dashboard import loading
from evenkeel.dashboard.charts import count_histogram, dumbbells, member_bars, rank_curve
from evenkeel.dashboard.charts.loads import no_lag
from evenkeel.dashboard.view import View
from evenkeel.dashboard.widgets.compare import member_picker
from evenkeel.dashboard.widgets.parts import plot
from evenkeel.dashboard.words.names import under
from evenkeel.data.words.formats import compact_sum, exact

_MOST_ROWS = 60


def show(view: View, current: Row, candidate: Row) -> None:
    """Draw bars for up to 24 members, dumbbells up to 60, beyond that a rank curve, the worst 15 and a histogram."""
    shown = (view.names, view.order, current.balance, candidate.balance, candidate.name)
    finding = _finding(view, current, candidate)
    member_count = len(view.names)
    if member_count <= member_bars.MOST_MEMBERS:
        _picking_chart(member_bars.member_bars, shown, "member-bars", finding, view)
    elif member_count <= _MOST_ROWS:
        _picking_chart(dumbbells.all_members, shown, "member-dumbbells", finding, view)
    elif not no_lag(current.balance, candidate.balance):
        left, middle, right = st.columns([42, 36, 22])
        with left:
            curve = loading.figure(view, [candidate.name], rank_curve.rank_curve, current.balance, candidate.balance, candidate.name)
            plot.show(curve, "rank-curve", finding)
        with middle:
            _picking_chart(dumbbells.worst_members, shown, "worst-members", finding, view)
        with right:
            _show_histogram(view, current, candidate)
    else:
        st.caption(f"{no_lag(current.balance, candidate.balance).capitalize()}.")
        _show_histogram(view, current, candidate)
    _say_what_is_shared(view, current, candidate)


def _say_what_is_shared(view: View, *rows: Row) -> None:
    """Explain the bars of a share group: they add up to more than its lag."""
    if view.observed.group_type == "share" and any(row.assignment and row.assignment.extra.size for row in rows):
        st.caption("Lag of the partitions a member reads; a shared one counts at each reader.")


def show_current(view: View, current: Row) -> None:
    """Draw the current assignment alone, in large groups the members furthest behind; nothing if the owners are unknown."""
    if current.balance is None:
        return
    draw = member_bars.member_bars if len(view.names) <= member_bars.MOST_MEMBERS else dumbbells.all_members
    finding = f"Lag and partitions per member now, at most {_worst(current.balance)} records"
    figure = loading.figure(view, [], draw, view.names, view.order[:_MOST_ROWS], current.balance, None, "")
    plot.show(figure, "members-now", finding)
    _say_what_is_shared(view, current)


def _show_histogram(view: View, current: Row, candidate: Row) -> None:
    now = exact(current.balance and current.balance.idle_members)
    idle = f"{now} members idle now, {candidate.balance.idle_members} {under(candidate.name)}"
    drawn = loading.figure(view, [candidate.name], count_histogram.count_histogram, current.balance, candidate.balance, candidate.name)
    plot.show(drawn, "count-histogram", f"Partitions per member: {idle}")


def _picking_chart(draw, shown: tuple, key: str, finding: str, view: View) -> None:
    figure = loading.figure(view, [], draw, *shown)
    # Picked in the callback: Streamlit clears a selection when the figure changes, even under the same key.
    plot.show(figure, key, finding, lambda: member_picker.pick_from(key, view))


def _finding(view: View, current: Row, candidate: Row) -> str:
    if current.balance is None:
        most = f"at most {_worst(candidate.balance)} records"
        return f"Lag and partitions per member {under(candidate.name)}, {most}; the current owners are unknown"
    if not len(view.order) or current.balance.max_lag is None:
        return f"Partitions per member, now and {under(candidate.name)}; lag is unknown"
    worst = view.names[view.order[0]]
    after = _worst(candidate.balance)
    return f"{worst} is furthest behind now with {_worst(current.balance)} records; {under(candidate.name)} the worst member has {after}"


def _worst(balance: Balance) -> str:
    return compact_sum(balance.max_lag, balance.lag_is_partial)
