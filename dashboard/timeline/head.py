"""The top of the Timeline: the group's name, a line about the readings, and the figures at the end
of the range.
"""

from collections.abc import Callable
from html import escape
from math import isnan

import streamlit as st

from evenkeel.assignors.timeline.time_lag import UNKNOWN_SECONDS
from evenkeel.assignors.timeline.verdicts import SLOW
from evenkeel.dashboard.names import literal
from evenkeel.dashboard.parts import reader_zone
from evenkeel.dashboard.parts.drain_words import assumed_rates, drain_words, short_reason
from evenkeel.dashboard.parts.facts import BEHIND, DRAINED, LAG
from evenkeel.dashboard.parts.kpi_strip import Kpi
from evenkeel.dashboard.scope import group_facts
from evenkeel.dashboard.shell.loading.readings import own_readings, readings
from evenkeel.dashboard.timeline.loading.timelines import LOSING, PastShown, Timeline
from evenkeel.dashboard.times import clock, day_and_clock, zone
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.scenarios.drains import GroupDrain
from evenkeel.data.text.formats import (
    NARROW,
    UNKNOWN,
    at_least,
    compact,
    compact_sum,
    count,
    duration,
    exact,
    first_of,
    percent,
)
from evenkeel.data.timeline.words import DERIVED_WORDS

_MOST_OWNERS = 5


def show(group: OpenGroup, shown: Timeline | None, verb: Callable[[], None] | None = None) -> None:
    """Draw the line with the group's name; it is short without a history. `verb`: draws buttons at
    the end of the line.
    """
    name = group.group_id or ""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="scope"):
        st.html(
            f'<h1 class="scope-title" title="{escape(name)}">{escape(name)}</h1>', width="content"
        )
        if shown:
            if shown.gone_count:
                help = (
                    "The group was deleted or could not be read, so all figures are from its"
                    " last reading."
                )
                st.badge(
                    f"not in the last {count(shown.gone_count, 'reading')}",
                    icon=":material/visibility_off:",
                    color="gray",
                    help=help,
                )
            group_facts.show_state(shown.observed)
            st.html(
                f'<span class="note">{_readings(shown, own_readings(group) is not None)}</span>',
                width="content",
            )
        _show_past(group, shown)
        st.space("stretch")
        reader_zone.show()
        if verb:
            verb()


def _show_past(group: OpenGroup, shown: Timeline | None) -> None:
    """Draw a badge that says which readings are from a metrics store. If the store cannot be read,
    the badge says why.
    """
    if shown and shown.past:
        past = shown.past
        st.badge(
            f"{past.facts.words}; {owners_words(past)}",
            icon=":material/database:",
            color="gray",
            help=past_help(shown.past),
        )
    elif problem := readings(group).below.problem:
        st.badge(
            "no past from Prometheus",
            icon=":material/warning:",
            color="orange",
            help=literal(problem),
        )


def owners_words(past: PastShown) -> str:
    """Return the words for the time in which owners are not recorded."""
    since = past.owners_since
    before = "" if isnan(since) else f" before {day_and_clock(since)} {zone(since)}"
    return f"owners not recorded{before}"


def past_help(past: PastShown) -> str:
    """Return the tooltip about the metrics store: which readings are from it, and which of their
    figures Evenkeel has computed from other metrics.
    """
    parts = [
        f"Readings from {day_and_clock(past.first)} to {day_and_clock(past.last)} are from"
        " Prometheus, because the lake has none"
    ]
    parts += [f"≈ {DERIVED_WORDS[role]}" for role in past.facts.derived]
    if past.facts.rejected:
        parts.append(f"{count(past.facts.rejected, 'sample')} left out: no whole number up to 2^53")
    parts += [f"Prometheus warns: {literal(text)}" for text in past.facts.warnings]
    if owners := [literal(" ".join(pair)) for pair in past.facts.owners]:
        parts.append(f"Owner by the exporter: {', '.join(first_of(owners, _MOST_OWNERS))}")
    return "".join(f"{part}. " for part in parts).strip()


def _readings(shown: Timeline, is_counted: bool) -> str:
    """Return the number, the interval and the end of the readings, in words. `is_counted`: leave
    out the number, because another line of the page has it.
    """
    step = round(shown.step_seconds)
    parts = [] if is_counted else [count(shown.slot_count, "reading")]
    parts += ["one a minute" if step == 60 else f"one every {duration(step)}"] * (
        shown.slot_count > 1
    )
    parts += [f"{exact(shown.missing_count)} missing"] * bool(shown.missing_count)
    end = f"{'last' if shown.is_last else 'until'} {day_and_clock(shown.until)} {zone(shown.until)}"
    return " · ".join([*filter(None, [", ".join(parts)]), end])


# The numbers of the Timeline, for the last reading and for the range.


_ASSUMED, _NEVER = "a rate is assumed", "never"
_STEADY = 0.01
"""Least change per minute that is shown, as a fraction of the total lag. Below this
fraction, the lag of a group that keeps up is called steady.
"""


def kpis(shown: Timeline) -> list[Kpi]:
    """Return the figures at the top: lag, time lag, drain time, rebalances, and time without owner.
    If the range ends in the past, the first three labels contain the end of the range.
    """
    measured = [_about(shown, kpi) for kpi in (_lag(shown), _seconds(shown))]
    at_end = [*measured, drains_in(shown.drain)]
    when = "" if shown.is_last and not shown.gone_count else f" at {clock(shown.seen_until)}"
    return [
        *(kpi._replace(label=kpi.label + when) for kpi in at_end),
        _rebalances(shown),
        *_unowned(shown),
    ]


