"""Time to balance by max.warmup.replicas and acceptable.recovery.lag, beside the extra copies that it takes."""

import streamlit as st

from evenkeel.assignors.kafka.streams.high_availability import HighAvailabilityTaskAssignor
from evenkeel.assignors.protocol import TaskAssignor
from evenkeel.dashboard.loading.applications import Answered, Grid, balance_times
from evenkeel.dashboard.view import ApplicationView
from evenkeel.dashboard.widgets.streams.alternatives import grid_table
from evenkeel.data.words.formats import count, duration, exact

_AT_ONCE = 20_000
"""Processes times tasks: the grid of a larger application is computed when a person asks for it."""

_NO_WARMUPS = "by settings: only high-availability has warm-ups and reads max.warmup.replicas and acceptable.recovery.lag"
_STANDBYS, _INTERVALS = (0, 1, 2), (60_000, 300_000, 600_000)


def show(view: ApplicationView, answered: Answered) -> None:
    """Draw the grid; it fills while it is computed."""
    assignor = answered.assignor
    if assignor.name != HighAvailabilityTaskAssignor.name:
        st.html(f'<p class="task-legend"><span class="heading"><b>Time to balance</b> {_NO_WARMUPS}</span></p>')
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="grid-heading"):
        heading = st.container()
        standbys, interval = _others(view, assignor)
    words = f"by max.warmup.replicas × acceptable.recovery.lag{_with(assignor, standbys, interval)}"
    heading.html(f'<p class="task-legend"><span class="heading"><b>Time to balance</b> {words}</span></p>', width="content")
    size = view.snapshot.process_count * view.snapshot.task_count
    asked = f"grid-{view.opened}-{view.digest}"
    if size > _AT_ONCE and not st.session_state.get(asked):
        st.button(
            "Compute the grid",
            key="grid-compute",
            on_click=st.session_state.__setitem__,
            args=(asked, True),
            help="This application is large: it may take minutes, behind the page.",
        )
        return
    grid = balance_times(view, assignor, standbys, interval)
    if grid.is_whole:
        _draw(view, answered, grid)
    else:
        _look(view, answered, standbys, interval)


def _others(view: ApplicationView, assignor: TaskAssignor) -> tuple[int, int]:
    """Draw the choice of the other two settings; return num.standby.replicas and probing.rebalance.interval.ms."""
    key = f"{view.opened}-{assignor.name}"
    with st.popover("Standbys and interval of the grid", icon=":material/tune:", type="tertiary", key="icon-grid"):
        standbys = _choose("num.standby.replicas", {*_STANDBYS, assignor.num_standby_replicas}, assignor.num_standby_replicas, key)
        interval = _choose(
            "probing.rebalance.interval.ms",
            {*_INTERVALS, assignor.probing_rebalance_interval_ms},
            assignor.probing_rebalance_interval_ms,
            key,
        )
    return standbys, interval


def _choose(name: str, options: set[int], own: int, key: str) -> int:
    options = sorted(options)
    return st.selectbox(name, options, options.index(own), format_func=exact, key=f"grid-{name}-{key}")


def _with(assignor: TaskAssignor, standbys: int, interval: int) -> str:
    other = [f"{count(standbys, 'standby')}"] * (standbys != assignor.num_standby_replicas)
    other += [f"every {duration(interval / 1000)}"] * (interval != assignor.probing_rebalance_interval_ms)
    return f", {', '.join(other)}" if other else ""


@st.fragment(run_every=0.7)
def _look(view: ApplicationView, answered: Answered, standbys: int, interval: int) -> None:
    grid = balance_times(view, answered.assignor, standbys, interval)
    if grid.is_whole:
        st.rerun()
    _draw(view, answered, grid)


def _draw(view: ApplicationView, answered: Answered, grid: Grid) -> None:
    assignor = answered.assignor
    grid_table.show(grid.warmups, grid.lags, grid.points, (assignor.max_warmup_replicas, assignor.acceptable_recovery_lag))
