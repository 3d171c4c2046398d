"""The Timeline's figure, the button that shows more owners, and the strip above the figure."""

import time
from collections.abc import Sequence
from math import isnan

import streamlit as st

from evenkeel.assignors.timeline.replay import Regret
from evenkeel.dashboard.parts import plot
from evenkeel.dashboard.parts.time_axis import NARROW_NOW, NOW
from evenkeel.dashboard.shell import address
from evenkeel.dashboard.shell.choice import Options
from evenkeel.dashboard.shell.loading.clusters import cluster_of
from evenkeel.dashboard.shell.loading.example import is_example
from evenkeel.dashboard.shell.loading.readings import Range, whole_range
from evenkeel.dashboard.timeline import time_range
from evenkeel.dashboard.timeline.figures.figure import (
    Areas,
    Marks,
    Owners,
    RegretView,
    Span,
    timeline,
)
from evenkeel.dashboard.timeline.figures.lag_panel import Strip, overview
from evenkeel.dashboard.timeline.head import owners_words
from evenkeel.dashboard.timeline.loading import overviews
from evenkeel.dashboard.timeline.loading.timelines import OwnerNames, Timeline, regret_of
from evenkeel.dashboard.timeline.marks import lines
from evenkeel.dashboard.timeline.words import finding
from evenkeel.dashboard.times import between, clock, day_and_clock
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.text.formats import compact, count, duration

_LATE_SECONDS, _LATE_STEPS = 60.0, 3
"""The last reading is called “now” if its age is at most these seconds plus this number of
intervals between readings.
"""


def show(group: OpenGroup, shown: Timeline, moments: Sequence[float]) -> None:
    """Draw the figure. If no lag is known, draw a sentence that says so. `moments`: the times A and
    B, or none.
    """
    if not shown.lags.time.size:
        st.info("The lag of every partition is unknown in this range, so nothing is drawn.")
        return
    regret = regret_of(group, shown)
    replayed = _replayed(regret, shown)
    rows, partitions, topics = owners_shown(shown)
    owners = Owners(
        rows, shown.owner_names, partitions, shown.partition_count, topics, shown.topic_names
    )
    named = [(line.time, line.text) for line in lines(group, shown)]
    marks = Marks(shown.bursts, moments, *_end(group, shown), _unrecorded(shown), named)
    span = Span(shown.since, shown.until, shown.ahead)
    now = NARROW_NOW if plot.width() else NOW
    figure = timeline(Areas(shown.lags, shown.names), owners, marks, span, replayed, now)
    plot.show(figure, "timeline", _in_words(shown, replayed))
    choose_owners(shown)
    if regret is None:
        _wait(group, shown)


def _unrecorded(shown: Timeline) -> tuple[float, float, str] | None:
    if shown.past is None:
        return None
    end = shown.until if isnan(shown.past.owners_since) else shown.past.owners_since
    is_before = shown.past.first < end
    return (shown.past.first, end, owners_words(shown.past)) if is_before else None


@st.fragment(run_every=0.7)
def _wait(group: OpenGroup, shown: Timeline) -> None:
    """Draw the page again when the replay with other assignors is finished."""
    if regret_of(group, shown) is not None:
        address.draw_again()


def _replayed(regret: Regret | None, shown: Timeline) -> RegretView | None:
    """Return the data of the regret panel. None if no other assignor supports the group's type."""
    if regret is None:
        return RegretView(None)
    if not regret.time.size:
        return None
    sentence = finding(regret, shown.is_stalled_at_peak)
    if _unrecorded(shown):
        sentence = f"{sentence}; readings without owners are replayed with the present members"
    return RegretView(regret, sentence)


def _in_words(shown: Timeline, replayed: RegretView | None) -> str:
    lags, rebalances = (
        shown.lags.total,
        count(sum(len(burst.rows) for burst in shown.bursts), "rebalance"),
    )
    sentence = (
        f"Lag by member: {compact(float(lags[-1]))} at the end, at most"
        f" {compact(float(lags.max()))}; {rebalances}"
    )
    return f"{sentence}; {replayed.finding}" if replayed and replayed.finding else sentence