def _about(shown: Timeline, kpi: Kpi) -> Kpi:
    """Add to a figure's tooltip whether the figure is from the lake or from a metrics store. A
    figure computed from other metrics gets `≈`.
    """
    past = shown.past
    if past is None:
        return kpi
    if past.last < shown.seen_until:
        return kpi._replace(tip=f"{kpi.tip} From the lake.".strip())
    is_derived = past.facts.derived and kpi.value != UNKNOWN
    source = past.facts.words.removeprefix("from ")
    return kpi._replace(
        value=f"≈ {kpi.value}" if is_derived else kpi.value, tip=f"{kpi.tip} From {source}.".strip()
    )


def drains_in(drain: GroupDrain | None) -> Kpi:
    """Return the figure of the drain time, with its range from low to high. If the drain time
    depends on assumed rates, the note says so.
    """
    kpi = _drains_in(drain)
    if kpi.value not in (UNKNOWN, _NEVER):
        kpi = kpi._replace(value=f"in {kpi.value}")
    reasons = assumed_rates([drain]) if drain is not None else []
    if not reasons:
        return kpi
    return kpi._replace(note=f"{kpi.note}; {_ASSUMED}", tip=f"{reasons[0]}.")


def _drains_in(drain: GroupDrain | None) -> Kpi:
    label = DRAINED
    if drain is not None and drain.is_never:
        return Kpi(label, _NEVER, short_reason(drain), "worse")
    if drain is not None and drain.is_single:
        return Kpi(label, f"≈ {_time(float(drain.band.middle))}", "too few readings for a band")
    if drain is None or isnan(drain.band.low):
        is_told = drain is not None and (drain.even or drain.is_between)
        return Kpi(
            label,
            UNKNOWN,
            drain_words(drain).tip if is_told else "the read rate of members was not seen",
        )
    low, middle, high = (float(end) for end in drain.band)
    if isnan(middle):
        return Kpi(label, at_least(_time(low), True), "some lags are unknown")
    return Kpi(
        label,
        _time(middle),
        f"5–95 %: {_time(low)} to {_time(high)}" if high else "the group keeps up",
    )


def _time(seconds: float) -> str:
    return _NEVER if seconds == float("inf") else duration(seconds)


def _lag(shown: Timeline) -> Kpi:
    text = compact_sum(shown.lag, bool(shown.unknown_count))
    if shown.unknown_count:
        return Kpi(LAG, text, f"{count(shown.unknown_count, 'partition')} unknown")
    if shown.ahead == LOSING:
        return Kpi(LAG, text, LOSING, "worse")
    if isnan(shown.lag_change):
        return Kpi(LAG, text, "its change is unknown")
    a_minute = round(60 * shown.lag_change)
    arrow, tone = ("▲ +", "worse") if a_minute > 0 else ("▼ ", "better")
    # The lag of a group that keeps up always changes by a few records.
    is_steady = shown.verdict < SLOW and abs(a_minute) < _STEADY * (shown.lag or 0)
    return Kpi(
        LAG,
        text,
        "steady"
        if is_steady or not a_minute
        else f"{arrow}{compact(a_minute)} a minute over {duration(shown.change_seconds)}",
        "" if is_steady else tone,
    )


def _seconds(shown: Timeline) -> Kpi:
    if shown.seconds == UNKNOWN_SECONDS:
        return Kpi(BEHIND, UNKNOWN, "no commit, or the end offsets did not move")
    left_out = (
        f", {count(shown.unknown_seconds_count, 'partition')} unknown"
        if shown.unknown_seconds_count
        else ""
    )
    text = at_least(duration(shown.seconds), bool(shown.unknown_seconds_count))
    return Kpi(
        BEHIND,
        text,
        f"{shown.method}{left_out}{_highest(shown)}",
        "guessed" if shown.method == "extrapolated" else "",
    )


def _highest(shown: Timeline) -> str:
    if shown.highest is None or shown.highest.seconds < max(shown.seconds, 1):
        return ""
    return (
        f", peak {at_least(duration(shown.highest.seconds), shown.highest.is_least)} at"
        f" {clock(shown.highest_at)}"
    )


def _rebalances(shown: Timeline) -> Kpi:
    number = sum(len(burst.rows) for burst in shown.bursts)
    if not number and shown.past:
        return Kpi("Rebalances in range", UNKNOWN, owners_words(shown.past))
    several = [burst for burst in shown.bursts if len(burst.rows) > 1]
    many = sum(len(burst.rows) for burst in several)
    if not number and shown.is_least_rebalances:
        return Kpi("Rebalances in range", UNKNOWN, "none seen between readings")
    seen = "by the broker's log" if shown.has_told_rebalances else "seen between readings"
    note = f"⚠ {many} in {count(len(several), 'burst')}, {seen}" if several else seen
    return Kpi(
        "Rebalances in range",
        at_least(str(number), shown.is_least_rebalances),
        note,
        "worse" if several else "",
    )


def _unowned(shown: Timeline) -> list[Kpi]:
    """Return the figure of the time in which partitions had no owner. Empty if all partitions
    always had an owner.
    """
    seconds, all_seconds = shown.unowned
    if not all_seconds and shown.past:
        return [Kpi("Unowned", UNKNOWN, owners_words(shown.past))]
    if not seconds:
        return []
    share = f", {_percent(seconds / all_seconds)}" if all_seconds else ""
    return [Kpi("Unowned", compact(round(seconds)), f"partition-seconds{share}")]


def _percent(share: float) -> str:
    """Return a share as a percentage, such as `0.8 %`. Small shares have one decimal place."""
    return f"{100 * share:.1f}{NARROW}%" if 0.0005 <= share < 0.1 else percent(share)
