"""The chart of roles over the rounds; a click on a bar shows its round."""

import streamlit as st

from dashboard.charts.numbers.role_counts import RoleCounts, role_counts
from dashboard.charts.parts import frame
from dashboard.charts.role_bars import role_bars
from dashboard.view import ApplicationView, TaskRounds
from data.words.formats import count, exact


def show(view: ApplicationView, found: TaskRounds, number: int) -> None:
    """Draw the chart."""
    counts = role_counts([each.answer for each in found.rounds], view.snapshot.is_stateful)
    st.plotly_chart(role_bars(counts, number), key="role-bars", config=frame.CONFIG, alt=_finding(counts))


def _finding(counts: RoleCounts) -> str:
    rounds = len(counts.in_place) - 1
    now = f"{exact(int(counts.in_place[0]))} of {count(counts.task_count, 'stateful task')} in place now"
    most = count(int(counts.warmup.max()), "warm-up")
    return f"{now}, {exact(int(counts.in_place[-1]))} after {count(rounds, 'round')}; at most {most} at once"
