"""The six numbers of the Timeline: of the last reading, and of the range."""

from math import isnan

from assignors.history.changes.verdicts import SLOW, VERDICTS
from assignors.history.speed.time_lag import UNKNOWN_SECONDS
from dashboard.loading.history.timelines import Timeline
from dashboard.widgets.parts.kpi_strip import Kpi
from dashboard.words.formats import UNKNOWN, at_least, compact, compact_sum, count, duration
from data.scenarios.drains import GroupDrain
from data.words.history import why_never


def kpis(shown: Timeline) -> list[Kpi]:
    """Return verdict, lag, time lag, when it drains, rebalances, and what these cost."""
    return [_verdict(shown), _lag(shown), _seconds(shown), drains_in(shown.drain), _rebalances(shown), _unowned(shown)]


def drains_in(drain: GroupDrain | None) -> Kpi:
    """Return the middle of the band with its ends, never the number alone."""
    label = "Drains in"
    if drain is not None and drain.is_never:
        return Kpi(label, "never", why_never(drain.excess), "worse")
    if drain is None or isnan(drain.band.low):
        return Kpi(label, UNKNOWN, "what members can read was not seen")
    low, middle, high = (float(end) for end in drain.band)
    if isnan(middle):
        return Kpi(label, at_least(_time(low), True), "some lags are unknown")
    return Kpi(label, _time(middle), f"5–95 %: {_time(low)} to {_time(high)}" if high else "the group keeps up")


def _time(seconds: float) -> str:
    return "never" if seconds == float("inf") else duration(seconds)


def _verdict(shown: Timeline) -> Kpi:
    partition, owner = shown.worst
    held = duration(shown.until - shown.verdict_since)
    on = f" on {owner}" if owner else ", no owner" if partition else ""
    note = f"{held} · {partition}{on}" if partition else f"for {held}"
    return Kpi("Verdict", VERDICTS[shown.verdict], note, "" if shown.verdict < SLOW else "worse")


def _lag(shown: Timeline) -> Kpi:
    peak = f"peak {compact(float(shown.lags.total.max()))}" if shown.lags.total.size else ""
    note = f"{count(shown.unknown_count, 'partition')} unknown" if shown.unknown_count else peak
    return Kpi("Total lag", compact_sum(shown.lag, bool(shown.unknown_count)), note)


def _seconds(shown: Timeline) -> Kpi:
    if shown.seconds == UNKNOWN_SECONDS:
        return Kpi("Time lag", UNKNOWN, "no commit, or the end offsets did not move")
    tone = "guessed" if shown.method == "extrapolated" else ""
    left_out = f", {count(shown.unknown_seconds_count, 'partition')} unknown" if shown.unknown_seconds_count else ""
    text = at_least(duration(shown.seconds), bool(shown.unknown_seconds_count))
    return Kpi("Time lag", text, f"worst partition, {shown.method}{left_out}", tone)


def _rebalances(shown: Timeline) -> Kpi:
    number = sum(len(burst.rows) for burst in shown.bursts)
    several = [burst for burst in shown.bursts if len(burst.rows) > 1]
    many = sum(len(burst.rows) for burst in several)
    note = f"⚠ {many} in {count(len(several), 'burst')}" if several else "in this range"
    return Kpi("Rebalances in range", str(number), note, "worse" if several else "")


def _unowned(shown: Timeline) -> Kpi:
    return Kpi("Unowned", compact(round(shown.unowned_seconds)), "partition-seconds")
