"""The history of a group as the Timeline shows it: figures, lines and events, without the columns that they are made of."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import total_lag
from evenkeel.assignors.history.draws import draws_of
from evenkeel.assignors.history.forecast import Forecast
from evenkeel.assignors.history.now import Now, now
from evenkeel.assignors.history.ownership import Burst, Unowned, bursts, may_be_more, rebalances, unowned
from evenkeel.assignors.history.pictures import MemberLags
from evenkeel.assignors.history.replay import stalled_at_peak
from evenkeel.assignors.history.series import UNKNOWN_SECONDS
from evenkeel.assignors.history.time_lag import HighestTimeLag, highest_time_lag
from evenkeel.assignors.history.verdicts import verdicts
from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.dashboard.loading.history.diagnoses import said
from evenkeel.dashboard.loading.history.forecasts import GONE, ahead_of
from evenkeel.dashboard.loading.history.levels import has_rates
from evenkeel.dashboard.loading.history.readings import Readings, readings
from evenkeel.dashboard.loading.history.timeline_pictures import Owned, name_of, pictures_of
from evenkeel.dashboard.view import Opened
from evenkeel.dashboard.words.events import TimelineEvent
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.lake.history.history import History
from evenkeel.data.lake.history.instants import Instants, between, with_lead
from evenkeel.data.lake.history.older_since import Since, verdict_since
from evenkeel.data.scenarios.drains import Drains, GroupDrain
from evenkeel.data.scenarios.history.replayed_history import Sample, sampled
from evenkeel.data.scenarios.stored_groups import group_at
from evenkeel.data.words.diagnosis import Sentence
from evenkeel.data.words.names import names_in

REPLAYED_CELLS = 200_000
"""Most slots x partitions at which other assignors are asked: all 240 slots of a picture up to 800 partitions, fewer beyond."""


class Timeline(NamedTuple):
    """A group from `since` to `until`, seconds since 1970.

    `listed_since`: the first reading that lists the group.
    `seen_until`: the last reading that has the group, which all figures are of; `gone_count`: readings after it. `is_observed`: whether a
    lag is known that the verdict looks at. `names`: of the members of `lags.member`; `owner_names`: of all. `owned`: of few partitions, and
    of more where there are more. `worst`: the worst partition of the verdict and its owner, empty where all are OK. `lag_change`:
    records/s, NaN where unknown. `seconds`: the largest time lag, `UNKNOWN_SECONDS` where unknown, its `method`, and of how many partitions
    it is unknown; `highest_at`: when it was highest. `observed`: the last reading that lists the group; `has_rates`: whether it and those
    before give a rate. `drain`: None where the owners are unknown. `ahead`: the forecast, or why there is none; None for a range that
    ends in the past. `sample`: the readings at which other assignors are asked. `diagnosis`: what is wrong at the
    end, in sentences, the worst first.
    """

    since: float
    until: float
    listed_since: float
    seen_until: float
    gone_count: int
    slot_count: int
    missing_count: int
    step_seconds: float
    verdict: int
    verdict_since: float
    verdict_is_older: bool
    is_observed: bool
    worst: tuple[str, str]
    observed: ObservedGroup
    has_rates: bool
    lag: int | None
    lag_change: float
    unknown_count: int
    seconds: float
    method: str | None
    unknown_seconds_count: int
    highest: HighestTimeLag | None
    highest_at: float
    drain: GroupDrain | None
    ahead: Forecast | str | None
    bursts: tuple[Burst, ...]
    is_least_rebalances: bool
    unowned: Unowned
    lags: MemberLags
    names: tuple[str, ...]
    owned: tuple[Owned, ...]
    owner_names: tuple[str, ...]
    partition_count: int
    topic_names: tuple[str, ...]
    events: tuple[TimelineEvent, ...]
    sample: Sample
    is_stalled_at_peak: bool
    diagnosis: tuple[Sentence, ...]

    @property
    def is_last(self) -> bool:
        """Whether the lake has nothing later."""
        return self.ahead is not None


def timeline(group: Opened, since: float, until: float) -> Timeline | None:
    """Return an open group from `since` to `until`, seconds since 1970, None where the lake has no snapshot of it there.

    Raises
    ------
    SnapshotError
        When the lake cannot be read.
    """
    read = readings(group)
    chosen = with_lead(between(read.found, since, until), read.found)
    if not chosen.batches:
        return None
    is_now = chosen.axis.batch[-1] == read.found.axis.batch[-1]
    # Two ranges with the same snapshots show the same.
    ends = chosen.axis.batch[0], chosen.axis.batch[-1], len(chosen.batches), chosen.lead, is_now
    return ALL.get((timeline, read.lake, read.cluster, group.group_id, *ends), partial(_timeline, group.group_id, read, chosen, is_now))


def _timeline(group_id: str, read: Readings, chosen: Instants, is_now: bool) -> Timeline | None:
    listed = read.history(group_id, chosen)
    whole = listed.by_lineage
    history = whole.within
    series = history.series
    if not series.is_listed.any():
        return None
    last = int(np.flatnonzero(whole.series.is_there)[-1])
    # A group that was deleted is told as it was last.
    found = now(whole.series.until(last))
    seen = found.verdicts if last == whole.series.slot_count - 1 else verdicts(whole.series)
    shown = rebalances(whole.series).row - whole.lead
    drain = _drain(whole, found, read, is_now)
    since = verdict_since(read.lake, read.cluster, group_id, found, chosen)
    return Timeline(
        since=float(series.time[0]),
        until=float(series.time[-1]),
        listed_since=float(series.time[series.is_listed.any(axis=1)][0]),
        seen_until=float(whole.series.time[last]),
        gone_count=whole.series.slot_count - 1 - last,
        slot_count=series.slot_count,
        missing_count=int(series.slot[-1] - series.slot[0]) + 1 - series.slot_count,
        step_seconds=float(np.median(np.diff(series.time))) if series.slot_count > 1 else 0.0,
        bursts=bursts(series.time, shown[shown >= 0]),
        is_least_rebalances=may_be_more(series),
        unowned=unowned(series),
        sample=sampled(listed.within, REPLAYED_CELLS),
        is_stalled_at_peak=stalled_at_peak(series, seen.within(whole.lead)),
        diagnosis=said(found, drain["observed"], age=since.age),
        **_verdict(found, since),
        **_lag(found, whole.lead),
        **drain,
        **pictures_of(whole, found, seen),
    )


def _verdict(found: Now, since: Since) -> dict[str, Any]:
    return {
        "verdict": found.lasting_verdict,
        "verdict_since": since.at.timestamp(),
        "verdict_is_older": since.is_older,
        "is_observed": not found.is_unobserved[found.tps].all(),
        "worst": _worst(found, names_in(found.series)),
    }


def _lag(found: Now, lead: int) -> dict[str, Any]:
    """Return lag and time lag at the end of the range, and how far the time lag went in it."""
    series, highest = found.series, highest_time_lag(found.series, first=lead)
    return {
        "lag": total_lag(found.lag),
        "lag_change": found.lag_change,
        "unknown_count": found.unknown_count(),
        "seconds": found.worst_seconds,
        "method": found.worst_method,
        "unknown_seconds_count": int(np.count_nonzero(series.is_listed[-1] & (found.seconds == UNKNOWN_SECONDS))),
        "highest": highest,
        "highest_at": float(series.time[highest.row]) if highest else np.nan,
    }


def _drain(history: History, found: Now, read: Readings, is_now: bool) -> dict[str, Any]:
    """Return the last reading that lists the group, when its owners drain it, and the forecast."""
    series = found.series
    # The same history gives the same band.
    drawn = draws_of(series, np.random.default_rng(0))
    listed, is_gone = np.flatnonzero(series.is_listed.any(axis=1)), series.slot_count < history.series.slot_count
    observed = group_at(read.lake, history.batch[listed[-1]], history.group_id)
    return {
        "observed": observed,
        "has_rates": has_rates(series),
        "drain": Drains(observed.snapshot, series, drawn).of(observed.current) if observed.current else None,
        "ahead": (GONE if is_gone else ahead_of(found, drawn)) if is_now else None,
    }


def _worst(found: Now, names: tuple[str, ...]) -> tuple[str, str]:
    series, tps = found.series, found.tps[found.verdict[found.tps] == found.group_verdict]
    if not found.lasting_verdict or not tps.size:
        return "", ""
    tp = tps[np.argmax(found.lag[tps])]
    owner = found.owner[tp]
    return name_of(series, tp), "" if owner == UNASSIGNED else names[owner]
