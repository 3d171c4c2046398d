"""Offsets of partitions and groups on a live cluster.

Commits are read first, begin and end offsets after them: the order of the calls makes no lag
negative.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from kafka import errors

from evenkeel.assignors.protocol import SHARE
from evenkeel.data import clock
from evenkeel.data.errors import UnansweredError
from evenkeel.data.group.document import EMPTY
from evenkeel.data.live.connection import (
    NO_COMMIT_VISIBLE,
    NO_START_SAID,
    NO_START_VISIBLE,
    Connection,
    error_word,
)
from evenkeel.data.live.reading.topics import LiveTopic, topics
from evenkeel.data.live.wire.raw_groups import Listed, Wanted
from evenkeel.data.live.wire.raw_records import Record
from evenkeel.data.live.wire.raw_topics import RETRIED, Place
from evenkeel.data.text.formats import listed

_NOT_COMMITTED = _NO_LAG = -1
_RETRY_SECONDS, _PAUSE_SECONDS = 4.0, 0.2


class Committed(NamedTuple):
    """What one group has committed, or where a share group starts.

    `offsets`: by place, null where it has no commit. `problems`: by place; under null, that of the
    whole group. `lags`: as the broker reports them. `whole`: topics whose other partitions have no
    commit.
    """

    offsets: dict[Place, int | None]
    problems: dict[Place | None, str]
    lags: Mapping[Place, int] = MappingProxyType({})
    whole: Set[str] = frozenset()


class Ends(NamedTuple):
    """Begin offsets, end offsets and problems by place."""

    begin: dict[Place, int]
    end: dict[Place, int]
    problems: dict[Place, str]


def progress(connection: Connection, groups: Iterable[Listed]) -> dict[str, Committed]:
    """Ask how far groups are: what they have committed.

    A share group commits nothing: its share coordinator keeps where it is. Brokers report start
    offsets from Kafka 4.1 on and lags from 4.2 on; older ones report neither.
    """
    by_type = {one.group_id: one.group_type for one in groups}
    shared = [one for one, group_type in by_type.items() if group_type == SHARE]
    answers = connection.ask(lambda: connection.raw.started(shared)) if shared else {}
    found = committed(
        connection,
        {one: None for one, group_type in by_type.items() if group_type != SHARE},
    )
    if connection.profile.requires_stable:
        found |= _stable(connection, found)
    return found | {
        one: _started(answers[one]) if one in answers else Committed({}, {None: NO_START_SAID})
        for one in shared
    }


def nothing_visible(group_type: str, state: str, found: Committed) -> str | None:
    """Return what it means that a group has no offsets.

    Null where it has some; also where a group that commits has members, which say what it reads.
    """
    if found.offsets:
        return None
    if group_type == SHARE:
        return NO_START_VISIBLE
    return NO_COMMIT_VISIBLE if state == EMPTY else None


def committed(connection: Connection, wanted: Mapping[str, Wanted]) -> dict[str, Committed]:
    """Ask what groups have committed.

    Parameters
    ----------
    wanted : dict
        For each group partition numbers by topic. Asked by name, a hidden partition is a problem;
        it is not left out. With `require.stable` in the profile, so is one whose commit an open
        transaction is about to replace. None asks for all partitions with a commit, the latter
        among them.
    """
    require_stable = connection.profile.requires_stable and None not in wanted.values()
    answers = connection.ask(lambda: connection.raw.committed(wanted, require_stable))
    return {group_id: _committed(answers[group_id]) for group_id in wanted}


def ends(connection: Connection, places: Iterable[Place], seen: Mapping[str, LiveTopic]) -> Ends:
    """Ask for the offsets of partitions of topics that were seen; a partition whose leader changes
    is asked again.
    """
    begin, end, deadline = {}, {}, time.monotonic() + _RETRY_SECONDS
    leaders, refused = _led(places, seen)
    while True:
        answered = (
            connection.ask(
                partial(connection.raw.topics.bounds, leaders, connection.profile.reads_committed)
            )
            if leaders
            else None
        )
        if answered:
            begin |= answered.begin
            end |= answered.end
            refused |= answered.refused
        again = [place for place, code in refused.items() if code in RETRIED]
        if not again or time.monotonic() > deadline:
            return Ends(begin, end, {place: error_word(code) for place, code in refused.items()})
        time.sleep(_PAUSE_SECONDS)
        now, _ = topics(connection, {topic for topic, _ in again})
        leaders, without = _led(again, now)
        refused = {place: code for place, code in refused.items() if code not in RETRIED} | without


def _led(
    places: Iterable[Place], seen: Mapping[str, LiveTopic]
) -> tuple[dict[Place, int], dict[Place, int]]:
    """Return the leader of each partition, and the codes of those without one."""
    leaders, without = {}, {}
    for place in places:
        known = seen[place[0]].leaders if place[0] in seen else ()
        if place[1] >= len(known):
            without[place] = errors.UnknownTopicOrPartitionError.errno
        elif known[place[1]] < 0:
            without[place] = errors.LeaderNotAvailableError.errno
        else:
            leaders[place] = known[place[1]]
    return leaders, without


def _stable(connection: Connection, found: Mapping[str, Committed]) -> dict[str, Committed]:
    """Ask again, by name: asked for all, Kafka silently leaves out partitions whose commit is about
    to be replaced.
    """
    wanted: dict[str, dict[str, list[int]]] = {}
    for group_id, one in found.items():
        for topic, number in one.offsets:
            wanted.setdefault(group_id, {}).setdefault(topic, []).append(number)
    again = committed(connection, wanted)
    return {
        group_id: one._replace(problems=found[group_id].problems | one.problems)
        for group_id, one in again.items()
    }


def _started(answer: Any) -> Committed:
    """Read where a share group starts; its lag leaves out records acknowledged beyond that
    (KIP-1226).
    """
    if answer.error_code:
        return Committed({}, {None: error_word(answer.error_code)})
    known = {
        (topic.topic_name, one.partition_index): one
        for topic in answer.topics
        for one in topic.partitions
    }
    return Committed(
        {
            place: one.start_offset
            for place, one in known.items()
            if not one.error_code and one.start_offset > _NOT_COMMITTED
        },
        {place: error_word(one.error_code) for place, one in known.items() if one.error_code},
        {
            place: one.lag
            for place, one in known.items()
            if not one.error_code and one.lag > _NO_LAG
        },
    )


def _committed(answer: Any) -> Committed:
    if answer.error_code:
        return Committed({}, {None: error_word(answer.error_code)})
    found, problems = {}, {}
    for topic in answer.topics:
        for one in topic.partitions:
            place = (topic.name, one.partition_index)
            if one.error_code:
                problems[place] = error_word(one.error_code)
            else:
                found[place] = (
                    None if one.committed_offset <= _NOT_COMMITTED else one.committed_offset
                )
    return Committed(found, problems)


# Ages of the records at which groups stand, by the records' own timestamps: the next record that a
# group has to read.


MOST_RECORDS = 20_000
"""Asked at once; those beyond it, and those that do not come in time, are left out."""

_NO_READ = "TOPIC_AUTHORIZATION_FAILED: the right READ on the topic is missing; time lags are estimated from offsets"

SKEW_SECONDS = 10.0
"""How far a clock may be ahead of ours: such a record counts as just written. A timestamp that is
further ahead is not believed.
"""


class Ages(NamedTuple):
    """By group: seconds by place, and one line that says what may not be read."""

    seconds: Mapping[str, Mapping[Place, float]]
    unread: Mapping[str, str]


_NONE = Ages({}, {})


def ages(
    connection: Connection,
    commits: Mapping[str, Committed],
    ends: Ends,
    seen: Mapping[str, LiveTopic],
    limit_seconds: float,
) -> Ages:
    """Return how old the records are, for partitions with lag, in so many seconds at most; none
    unless the profile has `record_timestamps`.

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
        found = connection.ask(
            lambda: records.times(leaders, connection.profile.reads_committed, limit_seconds)
        )
    except UnansweredError as error:
        # Offsets are known all the same.
        return Ages(
            {},
            {
                group_id: f"no record can be read: {error}"
                for group_id, behind in places.items()
                if behind
            },
        )
    age = {record: now - written / 1000 for record, written in found.written.items()}
    believed = {
        record: max(seconds, 0.0) for record, seconds in age.items() if seconds >= -SKEW_SECONDS
    }
    of_groups = {
        group_id: {
            place: believed[place, offset]
            for place, (offset, _) in behind.items()
            if (place, offset) in believed
        }
        for group_id, behind in places.items()
    }
    refused = {
        group_id: sorted({topic for topic, _ in behind} & found.refused.keys())
        for group_id, behind in places.items()
    }
    return Ages(
        of_groups,
        {
            group_id: f"records of {listed(topics)}: {_NO_READ}"
            for group_id, topics in refused.items()
            if topics
        },
    )


def _behind(commits: Committed, ends: Ends) -> Iterator[tuple[Place, tuple[int, int]]]:
    """Yield where there is lag: the offset of the next record, which is the first one where
    retention has deleted others, and the lag.
    """
    for place, offset in commits.offsets.items():
        if offset is not None and place in ends.end and place not in commits.lags:
            following = max(offset, ends.begin.get(place, 0))
            if following < ends.end[place]:
                yield place, (following, ends.end[place] - following)


def _worst_first(places: Mapping[str, Mapping[Place, tuple[int, int]]]) -> list[Record]:
    ranked = []
    for behind in places.values():
        by_lag = sorted(behind.items(), key=lambda one: -one[1][1])
        ranked += [
            (rank, -lag, (place, offset)) for rank, (place, (offset, lag)) in enumerate(by_lag)
        ]
    return list(dict.fromkeys(record for _, _, record in sorted(ranked)))[:MOST_RECORDS]
