"""Offsets of partitions and groups on a live cluster.

Commits are read before begin and end offsets: then no lag is negative because of the order.
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
from evenkeel.data.live.wire.raw_groups import GroupListing, Wanted
from evenkeel.data.live.wire.raw_records import Record
from evenkeel.data.live.wire.raw_topics import RETRIED, Place
from evenkeel.data.text.formats import listed

_NOT_COMMITTED = _NO_LAG = -1
_RETRY_SECONDS, _PAUSE_SECONDS = 4.0, 0.2


class GroupOffsets(NamedTuple):
    """Commits of one group, or start offsets of a share group.

    `offsets`: by place, None without a commit. `problems`: by place, None for the whole group.
    `lags`: reported by the broker. `whole`: topics whose other partitions have no commits.
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


def progress(connection: Connection, groups: Iterable[GroupListing]) -> dict[str, GroupOffsets]:
    """Ask for the groups' progress: their commits.

    A share group commits nothing: its share coordinator keeps its start offsets. Brokers report
    start offsets from Kafka 4.1 on and lags from 4.2 on; older brokers report neither.
    """
    by_type = {group.group_id: group.group_type for group in groups}
    shared = [group_id for group_id, group_type in by_type.items() if group_type == SHARE]
    answers = connection.ask(lambda: connection.raw.started(shared)) if shared else {}
    commits = committed(
        connection,
        {group_id: None for group_id, group_type in by_type.items() if group_type != SHARE},
    )
    if connection.profile.requires_stable:
        commits |= _stable(connection, commits)
    return commits | {
        group_id: _started(answers[group_id])
        if group_id in answers
        else GroupOffsets({}, {None: NO_START_SAID})
        for group_id in shared
    }


def nothing_visible(group_type: str, state: str, commits: GroupOffsets) -> str | None:
    """Return the meaning of an answer without offsets.

    None with offsets, and for a committing group with members, which name their topics.
    """
    if commits.offsets:
        return None
    if group_type == SHARE:
        return NO_START_VISIBLE
    return NO_COMMIT_VISIBLE if state == EMPTY else None


def committed(connection: Connection, wanted: Mapping[str, Wanted]) -> dict[str, GroupOffsets]:
    """Ask for the commits of groups.

    Parameters
    ----------
    wanted : dict
        For each group, partition numbers by topic; None for all partitions with a commit. A request
        by name reports a hidden partition as a problem. If the profile has `require.stable`, it
        also reports commits that an open transaction is about to replace.
    """
    require_stable = connection.profile.requires_stable and None not in wanted.values()
    answers = connection.ask(lambda: connection.raw.committed(wanted, require_stable))
    return {group_id: _committed(answers[group_id]) for group_id in wanted}


def ends(connection: Connection, places: Iterable[Place], seen: Mapping[str, LiveTopic]) -> Ends:
    """Ask for the offsets of partitions of seen topics; ask again if a partition's leader
    changes.
    """
    begin: dict[Place, int] = {}
    end: dict[Place, int] = {}
    deadline = time.monotonic() + _RETRY_SECONDS
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
    """Return the leader of each partition, and the error codes of partitions without a leader."""
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


def _stable(connection: Connection, commits: Mapping[str, GroupOffsets]) -> dict[str, GroupOffsets]:
    """Ask again, by name: a request for all silently leaves out commits that are about to be
    replaced.
    """
    wanted: dict[str, dict[str, list[int]]] = {}
    for group_id, group_commits in commits.items():
        for topic, number in group_commits.offsets:
            wanted.setdefault(group_id, {}).setdefault(topic, []).append(number)
    again = committed(connection, wanted)
    return {
        group_id: group_commits._replace(
            problems=commits[group_id].problems | group_commits.problems
        )
        for group_id, group_commits in again.items()
    }


