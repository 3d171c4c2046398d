"""What a history says of a group: as the JSON of `evenkeel history`, as lines for people, and the
table of all groups.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.lag import UNKNOWN_LAG, total_lag
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.timeline.events import REBALANCE, events
from evenkeel.assignors.timeline.forecast import CurrentDrain
from evenkeel.assignors.timeline.now import Now
from evenkeel.assignors.timeline.ownership import flapping, of_restarts, rebalances
from evenkeel.assignors.timeline.time_lag import METHODS, UNKNOWN_SECONDS
from evenkeel.assignors.timeline.verdicts import OBSERVATIONS, OK, VERDICTS, verdicts
from evenkeel.data.commands.text import aligned_lines, printable
from evenkeel.data.text.formats import UNKNOWN, counted, duration, exact, listed
from evenkeel.data.text.names import without_uuid
from evenkeel.data.timeline.words import (
    DERIVED_WORDS,
    REBALANCING,
    SnapshotAge,
    event_words,
    unstable_words,
    why_never,
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
    """A history, the facts of the last slot with the group, since when it has its verdict, and how
    long it takes to drain.

    `current`: as its owners are, by member and partition; `observed`: the group in that slot;
    `diagnosis`: of its first and last slot; `drains`: of the group, for each assignor's answer;
    `past`: how slots of a metrics store were read, if there are some.
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
    """Return the document; unknown is null. `age`: of the last snapshot, which may be without the
    group.
    """
    return {
        "group_id": report.history.group_id,
        "at": utc(report.now.series.time[-1]),
        "age_seconds": age.seconds,
        "verdict": _named(report.now, report.now.group_verdict),
        "lasting_verdict": _named(report.now, report.now.lasting_verdict),
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
        **_source(report),
    }


def _findings(report: Report) -> list[dict[str, str]]:
    """Return the other findings of the diagnosis, and the members that never keep their
    partitions.
    """
    diagnosis = report.diagnosis
    return [
        *({"kind": each.code.value, "what": diagnosis.text_of(each)} for each in diagnosis.others),
        *(
            {"kind": "unstable", "what": unstable_words(each, report.now.series)}
            for each in report.now.unstable
        ),
    ]


def _named(now: Now, verdict: int) -> str | None:
    """Return a verdict by name, None if slots are too far apart for one."""
    return None if now.series.is_sparse else VERDICTS[verdict]


def _source(report: Report) -> dict[str, Any]:
    """Return the source of the range's slots, if some are not from the lake."""
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
    """Return the partitions of the last slot, by topic and number; changes of owner are counted
    over the whole history.
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
            "verdict": _named(now, int(now.verdict[tp])),
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
    """Return events and gaps by time, each with its sentence; rebalances of a run of restarts are
    in the sentence of that run.
    """
    series = report.history.series
    verdicts_of_range = (
        report.now.verdicts
        if series.slot_count == report.now.series.slot_count
        else verdicts(series)
    )
    of_runs = {
        row
        for run in series.restarts
        if run.is_unstable
        for row in rebalances(series).row[of_restarts(series, run)].tolist()
    }
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
    # Where lags are unknown, only the low end is known; of few readings only the middle.
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
    """Return a number for JSON: null for unknown and never."""
    return float(value) if np.isfinite(value) else None


def utc(seconds: float) -> str:
    """Return seconds since 1970 in ISO 8601."""
    return utc_time(datetime.fromtimestamp(seconds, UTC))


def utc_time(moment: datetime) -> str:
    """Return a time in UTC in ISO 8601, with milliseconds."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# What a history says of a group, as lines for people.


_MOST_LINES = 20
_WHY_UNKNOWN = "It is unknown when it drains: the read rate of members was not seen."


