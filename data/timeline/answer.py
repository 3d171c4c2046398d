"""The history of a group as the JSON of `evenkeel history`, and the rows of all groups."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG
from evenkeel.assignors.timeline.events import REBALANCE, events
from evenkeel.assignors.timeline.forecast import CurrentDrain
from evenkeel.assignors.timeline.now import Now
from evenkeel.assignors.timeline.ownership import flapping, of_restarts, rebalances
from evenkeel.assignors.timeline.time_lag import METHODS, UNKNOWN_SECONDS
from evenkeel.assignors.timeline.verdicts import OBSERVATIONS, OK, VERDICTS, verdicts
from evenkeel.data.timeline.words import (
    SnapshotAge,
    event_words,
    unstable_words,
)

if TYPE_CHECKING:
    from evenkeel.data.diagnosis.answer import Answer
    from evenkeel.data.group.columns.observed import ObservedGroup
    from evenkeel.data.group.tables.series import MissedSlots
    from evenkeel.data.lake.history.history import History
    from evenkeel.data.lake.history.verdict_ages import Since
    from evenkeel.data.prometheus.facts import PastFacts
    from evenkeel.data.scenarios.drains import GroupDrain


class Report(NamedTuple):
    """The history of a group, and what is known at the last slot that contains the group.

    `since`: start of the current verdict. `current`: drain times with the current owners, by member
    and partition. `observed`: the group at this slot. `diagnosis`: the group's diagnosis, which
    compares this slot with an earlier slot. `drains`: the group's drain time for each assignor's
    answer. `past`: how slots were read from a metrics store; None if all slots are from the lake.
    """

    history: "History"
    now: Now
    since: "Since"
    current: CurrentDrain
    observed: "ObservedGroup"
    diagnosis: "Answer"
    drains: Mapping[str, "GroupDrain"]
    past: "PastFacts | None" = None


def history_json(report: Report, age: SnapshotAge) -> dict[str, Any]:
    """Return the JSON document; null means unknown.

    `age`: age of the last snapshot, which may not contain the group.
    """
    return {
        "group_id": report.history.group_id,
        "at": utc(report.now.series.time[-1]),
        "age_seconds": age.seconds,
        "verdict": verdict_name(report.now, report.now.group_verdict),
        "lasting_verdict": verdict_name(report.now, report.now.lasting_verdict),
        "since": None if report.now.series.is_sparse else utc_time(report.since.at),
        "since_is_older": report.since.is_older,
        "partitions": partition_rows(report),
        "members": _members(report),
        "findings": _findings(report),
        "events": event_rows(report),
        "drains": [_drain_ends(name, drained) for name, drained in report.drains.items()],
        "diagnosis": {
            "code": report.diagnosis.code.value,
            "class": report.diagnosis.group_class.value,
            "severity": report.diagnosis.headline.severity.word,
            "text": report.diagnosis.sentence,
        },
        **source_facts(report),
    }


def _findings(report: Report) -> list[dict[str, str]]:
    """Return findings after the headline, and members that repeatedly lose their partitions."""
    diagnosis = report.diagnosis
    return [
        *({"kind": each.code.value, "what": diagnosis.text_of(each)} for each in diagnosis.others),
        *(
            {"kind": "unstable", "what": unstable_words(each, report.now.series)}
            for each in report.now.unstable
        ),
    ]


def verdict_name(now: Now, verdict: int) -> str | None:
    """Return the name of a verdict; None if the slots are too far apart for a verdict."""
    return None if now.series.is_sparse else VERDICTS[verdict]


def source_facts(report: Report) -> dict[str, Any]:
    """Return how the slots were read from a metrics store; empty if all slots are from the lake."""
    has_owners = report.history.within.series.has_owners
    if report.past is None or has_owners is None:
        return {}
    return {
        "source": "lake and prometheus" if has_owners.any() else "prometheus",
        "exporter": report.past.exporter,
        "interval_seconds": finite(report.past.interval),
        "owners": "unknown" if not has_owners.any() else "partly known",
        "owners_since": utc(report.history.within.series.time[has_owners][0])
        if has_owners.any()
        else None,
        "derived": list(report.past.derived),
        "rejected": report.past.rejected,
        "warnings": list(report.past.warnings),
        "owners_by_exporter": dict(report.past.owners),
    }


def partition_rows(report: Report) -> list[dict[str, Any]]:
    """Return the partitions at the last slot, by topic and number.

    Changes of owner are counted in the whole history.
    """
    now, series, changes = (
        report.now,
        report.now.series,
        flapping(report.now.series.at(slice(report.history.lead, None))),
    )
    return [
        {
            "topic": series.topic_name[series.topic[tp]],
            "partition": int(series.partition[tp]),
            "verdict": verdict_name(now, int(now.verdict[tp])),
            "completeness": min(int(now.verdicts.observation_count[-1, tp]) / OBSERVATIONS, 1.0),
            "in_rate": finite(now.in_rate[tp]),
            "out_rate": finite(now.out_rate[tp]),
            "lag": None if now.lag[tp] == UNKNOWN_LAG else int(now.lag[tp]),
            "lag_seconds": None if now.seconds[tp] == UNKNOWN_SECONDS else float(now.seconds[tp]),
            "lag_seconds_method": METHODS[now.method[tp]],
            "owner": None if now.owner[tp] == UNASSIGNED else series.member_id[now.owner[tp]],
            "owner_changes_an_hour": float(changes.changes_an_hour[tp]),
            "owner_returns": int(changes.returns[tp]),
            **_drain_time(report.current.by_partition[tp]),
        }
        for tp in now.tps.tolist()
    ]


def _members(report: Report) -> list[dict[str, Any]]:
    now = report.now
    return [
        {
            "member_id": now.series.member_id[member],
            "verdict": VERDICTS[now.member_verdict(member)],
            "capacity": finite(now.capacity.rate[member]),
            "capacity_assumed": bool(now.capacity.is_assumed[member]),
            **_drain_time(report.current.by_member[member]),
        }
        for member in now.members.tolist()
    ]


def event_rows(report: Report) -> list[dict[str, Any]]:
    """Return the events and gaps by time, each with a sentence.

    Rebalances by a consumer that restarts again and again are left out, because there is one
    sentence about all these restarts.
    """
    series = report.history.series
    verdicts_of_range = (
        report.now.verdicts
        if series.slot_count == report.now.series.slot_count
        else verdicts(series)
    )
    of_runs: set[int] = set()
    for run in series.restarts:
        if run.is_unstable:
            of_runs.update(rebalances(series).row[of_restarts(series, run)].tolist())
    within = [
        event
        for event in events(series, verdicts_of_range)
        if event.row >= report.history.lead
        and not (event.kind == REBALANCE and event.row in of_runs)
    ]
    rows = [(series.time[event.row], event.kind, event_words(event, series)) for event in within]
    rows += [(gap.first, "gap", f"{_missing(gap)}: {gap.reason}.") for gap in report.history.missed]
    return [
        {"at": utc(at), "kind": kind, "what": text}
        for at, kind, text in sorted(rows, key=lambda event: event[0])
    ]


def _missing(gap: "MissedSlots") -> str:
    return "No snapshot" if gap.first == gap.last else f"No snapshots until {utc(gap.last)}"


def _drain_ends(name: str, drained: "GroupDrain") -> dict[str, Any]:
    ends = {
        key: finite(value) for key, value in zip(("p5", "p50", "p95"), drained.band, strict=True)
    }
    # If lags are unknown, only the low end is known. With few readings, only the median is known.
    is_unknown = ends["p5"] is None and not drained.is_single
    seconds = None if drained.is_never or is_unknown else ends
    return {
        "assignor": name,
        "seconds": seconds,
        "never": drained.is_never,
        "missing_rate": finite(drained.missing),
    }


def _drain_time(seconds: float) -> dict[str, Any]:
    return {"drain_seconds": finite(seconds), "never": bool(np.isinf(seconds))}


def finite(value: float) -> float | None:
    """Return a number for JSON; null if it is unknown or infinite (never)."""
    return float(value) if np.isfinite(value) else None


def utc(seconds: float) -> str:
    """Return seconds since 1970 in ISO 8601."""
    return utc_time(datetime.fromtimestamp(seconds, UTC))


def utc_time(moment: datetime) -> str:
    """Return a UTC time in ISO 8601, with milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# GROUP_VERDICT for people and as JSON, worst group first.


def group_rows(groups: pa.Table, now: float) -> list[dict[str, Any]]:
    """Return an object for each group, with the age of its snapshot.

    The groups are sorted by verdict, worst first, then by lag, largest first.
    """
    rows = [
        row | {"age_seconds": round(max(now - row["taken_at"].timestamp(), 0.0), 1)}
        for row in groups.drop_columns("lags").to_pylist()
    ]
    return sorted(
        rows,
        key=lambda row: (
            -VERDICTS.index(row["lasting_verdict"] or VERDICTS[OK]),
            -(row["lag"] or 0),
            row["group_id"],
        ),
    )
