"""Data of the page Rebalances: one group of a log, in the shown hours."""

from collections.abc import Sequence
from typing import NamedTuple

from evenkeel.dashboard.rebalances.loading.lake import HOURS_MS
from evenkeel.dashboard.rebalances.loading.logs import kept_of, log_of
from evenkeel.data.rebalances.by_cause import (
    CauseRow,
    Culprit,
    by_cause,
    kinds,
    most_blamed,
    settings_for,
    slowest_member,
)
from evenkeel.data.rebalances.chains import GAP_MS, NEAR, bursts, link
from evenkeel.data.rebalances.event import Member, Rebalance, by_group
from evenkeel.data.rebalances.history import is_complete
from evenkeel.data.rebalances.replayed import ChainReplay, replayed

MOST_LANES = 16
_MOST_REPLAYED = 500


class LogView(NamedTuple):
    """The rebalances of one group in the shown hours of a log.

    `events`: the rebalances in order of time. `kinds`: cause of each rebalance. `rows`: one for
    each cause. `complete_since`: start of the first known rebalance if earlier ones may be missing,
    else None. `recent`: number of rebalances in the last quarter of the shown time. `avoidable`:
    number of rebalances that `setting_count` settings avoid. `seconds`: sum of known lengths.
    `untimed`: number of unknown lengths. `default`: row numbers in `events` of the first and last
    rebalance that the lanes show by default.
    """

    group: str
    events: tuple[Rebalance, ...]
    kinds: tuple[str, ...]
    rows: tuple[CauseRow, ...]
    since: int
    until: int
    is_whole: bool
    complete_since: int | None
    recent: int
    paused: float | None
    seconds: float | None
    untimed: int
    longest: int | None
    slowest: tuple[Member, int] | None
    blamed: Culprit | None
    avoidable: int
    setting_count: int
    default: tuple[int, int]


@kept_of
def shown_group(log: str, group: str, zone: str | None = None, is_whole: bool = False) -> LogView:
    """Return one group of a log, in the log's last 24 hours, or in all hours if `is_whole`."""
    log_events = log_of(log, zone)
    events = by_group(log_events.events)[group]
    link(events)
    times = [event.time for event in events if event.time is not None]
    until = max(*times, log_events.about.last or 0, times[-1] + 1000)
    first = max(times[0] - 1000, until - HOURS_MS) if not is_whole else times[0] - 1000
    return _shown(
        group,
        [event for event in events if (event.time or 0) >= first],
        events,
        first,
        until,
        is_whole,
    )


def _shown(
    group: str,
    events: list[Rebalance],
    every: list[Rebalance],
    since: int,
    until: int,
    is_whole: bool,
) -> LogView:
    by_kind, rows, settings = tuple(kinds(events)), tuple(by_cause(events)), settings_for(events)
    avoided = frozenset().union(*(value.avoids for value in settings.values()))
    paused = [event.paused for event in events]
    durations = {
        place: event.duration_ms
        for place, event in enumerate(events)
        if event.duration_ms is not None
    }
    quarter = until - (until - since) / 4
    return LogView(
        group,
        tuple(events),
        by_kind,
        rows,
        since,
        until,
        is_whole,
        None if is_complete(every) else every[0].time,
        sum((event.time or 0) >= quarter for event in events),
        None if None in paused else sum(event for event in paused if event is not None),
        sum(value or 0 for value in durations.values()) / 1000 if durations else None,
        len(events) - len(durations),
        max(durations, key=lambda place: durations[place] or 0, default=None),
        slowest_member(events),
        most_blamed(events),
        len(avoided),
        len(settings),
        _first_chosen(events, until - since),
    )


def _first_chosen(events: Sequence[Rebalance], length: int) -> tuple[int, int]:
    """Return the row numbers of the first and last rebalance of the largest burst.

    If several bursts have the same number of rebalances, the latest burst counts.
    """
    most = max(reversed(_bursts(events, length)), key=len)
    return most[0], most[-1]


def burst_of(shown: LogView, place: int) -> tuple[int, int]:
    """Return the first and last row number of the burst that contains the row number `place`."""
    rows = next(
        burst for burst in _bursts(shown.events, shown.until - shown.since) if place in burst
    )
    return rows[0], rows[-1]


def _bursts(events: Sequence[Rebalance], length: int) -> list[list[int]]:
    return bursts([event.time or 0 for event in events], max(length * NEAR, GAP_MS))


@kept_of
def other_settings(
    log: str, group: str, zone: str | None, is_whole: bool, first: int, last: int
) -> tuple[ChainReplay, ...]:
    """Return the chosen rebalances replayed with other settings, one entry for each setting.

    Empty if too many rebalances are chosen.
    """
    every, shown = (shown_group(log, group, zone, whole).events for whole in (True, is_whole))
    # The shown rebalances are the last of the history; the earlier rebalances determine the owners
    # before them.
    above = len(every) - len(shown)
    return (
        tuple(replayed(every, above + first, above + last)) if last - first < _MOST_REPLAYED else ()
    )
