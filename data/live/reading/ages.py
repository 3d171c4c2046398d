"""Ages of the records at which groups stand, by the records' own timestamps: the next record that a group has to read."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from evenkeel.data import clock
from evenkeel.data.errors import UnansweredError
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.offsets import Committed, Ends, Place
from evenkeel.data.live.reading.topics import LiveTopic
from evenkeel.data.live.wire.raw_records import Record
from evenkeel.data.words.lists import listed

MOST_RECORDS = 20_000
"""Asked at once; those beyond it, and those that do not come in time, are left out."""

_NO_READ = "TOPIC_AUTHORIZATION_FAILED: the right READ on the topic is missing; time lags are told from offsets"

SKEW_SECONDS = 10.0
"""How far a clock may be ahead of ours: such a record counts as just written. A timestamp that is further ahead is not believed."""


class Ages(NamedTuple):
    """By group: seconds by place, and one line that says what may not be read."""

    seconds: Mapping[str, Mapping[Place, float]]
    unread: Mapping[str, str]


_NONE = Ages({}, {})


def ages(connection: Connection, commits: Mapping[str, Committed], ends: Ends, seen: Mapping[str, LiveTopic], limit_seconds: float) -> Ages:
    """Return how old the records are, for partitions with lag, in so many seconds at most; none unless the profile has `record_timestamps`.

    Every group's partition with the most lag comes first, then every group's second.
    """
    if not connection.profile.reads_records or limit_seconds <= 0:
        return _NONE
    now = clock.seconds()
    places = {group_id: dict(_behind(one, ends)) for group_id, one in commits.items()}
    leaders = {record: seen[record[0][0]].leaders[record[0][1]] for record in _worst_first(places)}
    if not leaders:
        return _NONE
    try:
        records = connection.records
        found = connection.ask(lambda: records.times(leaders, connection.profile.reads_committed, limit_seconds))
    except UnansweredError as error:
        # Offsets are known all the same.
        return Ages({}, {group_id: f"no record can be read: {error}" for group_id, behind in places.items() if behind})
    age = {record: now - written / 1000 for record, written in found.written.items()}
    believed = {record: max(seconds, 0.0) for record, seconds in age.items() if seconds >= -SKEW_SECONDS}
    of_groups = {
        group_id: {place: believed[place, offset] for place, (offset, _) in behind.items() if (place, offset) in believed}
        for group_id, behind in places.items()
    }
    refused = {group_id: sorted({topic for topic, _ in behind} & found.refused.keys()) for group_id, behind in places.items()}
    return Ages(of_groups, {group_id: f"records of {listed(topics)}: {_NO_READ}" for group_id, topics in refused.items() if topics})


def _behind(commits: Committed, ends: Ends) -> Iterator[tuple[Place, tuple[int, int]]]:
    """Yield where there is lag: the offset of the next record, which is the first one where retention has deleted others, and the lag."""
    for place, offset in commits.offsets.items():
        if offset is not None and place in ends.end and place not in commits.lags:
            following = max(offset, ends.begin.get(place, 0))
            if following < ends.end[place]:
                yield place, (following, ends.end[place] - following)


def _worst_first(places: Mapping[str, Mapping[Place, tuple[int, int]]]) -> list[Record]:
    ranked = []
    for behind in places.values():
        by_lag = sorted(behind.items(), key=lambda one: -one[1][1])
        ranked += [(rank, -lag, (place, offset)) for rank, (place, (offset, lag)) in enumerate(by_lag)]
    return list(dict.fromkeys(record for _, _, record in sorted(ranked)))[:MOST_RECORDS]
