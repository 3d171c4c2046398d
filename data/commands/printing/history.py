"""What a history says of a group: as the JSON of `evenkeel history`, and as lines for people."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from assignors.assignment import UNASSIGNED
from assignors.group.lag import UNKNOWN_LAG, total_lag
from assignors.history.changes.events import events
from assignors.history.changes.verdicts import OBSERVATIONS, VERDICTS, verdicts
from assignors.history.now import Now
from assignors.history.speed.time_lag import METHODS, UNKNOWN_SECONDS
from data.commands.printing.alignment import aligned_lines
from data.commands.printing.terminal_text import printable
from data.words.durations import duration
from data.words.history import event_words, finding_words, why_never
from data.words.lists import counted

if TYPE_CHECKING:
    from data.lake.history.history import History
    from data.lake.history.older_since import Since
    from data.scenarios.drains import GroupDrain
    from data.tables.transforms.history.axis import Missed

UNKNOWN = "–"
_MOST_LINES = 20
_WHY_UNKNOWN = "It is unknown when it drains: what members can read was not seen."


class Report(NamedTuple):
    """A history, what it says of the last slot that has the group, since when it has its verdict, and how long each answer would take."""

    history: "History"
    now: Now
    since: "Since"
    drains: Mapping[str, "GroupDrain"]


def history_json(one: Report) -> dict[str, Any]:
    """Return the document; unknown is null."""
    return {
        "group_id": one.history.group_id,
        "at": _iso(one.now.series.time[-1]),
        "verdict": VERDICTS[one.now.group_verdict],
        "lasting_verdict": VERDICTS[one.now.lasting_verdict],
        "since": _time(one.since.at),
        "since_is_older": one.since.is_older,
        "partitions": _partitions(one.now),
        "members": _members(one.now),
        "events": _events(one),
        "drains": [_drain(name, found) for name, found in one.drains.items()],
    }


def history_lines(one: Report) -> str:
    """Return the group in one line, its findings, worst partitions, members, last events, and how long each answer takes."""
    now = one.now
    head = f"{one.history.group_id}: {VERDICTS[now.lasting_verdict]} at {_iso(now.series.time[-1])}"
    seconds = f"time lag {_seconds(now.worst_seconds)}" + (f" ({now.worst_method})" if now.worst_method else "")
    facts = f"lag {_lag(now)}, {seconds}, {counted(now.series.slot_count, 'snapshot')}"
    findings = [finding_words(found, now.series) for found in now.findings]
    lines = [f"{head}  ({facts})", _since(one), *_gone(one), *_unobserved(now), *findings, "", *_table(now)]
    events_of = _events(one)[-_MOST_LINES:]
    lines += ["", *(f"{event['at']}  {event['what']}" for event in events_of)] if events_of else []
    if one.drains:
        lines += ["", *aligned_lines([["drains in", "5 %", "50 %", "95 %"], *(_drain_cells(*pair) for pair in one.drains.items())])]
        lines += [_WHY_UNKNOWN] * all(np.isnan(found.band).all() for found in one.drains.values())
    return "\n".join(map(printable, lines)) + "\n"


def _since(one: Report) -> str:
    is_slow = one.now.group_verdict != one.now.lasting_verdict
    brief = f"; a partition is SLOW, which counts once it has lasted {OBSERVATIONS} snapshots" if is_slow else ""
    return f"since {_time(one.since.at)}{' or longer' * one.since.is_older}{brief}"


def _lag(now: Now) -> str:
    lag, unknown = total_lag(now.lag) if now.tps.size else None, now.unknown_count()
    if lag is None:
        return UNKNOWN
    return f"{lag:,} and {unknown:,} of {counted(now.tps.size, 'partition')} unknown" if unknown else f"{lag:,}"


def _unobserved(now: Now) -> list[str]:
    count = int(np.count_nonzero(now.is_unobserved))
    of = f"{count:,} of {counted(now.tps.size, 'partition')}"
    return [f"No committed offset with a lag is known for {of}: they count as OK."] if count else []


def _gone(one: Report) -> list[str]:
    missing = one.history.series.slot_count - one.now.series.slot_count
    return [f"Not in the last {counted(missing, 'snapshot')}: the group was deleted, or could not be read."] if missing else []


def _partitions(now: Now) -> list[dict[str, Any]]:
    series = now.series
    return [
        {
            "topic": series.topic_name[series.topic[tp]],
            "partition": int(series.partition[tp]),
            "verdict": VERDICTS[now.verdict[tp]],
            "completeness": int(now.verdicts.observation_count[-1, tp]) / OBSERVATIONS,
            "in_rate": _known(now.in_rate[tp]),
            "out_rate": _known(now.out_rate[tp]),
            "lag": None if now.lag[tp] == UNKNOWN_LAG else int(now.lag[tp]),
            "lag_seconds": None if now.seconds[tp] == UNKNOWN_SECONDS else float(now.seconds[tp]),
            "lag_seconds_method": METHODS[now.method[tp]],
            "owner": None if now.owner[tp] == UNASSIGNED else series.member_id[now.owner[tp]],
        }
        for tp in now.tps.tolist()
    ]


def _members(now: Now) -> list[dict[str, Any]]:
    return [
        {
            "member_id": now.series.member_id[member],
            "verdict": VERDICTS[now.member_verdict(member)],
            "capacity": _known(now.capacity.rate[member]),
            "capacity_assumed": bool(now.capacity.is_assumed[member]),
        }
        for member in now.members.tolist()
    ]


def _events(one: Report) -> list[dict[str, Any]]:
    series = one.history.series
    told = one.now.verdicts if series.slot_count == one.now.series.slot_count else verdicts(series)
    found = [(series.time[event.row], event.kind, event_words(event, series)) for event in events(series, told)]
    found += [(gap.first, "gap", f"{_missing(gap)}: {gap.reason}.") for gap in one.history.missed]
    return [{"at": _iso(at), "kind": kind, "what": what} for at, kind, what in sorted(found, key=lambda event: event[0])]


def _missing(gap: "Missed") -> str:
    return "No snapshot" if gap.first == gap.last else f"No snapshots until {_iso(gap.last)}"


def _drain(name: str, found: "GroupDrain") -> dict[str, Any]:
    ends = {key: _known(value) for key, value in zip(("p5", "p50", "p95"), found.band, strict=True)}
    # Where lags are unknown, only the low end is known; of few readings only the middle.
    is_unknown = ends["p5"] is None and not found.is_single
    return {"assignor": name, "seconds": None if found.is_never or is_unknown else ends, "never": found.is_never}


def _table(now: Now) -> list[str]:
    """Return a line for each of the worst partitions."""
    partitions, tps = _partitions(now), now.tps
    if not partitions:
        return ["The last snapshot names no partition of it."]
    rows = [partitions[place] for place in np.lexsort([-now.lag[tps], -now.verdict[tps]])[:_MOST_LINES].tolist()]
    cells = [["partition", "owner", "verdict", "lag", "time lag", "method", "in/s", "out/s"]]
    cells += [
        [
            f"{row['topic']}-{row['partition']}",
            row["owner"] or UNKNOWN,
            row["verdict"],
            UNKNOWN if row["lag"] is None else f"{row['lag']:,}",
            _seconds(row["lag_seconds"]),
            row["lag_seconds_method"] or UNKNOWN,
            *(UNKNOWN if row[rate] is None else f"{row[rate]:,.1f}" for rate in ("in_rate", "out_rate")),
        ]
        for row in rows
    ]
    return aligned_lines(cells, 3)


def _drain_cells(name: str, found: "GroupDrain") -> list[str]:
    low, middle, high = ("never" if np.isinf(end) else _seconds(_known(end)) for end in found.band)
    if found.is_never:
        return [name, low, f"never: {why_never(found.excess)}", high]
    if found.is_single:
        return [name, UNKNOWN, f"≈ {middle}", UNKNOWN]
    return [name, f"≥ {low}" if low != UNKNOWN and middle == UNKNOWN else low, middle, high]


def _seconds(seconds: float | None) -> str:
    return UNKNOWN if seconds is None or seconds == UNKNOWN_SECONDS else duration(seconds)


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _iso(seconds: float) -> str:
    return _time(datetime.fromtimestamp(seconds, UTC))


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
