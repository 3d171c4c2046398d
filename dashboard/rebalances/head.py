"""Top of the page Rebalances: six figures, and a sentence that explains them."""

from html import escape

import streamlit as st

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.dashboard.names import visible
from evenkeel.dashboard.parts import kpi_strip
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.rebalances.loading.shown import LogView
from evenkeel.dashboard.rebalances.words import (
    held_up,
    paused_text,
    precise,
    seconds_text,
    sentence,
)
from evenkeel.data.text.formats import NARROW, UNKNOWN, at_least, counted, duration, exact


def show(shown: LogView) -> None:
    """Draw the figures and the sentence."""
    kpi_strip.show(kpis(shown), "rebalances")
    slowest = (shown.slowest[0].name, shown.slowest[1]) if shown.slowest else None
    held = "" if shown.longest is None else held_up(shown.events[shown.longest], shown.untimed > 0)
    first, rest = sentence(
        len(shown.events),
        shown.blamed,
        shown.rows,
        slowest,
        0.0 if shown.untimed else shown.seconds or 0.0,
        held,
    )
    st.html(f'<p class="verdict"><b>{escape(visible(first))}</b> {escape(visible(rest))}</p>')


def kpis(shown: LogView) -> list[Kpi]:
    """Return the figures. "Avoidable" is left out if no setting helps."""
    total, last = len(shown.events), shown.events[-1]
    length = (shown.until - shown.since) / 1000
    span = "24 h" if not shown.is_whole and length >= 86_000 else duration(max(length, 1))
    return [
        Kpi(
            f"Rebalances, {span}",
            exact(total),
            f"{shown.recent:,} in the last {duration(max(length / 4, 1))}" if total > 1 else "",
        ),
        _paused(shown, length),
        _longest(shown),
        _slowest(shown),
        *_avoidable(shown, total),
        Kpi(
            "Generation" if last.protocol == CLASSIC else "Epoch",
            exact(last.number),
            f"since {precise(last.time)}",
        ),
    ]


def _avoidable(shown: LogView, total: int) -> list[Kpi]:
    if not shown.setting_count:
        return []
    note = f"with {counted(shown.setting_count, 'setting')}"
    return [Kpi("Avoidable", f"{shown.avoidable:,} of {total:,}", note)]


def _paused(shown: LogView, length: float) -> Kpi:
    text = paused_text(shown.paused, shown.seconds, shown.paused is None and shown.untimed > 0)
    if shown.paused is None:
        return Kpi("Paused", text, "partitions unknown")
    most = max((event.partitions or 0 for event in shown.events), default=0) * length
    share = f", {100 * shown.paused / most:.1f}{NARROW}%" if most else ""
    return Kpi("Paused", text, f"partition-seconds{share}")


def _longest(shown: LogView) -> Kpi:
    if shown.longest is None:
        return Kpi("Longest", UNKNOWN, "no start is recorded")
    event = shown.events[shown.longest]
    waited = f", waited for {visible(event.slowest[0].name)}" if event.slowest else ""
    return Kpi(
        "Longest",
        at_least(seconds_text(event.duration_ms), shown.untimed > 0),
        f"{precise(event.time)}{waited}",
    )


def _slowest(shown: LogView) -> Kpi:
    if shown.slowest is None:
        return Kpi("Slowest to rejoin", UNKNOWN, "no line names the member")
    member, count = shown.slowest
    tone = "worse" if count > 1 else ""
    return Kpi(
        "Slowest to rejoin",
        visible(member.name),
        f"{'⚠ ' * bool(tone)}last in {count:,} of {len(shown.events):,}",
        tone,
    )
