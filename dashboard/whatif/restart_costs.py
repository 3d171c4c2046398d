"""The costs of a rolling restart after the open step, under each assignor, and what static
membership would save.
"""

from html import escape

import streamlit as st

from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.loading.walks import digests
from evenkeel.dashboard.view import OpenGroup
from evenkeel.dashboard.whatif import loading
from evenkeel.dashboard.whatif.loading import MOST_BATCHES, Restart
from evenkeel.dashboard.whatif.runs import Run
from evenkeel.dashboard.whatif.tables import PILES_UP, restart_columns, restart_rows
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.run.rolling_restart import Order, Times
from evenkeel.data.text.formats import count, exact

_DEFAULTS = Times()


def show(group: OpenGroup, run: Run, step: int) -> None:
    """Draw the expander of the costs. It is closed at first, because the computation restarts each
    member under each assignor.
    """
    with st.expander(
        "What a rolling restart from here would cost", key="restart-costs", on_change="rerun"
    ) as part:
        if part.open:
            _show(group, run, step)


def _show(group: OpenGroup, run: Run, step: int) -> None:
    starts = {
        name: answer.group
        for name, answer in run.answers(step).items()
        if answer.group and answer.group.snapshot.member_count
    }
    if not starts:
        st.info("There are no members to restart.")
        return
    how = _asked(next(iter(starts.values())))
    batches = how.batches(next(iter(starts.values())))
    if batches > MOST_BATCHES:
        restarts = count(batches, "restart")
        st.info(
            f"This would take {restarts}, expected at most {exact(MOST_BATCHES)}. Restart more"
            " members at once."
        )
        return
    _look(group, starts, digests(run.steps[:step])[-1], how)


def _asked(start: ObservedGroup) -> Restart:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        order = st.selectbox(
            "Order", list(Order), format_func=_ORDERS.__getitem__, key="restart-order", width=180
        )
        at_once = st.number_input(
            "At once", 1, start.snapshot.member_count, 1, key="restart-at-once", width=110
        )
        down = st.number_input(
            "Down, seconds",
            0.0,
            86_400.0,
            _DEFAULTS.downtime_seconds,
            key="restart-down",
            width=140,
        )
        beat = st.number_input(
            "heartbeat.interval.ms",
            1,
            600_000,
            int(1000 * _DEFAULTS.heartbeat_seconds),
            key="restart-beat",
            width=180,
        )
        broker = int(1000 * _DEFAULTS.broker_heartbeat_seconds)
        group_beat = st.number_input(
            "group.consumer.heartbeat.interval.ms",
            1,
            600_000,
            broker,
            key="restart-group-beat",
            width=260,
        )
    return Restart(Order(order), int(at_once), Times(float(down), beat / 1000, group_beat / 1000))


_ORDERS = {Order.GROUP: "as listed", Order.HOST: "host by host", Order.RACK: "rack by rack"}


@st.fragment
def _look(group: OpenGroup, starts: dict[str, ObservedGroup], digest: str, how: Restart) -> None:
    costs, waiting = loading.costs(group, starts, digest, how)
    st.html(_table(costs, how))
    if waiting:
        _wait(group, starts, digest, how, waiting)


@st.fragment(run_every=1.0)
def _wait(
    group: OpenGroup,
    starts: dict[str, ObservedGroup],
    digest: str,
    how: Restart,
    waiting: frozenset[str],
) -> None:
    if loading.costs(group, starts, digest, how)[1] != waiting:
        address.draw_again()
    st.html(f'<span class="note">Still computed: {escape(", ".join(sorted(waiting)))}</span>')


def _table(costs: dict[str, loading.Costs], how: Restart) -> str:
    columns = restart_columns(costs)
    groups = [over for over, _ in columns]
    over = "".join(
        f'<th colspan="{groups.count(name)}">{name}</th>' for name in dict.fromkeys(groups)
    )
    heads = "".join(f"<th>{label}</th>" for _, label in columns)
    rows = "".join(_row(row) for row in restart_rows(costs, how.times))
    head = f"<thead><tr><th></th>{over}</tr><tr><th>Assignor</th>{heads}</tr></thead>"
    meaning = _meaning(how.times) + _piles_up(columns)
    return (
        f'<div class="restarts"><table>{head}<tbody>{rows}</tbody></table><p'
        f' class="note">{meaning}</p></div>'
    )


def _row(row: dict) -> str:
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in row["cells"])
    return f"<tr><th>{escape(row['name'])}</th>{cells}</tr>"


def _piles_up(columns: list[tuple[str, str]]) -> str:
    is_known = any(label == PILES_UP for _, label in columns)
    return (
        " Piles up: records that arrive during the time without owner, at the rates of the last"
        " 10 snapshots."
        if is_known
        else ""
    )


def _meaning(times: Times) -> str:
    back = f"that is back within session.timeout.ms ({times.session_timeout_seconds:g} s)"
    static = (
        f"A static member (KIP-345) {back} causes no rebalance; its own partitions wait while it is"
        f" down ({times.downtime_seconds:g} s)."
    )
    if times.downtime_seconds > times.session_timeout_seconds:
        static += " Here the member is down longer, so it costs as much as a dynamic member."
    return (
        "Without owner: partitions × time. A rebalance pauses its stopped partitions for one"
        f" heartbeat. The partitions of a leaving member go to other members. {static} New ids"
        " decide ties: these are one seed's figures."
    )