def _end(group: OpenGroup, shown: Timeline) -> tuple[str, str]:
    """Return two texts: the label at the end of the range, and the words for the end in a sentence.
    They are `now 14:02` and `now`. If the last reading is long ago, they are `last reading 14:02`
    and `at 14:02`. If there are later readings, the label is `14:02`.
    """
    at, seen = clock(shown.until), f"at {clock(shown.seen_until)}"
    if not shown.is_last:
        return at, seen
    passed = 0.0 if is_example(cluster_of(group)) else time.time() - shown.until
    is_late = passed > _LATE_SECONDS + _LATE_STEPS * shown.step_seconds
    return (
        f"{'last reading' if is_late else 'now'} {at}",
        seen if is_late or shown.gone_count else "now",
    )


# Number of partitions with drawn owners: few, so that all panels fit on a screen, or more.


_FEW, _MANY = "few", "many"
_OWNERS = Options("owners", (_FEW, _MANY), _FEW, "number of owners")


def owners_shown(shown: Timeline) -> OwnerNames:
    """Return the owners to draw: of a few partitions, or of more."""
    return shown.owned[-1 if _OWNERS.follow() == _MANY else 0]


def choose_owners(shown: Timeline) -> None:
    """Draw a button that shows the owners of more or of fewer partitions. Draw nothing if all
    partitions are shown already. Must be called after `owners_shown`.
    """
    now = _OWNERS.value
    if len(shown.owned) > 1:
        few, many = (len(row.partitions) for row in shown.owned)
        more = f"all {many}" if many == shown.partition_count else f"the {many} worst"
        label = (
            f"Owners of {more} partitions"
            if now == _FEW
            else f"Owners of the {few} worst partitions only"
        )
        icon = ":material/unfold_more:" if now == _FEW else ":material/unfold_less:"
        st.button(label, icon=icon, type="tertiary", key="owners-button", on_click=_turn)
    _OWNERS.write()


def _turn() -> None:
    _OWNERS.choose(_FEW if _OWNERS.value == _MANY else _MANY)


# The strip above the figure. A drag over the strip chooses the range of the page.


_AN_HOUR, _DAYS = 3600, 2 * 86_400


def show_overview(group: OpenGroup, chosen: Range | None) -> None:
    """Draw the strip of total lag. If a range is chosen, the rest of the strip is dim."""
    since, until = chosen or whole_range(group)
    lag_overview = overviews.overview(group, since, until)
    words = _words(lag_overview)
    strip = Strip(
        lag_overview.since,
        lag_overview.until,
        lag_overview.time,
        lag_overview.stretch,
        lag_overview.lag,
        words,
        lag_overview.past,
    )
    # A selection remains on its chart, so each range has a different chart.
    key = f"overview-{int(since)}-{int(until)}"
    alt = f"Lag from {between(since, until)}, {_most(lag_overview)}"
    plot.show(overview(strip, since, until), key, alt, lambda: _pick(key), "box")


def _most(view: overviews.Overview) -> str:
    return f"at most {compact(float(view.lag.max()))}" if view.lag.size else "unknown"


def _words(view: overviews.Overview) -> str:
    seconds = view.until - view.since
    # The last reading of a day is some seconds before the day's end.
    words = (
        f"lag, {duration(seconds + _AN_HOUR / 2 if seconds > _DAYS else seconds)}: drag to"
        " choose a range"
    )
    return (
        f"{words}; one reading in {view.every} since {day_and_clock(view.sparse_since)}"
        if view.every > 1
        else words
    )


def _pick(key: str) -> None:
    boxes = st.session_state[key].selection.box
    if boxes:
        time_range.pick(*sorted(seconds / 1000 for seconds in boxes[0]["x"]))
