"""The figure of the Timeline."""

import time
from collections.abc import Sequence

import streamlit as st

from evenkeel.assignors.history.replay import Regret
from evenkeel.dashboard.charts.timeline.figure import Areas, Marks, Owners, Replayed, Span, timeline
from evenkeel.dashboard.loading.history.timelines import Timeline, regret_of
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.widgets.history import owner_count
from evenkeel.dashboard.widgets.parts import plot
from evenkeel.dashboard.words.events import finding
from evenkeel.dashboard.words.times import clock
from evenkeel.data.words.formats import compact, count

_LATE_SECONDS, _LATE_STEPS = 60.0, 3
"""A reading that is older than so many steps and a minute is not now."""


def show(group: Opened, shown: Timeline, moments: Sequence[float]) -> None:
    """Draw it, or say that no lag is known. `moments`: times of A and B, or none."""
    if not shown.lags.time.size:
        st.info("The lag of every partition is unknown in this range, so nothing is drawn.")
        return
    regret = regret_of(group, shown)
    replayed = _replayed(regret, shown)
    rows, partitions, topics = owner_count.chosen(shown)
    owners = Owners(rows, shown.owner_names, partitions, shown.partition_count, topics, shown.topic_names)
    marks = Marks(shown.bursts, moments, *_end(shown))
    span = Span(shown.since, shown.until, shown.ahead)
    figure = timeline(Areas(shown.lags, shown.names), owners, marks, span, replayed)
    plot.show(figure, "timeline", _in_words(shown, replayed))
    owner_count.choose(shown)
    if regret is None:
        _wait(group, shown)


@st.fragment(run_every=0.7)
def _wait(group: Opened, shown: Timeline) -> None:
    """Draw the page again when other assignors have been asked."""
    if regret_of(group, shown) is not None:
        st.rerun()


def _replayed(regret: Regret | None, shown: Timeline) -> Replayed | None:
    """Return None for a group that no other assignor serves."""
    if regret is None:
        return Replayed(None)
    return Replayed(regret, finding(regret, shown.is_stalled_at_peak)) if regret.time.size else None


def _in_words(shown: Timeline, replayed: Replayed | None) -> str:
    lags, rebalances = shown.lags.total, count(sum(len(burst.rows) for burst in shown.bursts), "rebalance")
    told = f"Lag by member: {compact(float(lags[-1]))} at the end, at most {compact(float(lags.max()))}; {rebalances}"
    return f"{told}; {replayed.finding}" if replayed and replayed.finding else told


def _end(shown: Timeline) -> tuple[str, str]:
    """`now 14:02` and `now`; `last reading 14:02` and `at 14:02` where that is long ago, `14:02` where there are later ones."""
    at, seen = clock(shown.until), f"at {clock(shown.seen_until)}"
    if not shown.is_last:
        return at, seen
    is_late = time.time() - shown.until > _LATE_SECONDS + _LATE_STEPS * shown.step_seconds
    return f"{'last reading' if is_late else 'now'} {at}", seen if is_late or shown.gone_count else "now"
