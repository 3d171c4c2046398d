"""The history of a group as lines of text."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evenkeel.assignors.group.lag import total_lag
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.timeline.now import Now
from evenkeel.assignors.timeline.time_lag import UNKNOWN_SECONDS
from evenkeel.assignors.timeline.verdicts import OBSERVATIONS
from evenkeel.data.commands.text import aligned_lines, printable
from evenkeel.data.text.formats import UNKNOWN, counted, duration, exact, listed
from evenkeel.data.text.names import without_uuid
from evenkeel.data.timeline.words import (
    DERIVED_WORDS,
    REBALANCING,
    SnapshotAge,
    unstable_words,
    why_never,
)

if TYPE_CHECKING:
    from evenkeel.data.scenarios.drains import GroupDrain

from evenkeel.data.timeline.answer import (
    Report,
    event_rows,
    finite,
    partition_rows,
    source_facts,
    utc,
    utc_time,
    verdict_name,
)

# Lines about a group.


_MOST_LINES = 20
_WHY_UNKNOWN = "The drain time is unknown: the read rate of the members was not seen."


def history_lines(report: Report, age: SnapshotAge) -> str:
    """Return the text of `evenkeel history`.

    It has one line about the group, then its findings, its worst partitions, its last events, and
    the drain time for each assignor's answer.
    """
    now = report.now
    verdict = verdict_name(now, now.lasting_verdict) or "verdict unknown"
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
    source, past = source_facts(report), report.past
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
        f"; a partition is SLOW, but SLOW counts only after {OBSERVATIONS} snapshots"
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
        return ["Snapshots are more than five minutes apart, so there is no verdict."]
    count = int(np.count_nonzero(now.is_unobserved))
    of = f"{count:,} of {counted(now.tps.size, 'partition')}"
    return (
        [f"No committed offset with a lag is known for {of}, so they count as OK."] if count else []
    )


def _gone(report: Report) -> list[str]:
    missing = report.history.series.slot_count - report.now.series.slot_count
    return (
        [
            f"The group is not in the last {counted(missing, 'snapshot')}: it was deleted, or could"
            " not be read."
        ]
        if missing
        else []
    )


def _table(report: Report) -> list[str]:
    now, partitions, tps = report.now, partition_rows(report), report.now.tps
    if not partitions:
        return ["The last snapshot names no partition of the group."]
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
    """Return a line for each of the last events.

    If earlier events are left out, the first line says so.
    """
    left, first = len(rows) - _MOST_LINES, rows[0]["at"] if rows else ""
    head = (
        [f"the last {_MOST_LINES} of {len(rows):,} events, from {first} on; --json has all"]
        if left > 0
        else []
    )
    return head + [f"{event['at']}  {event['what']}" for event in rows[-_MOST_LINES:]]


def _drain_lines(drains: Mapping[str, "GroupDrain"]) -> list[str]:
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
        "never" if np.isinf(end) else _seconds(finite(float(end))) for end in drained.band
    )
    if drained.is_single:
        return [name, UNKNOWN, f"≈ {middle}", UNKNOWN]
    return [name, f"≥ {low}" if low != UNKNOWN and middle == UNKNOWN else low, middle, high]


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None or seconds == UNKNOWN_SECONDS else duration(seconds)


def verdict_lines(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return one line for each group in `rows`, which are from `group_rows`."""
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
    """Return the start of the verdict in a row of GROUP_VERDICT, None if the row has no verdict."""
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
