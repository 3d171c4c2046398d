"""Offsets of partitions and groups on a live cluster.

Commits are read before begin and end offsets, so that a lag cannot be negative.
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
    """Commits of a group, or start offsets of a share group.

    `offsets`: committed offset of each partition, None if there is no commit. `problems`: problem
    of each partition; the key None has a problem of the whole group. `lags`: lags that the broker
    reports. `whole`: in these topics, partitions that are not in `offsets` have no commit.
    """

    offsets: dict[Place, int | None]
    problems: dict[Place | None, str]
    lags: Mapping[Place, int] = MappingProxyType({})
    whole: Set[str] = frozenset()


class Ends(NamedTuple):
    """Begin offsets, end offsets and problems by partition."""

    begin: dict[Place, int]
    end: dict[Place, int]
    problems: dict[Place, str]


def progress(connection: Connection, groups: Iterable[GroupListing]) -> dict[str, GroupOffsets]:
    """Return the commits of each group. For a share group: return start offsets and lags.

    A share group has start offsets in place of commits. Brokers report start offsets since Kafka
    4.1, and lags since Kafka 4.2.
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
    """Return a sentence with the possible reasons why an answer has no offsets. None if the answer
    has offsets.

    None too if a group other than a share group has members, because the members show its topics.
    """
    if commits.offsets:
        return None
    if group_type == SHARE:
        return NO_START_VISIBLE
    return NO_COMMIT_VISIBLE if state == EMPTY else None


def committed(connection: Connection, wanted: Mapping[str, Wanted]) -> dict[str, GroupOffsets]:
    """Return the commits of each group.

    Parameters
    ----------
    wanted : dict
        For each group, partition numbers by topic; None means each partition that has a commit. If
        a hidden partition is requested by number, the answer has a problem for this partition. If
        the profile has `require.stable`, there is also a problem if an open transaction is about to
        replace the commit.
    """
    require_stable = connection.profile.requires_stable and None not in wanted.values()
    answers = connection.ask(lambda: connection.raw.committed(wanted, require_stable))
    return {group_id: _committed(answers[group_id]) for group_id in wanted}


def ends(connection: Connection, places: Iterable[Place], seen: Mapping[str, LiveTopic]) -> Ends:
    """Return begin and end offsets of the partitions. If a partition's leader has changed, the
    request is repeated for up to four seconds. `seen`: the topics of the partitions.
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
    """Request commits again, now with each partition named. The request for all commits of a group
    omits commits that an open transaction is about to replace, and reports no problem.
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
    """Return the start offsets and lags of a share group. Records that were acknowledged after the
    start offset are not in the lag (KIP-1226).
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


# Age of the next record that a group has to read, from the record's own timestamp.


MOST_RECORDS = 20_000
"""Most records requested at once. Further records and late answers are omitted."""

_NO_READ = (
    "TOPIC_AUTHORIZATION_FAILED: the right READ on the topic is missing; time lags are estimated"
    " from offsets"
)

SKEW_SECONDS = 10.0
"""Accepted clock difference. If the timestamp of a record is at most this far in the future, the
age of the record is 0. If it is further in the future, the age is unknown.
"""


class Ages(NamedTuple):
    """`seconds`: age of the next record to consume, by group and partition. `unread`: by group, a
    sentence that lists the topics for which READ is missing.
    """

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
    """Return the age of the next record of each partition with lag. Empty unless the profile has
    `record_timestamps`. After `limit_seconds`, the ages of the other partitions stay unknown.

    Requested first: the partition with the largest lag in each group. Then: the partition with the
    second largest lag in each group, and so on.
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
        # Ages are missing, but offsets are known.
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
    """Yield each partition with lag, the offset of its next record, and the lag. If retention has
    deleted the next record, the begin offset is used.
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