def history_lines(report: Report, age: SnapshotAge) -> str:
    """Return the group in one line, its findings, worst partitions, members, last events, and how
    long each answer takes.
    """
    now = report.now
    verdict = _named(now, now.lasting_verdict) or "verdict unknown"
    head = f"{report.history.group_id}: {verdict} at {utc(now.series.time[-1])}"
    about = "≈ " * bool(report.past and report.past.derived)
    seconds = f"time lag {about}{_seconds(now.worst_seconds)}" + (
        f" ({now.worst_method})" if now.worst_method else ""
    )
    facts = (
        f"lag {about}{_lag(now)}, {seconds},"
        f" {counted(now.series.slot_count - report.history.lead, 'snapshot')}"
    )
    unstable = [unstable_words(each, now.series) for each in now.unstable]
    lines = [
        f"{head}  ({facts})",
        " ".join([report.diagnosis.sentence, *report.diagnosis.notes]),
        "; ".join(filter(None, [_since(report), str(age)])),
        *_past_lines(report),
        *_gone(report),
        *_unobserved(now),
        *unstable,
        "",
        *_table(report),
    ]
    events_of = _event_lines(event_rows(report))
    lines += ["", *events_of] if events_of else []
    lines += ["", *_drain_lines(report.drains)] if report.drains else []
    return "\n".join(map(printable, lines)) + "\n"


def _past_lines(report: Report) -> list[str]:
    source, past = _source(report), report.past
    if past is None or not source:
        return []
    before = f" before {source['owners_since']}" * bool(source["owners_since"])
    lines = [f"{past.words}; owners not recorded{before}"]
    if past.derived:
        lines.append(f"≈ {listed(DERIVED_WORDS[role] for role in past.derived)}.")
    if past.rejected:
        lines.append(f"{counted(past.rejected, 'sample')} left out: no whole number up to 2^53.")
    return [*lines, *(f"Prometheus warns: {text}" for text in past.warnings)]


def _since(report: Report) -> str:
    if report.now.series.is_sparse:
        return ""
    is_slow = report.now.group_verdict != report.now.lasting_verdict
    brief = (
        f"; a partition is SLOW, which counts once it has lasted {OBSERVATIONS} snapshots"
        if is_slow
        else ""
    )
    return f"since {utc_time(report.since.at)}{' or longer' * report.since.is_older}{brief}"


def _lag(now: Now) -> str:
    lag, unknown = total_lag(now.lag) if now.tps.size else None, now.unknown_count()
    if lag is None:
        return UNKNOWN
    return (
        f"{lag:,} and {unknown:,} of {counted(now.tps.size, 'partition')} unknown"
        if unknown
        else f"{lag:,}"
    )


def _unobserved(now: Now) -> list[str]:
    if now.series.is_sparse:
        return ["Snapshots are more than five minutes apart: no verdict is made of them."]
    count = int(np.count_nonzero(now.is_unobserved))
    of = f"{count:,} of {counted(now.tps.size, 'partition')}"
    return [f"No committed offset with a lag is known for {of}: they count as OK."] if count else []


def _gone(report: Report) -> list[str]:
    missing = report.history.series.slot_count - report.now.series.slot_count
    return (
        [
            f"Not in the last {counted(missing, 'snapshot')}: the group was deleted, or could not"
            " be read."
        ]
        if missing
        else []
    )


def _table(report: Report) -> list[str]:
    """Return a line for each of the worst partitions."""
    now, partitions, tps = report.now, partition_rows(report), report.now.tps
    if not partitions:
        return ["The last snapshot names no partition of it."]
    rows = [
        partitions[place]
        for place in np.lexsort([-now.lag[tps], -now.verdict[tps]])[:_MOST_LINES].tolist()
    ]
    cells = [
        ["partition", "owner", "verdict", "lag", "time lag", "method", "in/s", "out/s", "drains in"]
    ]
    cells += [
        [
            partition_name(row["topic"], row["partition"]),
            row["owner"] or UNKNOWN,
            row["verdict"] or UNKNOWN,
            exact(row["lag"]),
            _seconds(row["lag_seconds"]),
            row["lag_seconds_method"] or UNKNOWN,
            *(
                UNKNOWN if row[rate] is None else f"{row[rate]:,.1f}"
                for rate in ("in_rate", "out_rate")
            ),
            "never" if row["never"] else _seconds(row["drain_seconds"]),
        ]
        for row in rows
    ]
    return aligned_lines(cells, 3)