def _started(answer: Any) -> GroupOffsets:
    """Read the start offsets of a share group; its lag leaves out records acknowledged after its
    start offset (KIP-1226).
    """
    if answer.error_code:
        return GroupOffsets({}, {None: error_word(answer.error_code)})
    known = {
        (topic.topic_name, partition.partition_index): partition
        for topic in answer.topics
        for partition in topic.partitions
    }
    return GroupOffsets(
        {
            place: partition.start_offset
            for place, partition in known.items()
            if not partition.error_code and partition.start_offset > _NOT_COMMITTED
        },
        {
            place: error_word(partition.error_code)
            for place, partition in known.items()
            if partition.error_code
        },
        {
            place: partition.lag
            for place, partition in known.items()
            if not partition.error_code and partition.lag > _NO_LAG
        },
    )


def _committed(answer: Any) -> GroupOffsets:
    if answer.error_code:
        return GroupOffsets({}, {None: error_word(answer.error_code)})
    offsets: dict[Place, int | None] = {}
    problems: dict[Place | None, str] = {}
    for topic in answer.topics:
        for partition in topic.partitions:
            place = (topic.name, partition.partition_index)
            if partition.error_code:
                problems[place] = error_word(partition.error_code)
            else:
                offsets[place] = (
                    None
                    if partition.committed_offset <= _NOT_COMMITTED
                    else partition.committed_offset
                )
    return GroupOffsets(offsets, problems)


# Ages of the groups' next records, by the records' own timestamps: the next record that a group has
# to read.


MOST_RECORDS = 20_000
"""Asked at once; records beyond it, and late answers, are left out."""

_NO_READ = (
    "TOPIC_AUTHORIZATION_FAILED: the right READ on the topic is missing; time lags are estimated"
    " from offsets"
)

SKEW_SECONDS = 10.0
"""How far a clock may be ahead of ours: such a record counts as just written. A timestamp that is
further ahead is not believed.
"""


class Ages(NamedTuple):
    """By group: seconds by place, and a line about forbidden topics."""

    seconds: Mapping[str, Mapping[Place, float]]
    unread: Mapping[str, str]


_NONE = Ages({}, {})


def ages(
    connection: Connection,
    commits: Mapping[str, GroupOffsets],
    ends: Ends,
    seen: Mapping[str, LiveTopic],
    limit_seconds: float,
) -> Ages:
    """Return the age of the next record of partitions with lag, within `limit_seconds`; empty
    unless the profile has `record_timestamps`.

    Each group's partition with the most lag comes first, then each group's second.
    """
    if not connection.profile.reads_records or limit_seconds <= 0:
        return _NONE
    now = clock.seconds()
    places = {
        group_id: dict(_behind(group_commits, ends)) for group_id, group_commits in commits.items()
    }
    leaders = {record: seen[record[0][0]].leaders[record[0][1]] for record in _worst_first(places)}
    if not leaders:
        return _NONE
    try:
        records = connection.records
        times = connection.ask(
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
    age = {record: now - written / 1000 for record, written in times.written.items()}
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
        group_id: sorted({topic for topic, _ in behind} & times.refused.keys())
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


def _behind(commits: GroupOffsets, ends: Ends) -> Iterator[tuple[Place, tuple[int, int]]]:
    """Yield partitions with lag: the lag, and the offset of the next record (the first left by
    retention, if records were deleted).
    """
    for place, offset in commits.offsets.items():
        if offset is not None and place in ends.end and place not in commits.lags:
            following = max(offset, ends.begin.get(place, 0))
            if following < ends.end[place]:
                yield place, (following, ends.end[place] - following)


def _worst_first(places: Mapping[str, Mapping[Place, tuple[int, int]]]) -> list[Record]:
    ranked = []
    for behind in places.values():
        by_lag = sorted(behind.items(), key=lambda item: -item[1][1])
        ranked += [
            (rank, -lag, (place, offset)) for rank, (place, (offset, lag)) in enumerate(by_lag)
        ]
    return list(dict.fromkeys(record for _, _, record in sorted(ranked)))[:MOST_RECORDS]
