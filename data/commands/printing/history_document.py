"""What a history says of a group, as the JSON of `evenkeel history`."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.history.events import REBALANCE, events
from evenkeel.assignors.history.forecast import CurrentDrain
from evenkeel.assignors.history.now import Now
from evenkeel.assignors.history.ownership import flapping, of_restarts, rebalances
from evenkeel.assignors.history.time_lag import METHODS, UNKNOWN_SECONDS
from evenkeel.assignors.history.verdicts import OBSERVATIONS, VERDICTS, verdicts
from evenkeel.data.words.history import SnapshotAge, event_words, finding_words

if TYPE_CHECKING:
    from evenkeel.data.columns.observed import ObservedGroup
    from evenkeel.data.lake.history.history import History
    from evenkeel.data.lake.history.verdict_ages import Since
    from evenkeel.data.scenarios.drains import GroupDrain
    from evenkeel.data.tables.series import Missed


class Report(NamedTuple):
    """A history, what it says of the last slot that has the group, since when it has its verdict, and how long it takes to drain.

    `current`: as its owners are, by member and partition; `observed`: the group in that slot; `drains`: of the group, for each assignor's
    answer.
    """

    history: "History"
    now: Now
    since: "Since"
    current: CurrentDrain
    observed: "ObservedGroup"
    drains: Mapping[str, "GroupDrain"]


def history_json(one: Report, age: SnapshotAge) -> dict[str, Any]:
    """Return the document; unknown is null. `age`: of the last snapshot, which may be without the group."""
    return {
        "group_id": one.history.group_id,
        "at": utc(one.now.series.time[-1]),
        "age_seconds": age.seconds,
        "verdict": VERDICTS[one.now.group_verdict],
        "lasting_verdict": VERDICTS[one.now.lasting_verdict],
        "since": utc_time(one.since.at),
        "since_is_older": one.since.is_older,
        "partitions": partition_rows(one),
        "members": _members(one),
        "findings": [{"kind": found.what, "what": finding_words(found, one.now.series)} for found in one.now.findings],
        "events": event_rows(one),
        "drains": [_drain(name, found) for name, found in one.drains.items()],
    }


def partition_rows(one: Report) -> list[dict[str, Any]]:
    """Return the partitions of the last slot, by topic and number; changes of owner are those of the whole history."""
    now, series, changes = one.now, one.now.series, flapping(one.now.series.at(slice(one.history.lead, None)))
    return [
        {
            "topic": series.topic_name[series.topic[tp]],
            "partition": int(series.partition[tp]),
            "verdict": VERDICTS[now.verdict[tp]],
            "completeness": int(now.verdicts.observation_count[-1, tp]) / OBSERVATIONS,
            "in_rate": finite(now.in_rate[tp]),
            "out_rate": finite(now.out_rate[tp]),
            "lag": None if now.lag[tp] == UNKNOWN_LAG else int(now.lag[tp]),
            "lag_seconds": None if now.seconds[tp] == UNKNOWN_SECONDS else float(now.seconds[tp]),
            "lag_seconds_method": METHODS[now.method[tp]],
            "owner": None if now.owner[tp] == UNASSIGNED else series.member_id[now.owner[tp]],
            "owner_changes_an_hour": float(changes.changes_an_hour[tp]),
            "owner_returns": int(changes.returns[tp]),
            **_drain_time(one.current.by_partition[tp]),
        }
        for tp in now.tps.tolist()
    ]


def _members(one: Report) -> list[dict[str, Any]]:
    now = one.now
    return [
        {
            "member_id": now.series.member_id[member],
            "verdict": VERDICTS[now.member_verdict(member)],
            "capacity": finite(now.capacity.rate[member]),
            "capacity_assumed": bool(now.capacity.is_assumed[member]),
            **_drain_time(one.current.by_member[member]),
        }
        for member in now.members.tolist()
    ]


def event_rows(one: Report) -> list[dict[str, Any]]:
    """Return events and gaps by time, each with its sentence; rebalances of a run of restarts are in the sentence of that run."""
    series = one.history.series
    told = one.now.verdicts if series.slot_count == one.now.series.slot_count else verdicts(series)
    of_runs = {row for run in series.restarts if run.is_unstable for row in rebalances(series).row[of_restarts(series, run)].tolist()}
    within = [
        event for event in events(series, told) if event.row >= one.history.lead and not (event.kind == REBALANCE and event.row in of_runs)
    ]
    found = [(series.time[event.row], event.kind, event_words(event, series)) for event in within]
    found += [(gap.first, "gap", f"{_missing(gap)}: {gap.reason}.") for gap in one.history.missed]
    return [{"at": utc(at), "kind": kind, "what": what} for at, kind, what in sorted(found, key=lambda event: event[0])]


def _missing(gap: "Missed") -> str:
    return "No snapshot" if gap.first == gap.last else f"No snapshots until {utc(gap.last)}"


def _drain(name: str, found: "GroupDrain") -> dict[str, Any]:
    ends = {key: finite(value) for key, value in zip(("p5", "p50", "p95"), found.band, strict=True)}
    # Where lags are unknown, only the low end is known; of few readings only the middle.
    is_unknown = ends["p5"] is None and not found.is_single
    seconds = None if found.is_never or is_unknown else ends
    return {"assignor": name, "seconds": seconds, "never": found.is_never, "missing_rate": finite(found.missing)}


def _drain_time(seconds: float) -> dict[str, Any]:
    return {"drain_seconds": finite(seconds), "never": bool(np.isinf(seconds))}


def finite(value: float) -> float | None:
    """Return what JSON has of a number: null for unknown and never."""
    return float(value) if np.isfinite(value) else None


def utc(seconds: float) -> str:
    """Return seconds since 1970 in ISO 8601."""
    return utc_time(datetime.fromtimestamp(seconds, UTC))


def utc_time(moment: datetime) -> str:
    """Return a time in UTC in ISO 8601, with milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
