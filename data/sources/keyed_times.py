"""Times in JSON. Events of a log store are grouped into readings, and series of Prometheus become
two readings.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from evenkeel.data.sources.facts import OFFSETS, time_of
from evenkeel.data.sources.metrics import Sample

FIGURES = (*OFFSETS, "listed_lag")


def set_times(events: list[tuple[datetime, dict[str, Any]]]) -> None:
    """Group events into readings. If there are several readings, give all rows of a reading the
    same time.

    Events of one reading have slightly different times. If a partition occurs again, a new reading
    has started: after the longest pause since the partition's last event.
    """
    events.sort(key=lambda event: event[0])
    borders: list[int] = [0]
    seen: dict[tuple, int] = {}
    for place, (time, row) in enumerate(events):
        figures = tuple(row[column] is None for column in FIGURES)
        key = row["group_id"], row["topic"], row["partition"], figures
        before = seen.get(key, -1)
        if before >= borders[-1] and events[before][0] < time:
            pauses = range(place, before, -1)
            borders.append(max(pauses, key=lambda at: events[at][0] - events[at - 1][0]))
        seen[key] = place
    for start, stop in pairwise([*borders, len(events)]) if len(borders) > 1 else ():
        for _, row in events[start:stop]:
            row["taken_at"] = events[stop - 1][0]


class Series(NamedTuple):
    """One series in an answer of Prometheus. `pairs`: at least two (time, value) pairs, oldest
    first.
    """

    family: str
    labels: Mapping[str, str]
    pairs: list[list]


def two_readings(series: Sequence[Series]) -> tuple[list[Sample], list[Sample]]:
    """Return two lists of samples: the first for an earlier moment, the second for the end of the
    answer. All samples of a list have the same time, so a series that starts or ends later makes no
    further reading.

    The earlier moment is the first at which all series have values.
    """
    begin = max((_time(pairs[0]) for _, _, pairs in series), default=_NEVER)
    end = max((_time(pairs[-1]) for _, _, pairs in series), default=_NEVER)
    earlier, latest = [], []
    for family, labels, pairs in series:
        count = bisect_right(pairs, begin, key=_time)
        if _NEVER < begin < end and 0 < count < len(pairs):
            earlier.append(Sample(family, labels, str(pairs[count - 1][1]), begin))
        before, last = _time(pairs[-2]), _time(pairs[-1])
        # A series whose next value is overdue has ended.
        if last == end or end - last < last - before:
            time = None if end == _NEVER else end
            latest.append(Sample(family, labels, str(pairs[-1][1]), time))
    return earlier, latest


_NEVER = datetime.min.replace(tzinfo=UTC)


def _time(pair: Sequence) -> datetime:
    return time_of(pair[0]) or _NEVER
