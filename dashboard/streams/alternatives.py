"""Results of the other task assignors, and the time to balance with other settings."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from evenkeel.assignors import TASK_ASSIGNORS
from evenkeel.assignors.kafka.streams.assignor import StreamsSettings
from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.rounds.streams import GridPoint
from evenkeel.dashboard.parts.task_tables import (
    Cell,
    Downtime,
    GridRow,
    Place,
    downtime,
    extra_copies,
    grid_rows,
    suggested,
)
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.loading.applications import (
    AssignorRounds,
    Grid,
    answered,
    balance_times,
)
from evenkeel.dashboard.streams.what_if import view_at
from evenkeel.dashboard.view import ApplicationView, OpenGroup
from evenkeel.data.text.formats import UNKNOWN, compact, count, duration, exact, round_number

_PATIENCE = 0.2
"""Seconds to wait. The table shows the first rebalance, which is computed within this time."""


def views(opened: OpenGroup) -> dict[str, ApplicationView]:
    """Return the application at the open step, for each assignor.

    The earlier steps were computed with the same assignor.
    """
    return {name: view_at(opened, name) for name in TASK_ASSIGNORS}


def downtimes(shown: Mapping[str, ApplicationView]) -> list[Downtime]:
    """Return the stopped tasks under each assignor; assignors without an answer are left out."""
    answers = ((name, answered(view, name, _PATIENCE).task_rounds) for name, view in shown.items())
    return [downtime(shown[name], name, rounds) for name, rounds in answers if rounds]


# All assignors in a table: the tasks that each assignor would stop now, for how long, and the time
# until the application is balanced.


_LEGACY = "legacy-sticky"
_HEADS = ("stateful, most / fewest", "moved now", "stopped", "longest", "to restore", "balanced")


def show_downtimes(rows: Sequence[Downtime], chosen: str) -> None:
    """Draw the assignors as a table, with a sentence about `legacy-sticky` above it."""
    legacy = next((row for row in rows if row.name == _LEGACY), None)
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    body = "".join(_downtime_row(row, chosen) for row in rows)
    st.html(
        f'<p class="task-legend"><b>Before KIP-441:</b> {_finding(legacy)}</p>'
        '<div class="restarts'
        f' downtimes"><table><thead><tr><th>Assignor</th>{heads}'
        f"</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _finding(row: Downtime | None) -> str:
    if row is None:
        return "the answer is unknown"
    if row.stopped is None:
        return (
            "whether a task would stop now is unknown, because the end offsets of changelogs are"
            " unknown"
        )
    if not row.stopped:
        return "no task would stop now"
    time = f" for up to {duration(row.seconds)}" if row.seconds is not None else ""
    return (
        f'<b class="worse">{count(row.stopped, "task")} would stop{time} to restore'
        f" {compact(row.records)} records</b>"
    )


def _downtime_row(row: Downtime, chosen: str) -> str:
    is_bad = bool(row.seconds and row.seconds >= 1) or (row.seconds is None and row.stopped)
    tone = ' class="worse"' if is_bad else ""
    longest = UNKNOWN
    if row.seconds is not None:
        longest = "< 1 s" if 0 < row.seconds < 1 else duration(row.seconds)
    in_use = ' <span class="note">shown</span>' if row.name == chosen else ""
    most, fewest = row.state
    cells = (
        f"<td>{exact(most)} /"
        f" {exact(fewest)}</td><td>{exact(row.moved)}</td>"
        f"<td{tone}>{exact(row.stopped)}</td><td{tone}>{longest}</td>"
        f"<td{tone}>{compact(row.records)}</td><td>{_balanced(row)}</td>"
    )
    return f"<tr><th>{escape(row.name)}{in_use}</th>{cells}</tr>"


def _balanced(row: Downtime) -> str:
    if not row.is_whole:
        return "…"
    if row.is_endless:
        return '<b class="worse">never</b>'
    if not row.is_balanced:
        return "later"
    if row.to_balance is None or row.stopped is None:
        return UNKNOWN
    if row.to_balance or row.seconds is None:
        return f"in {duration(row.to_balance)}" if row.to_balance else "at once"
    return f"in {duration(row.seconds)}" if row.seconds >= 1 else "at once"


# Time to balance by max.warmup.replicas and acceptable.recovery.lag, with the number of extra
# copies.


_AT_ONCE = 20_000
"""Instances times tasks. In a larger application, the grid is only computed if a person clicks a
button.
"""

_NO_WARMUPS = (
    "does not depend on max.warmup.replicas and acceptable.recovery.lag: only high-availability"
    " has warm-ups"
)
_STANDBYS, _INTERVALS = (0, 1, 2), (60_000, 300_000, 600_000)


def show_grid(view: ApplicationView, answered: AssignorRounds) -> None:
    """Draw the grid of times to balance by settings. Cells appear as soon as they are computed."""
    assignor = answered.assignor
    if assignor.name != HighAvailabilityTaskAssignor.name:
        st.html(
            '<p class="task-legend"><span class="heading"><b>Time to balance</b>'
            f" {_NO_WARMUPS}</span></p>"
        )
        return
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key="grid-heading"
    ):
        heading = st.container()
        standbys, interval = _others(view, assignor)
    words = f"by max.warmup.replicas × acceptable.recovery.lag{_with(assignor, standbys, interval)}"
    heading.html(
        f'<p class="task-legend"><span class="heading"><b>Time to balance</b> {words}</span></p>',
        width="content",
    )
    size = view.snapshot.process_count * view.snapshot.task_count
    text = f"grid-{view.opened}-{view.digest}"
    if size > _AT_ONCE and not st.session_state.get(text):
        st.button(
            "Compute the grid",
            key="grid-compute",
            on_click=st.session_state.__setitem__,
            args=(text, True),
            help="This application is large, so the grid may take minutes. It is computed in the"
            " background.",
        )
        return
    grid = balance_times(view, assignor, standbys, interval)
    if grid.is_whole:
        _draw(answered, grid)
    else:
        _look(view, answered, standbys, interval)


def _others(view: ApplicationView, assignor: StreamsSettings) -> tuple[int, int]:
    """Draw select boxes for num.standby.replicas and probing.rebalance.interval.ms.

    Return both values.
    """
    key = f"{view.opened}-{assignor.name}"
    with st.popover(
        "Settings",
        icon=":material/tune:",
        type="tertiary",
        key="icon-grid",
    ):
        standbys = _choose(
            "num.standby.replicas",
            {*_STANDBYS, assignor.num_standby_replicas},
            assignor.num_standby_replicas,
            key,
        )
        interval = _choose(
            "probing.rebalance.interval.ms",
            {*_INTERVALS, assignor.probing_rebalance_interval_ms},
            assignor.probing_rebalance_interval_ms,
            key,
        )
    return standbys, interval


def _choose(name: str, options: set[int], own: int, key: str) -> int:
    listed = sorted(options)
    return st.selectbox(
        name, listed, listed.index(own), format_func=exact, key=f"grid-{name}-{key}"
    )


def _with(assignor: StreamsSettings, standbys: int, interval: int) -> str:
    other = [f"{count(standbys, 'standby')}"] * (standbys != assignor.num_standby_replicas)
    other += [f"every {duration(interval / 1000)}"] * (
        interval != assignor.probing_rebalance_interval_ms
    )
    return f", {', '.join(other)}" if other else ""


@st.fragment(run_every=0.7)
def _look(view: ApplicationView, answered: AssignorRounds, standbys: int, interval: int) -> None:
    grid = balance_times(view, answered.assignor, standbys, interval)
    if grid.is_whole:
        address.draw_again()
    _draw(answered, grid)


def _draw(answered: AssignorRounds, grid: Grid) -> None:
    assignor = answered.assignor
    _show_table(
        grid.warmups,
        grid.lags,
        grid.points,
        (assignor.max_warmup_replicas, assignor.acceptable_recovery_lag),
    )


# The settings grid as a table. A darker cell means a longer time.


_LARGEST_LONG = 2**63 - 1
_LEAST, _MOST = 4, 38
"""Least and most per cent of ink in a cell."""


def _show_table(
    warmups: tuple[int, ...], lags: tuple[int, ...], points: Mapping[Place, GridPoint], now: Place
) -> None:
    """Draw the grid as a table, with a legend for its framed cells."""
    rows = grid_rows(warmups, lags, points, now)
    most = max((row.extra or 0 for row in rows), default=0)
    heads = "".join(
        f"<th>{'∞' if lag == _LARGEST_LONG else round_number(lag)}</th>" for lag in lags
    )
    body = "".join(_row(row, most) for row in rows)
    st.html(
        f'<div class="settings-grid"><table><thead><tr><th></th>{heads}<th class="extra">extra'
        f" copies</th></tr></thead><tbody>{body}</tbody></table></div>{_legend(points, now)}"
    )


def _row(row: GridRow, most: int) -> str:
    extra = (
        ""
        if row.extra is None
        else (
            f'<i style="width:{round(40 * row.extra / most) if most else 0}px">'
            f"</i>+{exact(row.extra)}"
        )
    )
    return (
        f"<tr><th>{exact(row.warmups)}</th>{''.join(map(_cell, row.cells))}<td"
        f' class="extra">{extra}</td></tr>'
    )


def _cell(cell: Cell) -> str:
    share = _LEAST + (_MOST - _LEAST) * cell.shade
    return (
        f'<td class="{cell.mark}" style="--share:{share:.0f}%"'
        f' title="{escape(cell.title)}">{cell.text}</td>'
    )


def _legend(points: Mapping[Place, GridPoint], now: Place) -> str:
    best = suggested(points, now)
    texts = [
        ("now", "set now", now),
        ("best", f"with {count(best[0], 'warm-up')}" if best else "", best),
    ]
    text = "".join(
        f'<span><i class="frame {kind}"></i>{word}: {_time(points[place])},'
        f" {_copies(points[place])}</span>"
        for kind, word, place in texts
        if place and place in points
    )
    return f'<p class="task-legend grid-legend">{text}</p>'


def _copies(point: GridPoint) -> str:
    extra = extra_copies(point)
    return f"{exact(extra)} extra {'copy' if extra == 1 else 'copies'}"


def _time(point: GridPoint) -> str:
    if point.seconds is None:
        return "unknown" if point.is_balanced else "never"
    return duration(point.seconds) if point.seconds else "at once"