def _event_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each of the last events, after one line about the omitted events: the list
    begins later than the range.
    """
    left, first = len(rows) - _MOST_LINES, rows[0]["at"] if rows else ""
    head = (
        [f"the last {_MOST_LINES} of {len(rows):,} events; the first is of {first}: --json has all"]
        if left > 0
        else []
    )
    return head + [f"{event['at']}  {event['what']}" for event in rows[-_MOST_LINES:]]


def _drain_lines(drains: Mapping[str, "GroupDrain"]) -> list[str]:
    """Return a line for each answer, and below them each reason once."""
    lines = aligned_lines(
        [["drains in", "5 %", "50 %", "95 %"], *(_drain_cells(*pair) for pair in drains.items())]
    )
    endless: dict[str, list[str]] = {}
    for name, drained in drains.items():
        if drained.is_never:
            endless.setdefault(_why_never(drained), []).append(name)
    lines += [f"never ({', '.join(names)}): {why}" for why, names in endless.items()]
    if not all(np.isnan(drained.band).all() for drained in drains.values()):
        return lines
    return [
        *lines,
        REBALANCING if any(drained.is_between for drained in drains.values()) else _WHY_UNKNOWN,
    ]


def _why_never(drained: "GroupDrain") -> str:
    return why_never(
        drained.excess,
        [without_uuid(member) for member in drained.endless.members],
        *drained.endless[1:],
        drained.missing,
    )


def _drain_cells(name: str, drained: "GroupDrain") -> list[str]:
    low, middle, high = (
        "never" if np.isinf(end) else _seconds(finite(end)) for end in drained.band
    )
    if drained.is_single:
        return [name, UNKNOWN, f"≈ {middle}", UNKNOWN]
    return [name, f"≥ {low}" if low != UNKNOWN and middle == UNKNOWN else low, middle, high]


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None or seconds == UNKNOWN_SECONDS else duration(seconds)


# GROUP_VERDICT for people and as JSON, worst first.


def group_rows(groups: pa.Table, now: float) -> list[dict[str, Any]]:
    """Return an object for each group, with the age of its snapshot, the worst verdict first, then
    the largest lag.
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


def verdict_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return a line for each of `group_rows`."""
    cells = [["group", "verdict", "since", "lag", "time lag", "method", "drains in"]]
    cells += [
        [
            row["group_id"],
            row["lasting_verdict"] or UNKNOWN,
            since_of(row) or UNKNOWN,
            exact(row["lag"]),
            _time_lag(row["lag_seconds"]),
            row["lag_seconds_method"] or UNKNOWN,
            _drains_in(row),
        ]
        for row in rows
    ]
    if len(cells) == 1:
        return ["The last snapshot has no group.\n"]
    return [printable(line) + "\n" for line in aligned_lines(cells, 3)]


def since_of(row: dict[str, Any]) -> str | None:
    """Return since when a row of GROUP_VERDICT has its verdict, None if it has none."""
    if row["verdict_since"] is None:
        return None
    return f"{row['verdict_since']:%Y-%m-%dT%H:%M:%SZ}{' or longer' * row['verdict_is_older']}"


def _drains_in(row: dict[str, Any]) -> str:
    low, high = row["drain_low_seconds"], row["drain_high_seconds"]
    if row["drain_is_never"]:
        return "never"
    if row["drain_seconds"] is None:
        return UNKNOWN if low is None else f"≥ {duration(low)}"
    if low is None:
        return f"≈ {duration(row['drain_seconds'])}"
    return (
        f"{duration(low)} to {'never' if high is None else duration(high)}"
        if high != 0
        else duration(0)
    )


def _time_lag(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else duration(seconds)
