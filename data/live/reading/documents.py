"""Groups of a live cluster as group documents."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.assignors.protocol import CLASSIC, SHARE
from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns.matching import with_matches
from evenkeel.data.group.document import FORMAT, STABLE, Document, Partition, Topic
from evenkeel.data.live.connection import NO_TOPIC, Connection
from evenkeel.data.live.reading.application import LiveApplication
from evenkeel.data.live.reading.applications import ApplicationReading, applications
from evenkeel.data.live.reading.described import GroupDescription, answers, described
from evenkeel.data.live.reading.offsets import (
    Ends,
    GroupOffsets,
    ages,
    committed,
    ends,
    nothing_visible,
    progress,
)
from evenkeel.data.live.reading.topics import LiveTopic, topic_names, topics
from evenkeel.data.live.wire.raw_groups import GroupListing
from evenkeel.data.live.wire.raw_topics import Place

_MOST_PARTITIONS = 1_000_000
"""Upper bound for the size of a hidden topic, because the size comes from a member's own bytes."""


class LiveGroup(NamedTuple):
    """A group: its document, null if unreadable, and a list of problems, one line each.

    `application`: set for a Kafka Streams application. `ages`: age in seconds of the next record to
    consume, by partition. `unread`: reason why ages could not be read. `no_offsets`: the first
    problem with offsets, null if there is none.
    """

    group_id: str
    document: Document | None
    problems: list[str]
    application: LiveApplication | None = None
    ages: Mapping[Place, float] = MappingProxyType({})
    unread: str | None = None
    no_offsets: str | None = None


def live_groups(
    connection: Connection,
    wanted: Iterable[GroupListing],
    taken_at: datetime | None = None,
    age_seconds: float = 0.0,
) -> list[LiveGroup]:
    """Read groups; return them in the given order. First members are read, then commits, then begin
    and end offsets.

    `taken_at`: the time of the snapshot; default: the time at which the end offsets were received.
    `age_seconds`: timestamps of records are read for at most this time, if the profile has
    `record_timestamps`.

    Raises
    ------
    SnapshotError
        If the cluster does not answer.
    """
    wanted = list(wanted)
    by_group = _with_matches(connection, describe(connection, wanted))
    commits = progress(connection, [group for group in wanted if by_group[group.group_id].state])
    seen, hidden = topics(
        connection,
        {
            topic
            for group_id in commits
            for topic in _topics_of(by_group[group_id], commits[group_id])
        },
    )
    commits = _complete(connection, by_group, commits, seen)
    bounds = ends(connection, known_places(commits.values(), seen), seen)
    offsets = _offsets(seen, hidden, bounds)
    now = taken_at or clock.now()
    streams = applications(
        connection,
        {
            group_id: about.streams
            for group_id, about in by_group.items()
            if about.streams and group_id in commits
        },
        seen,
        now,
    )
    read = ages(connection, commits, bounds, seen, age_seconds)
    groups = [
        _live(
            listed_group.group_id,
            by_group[listed_group.group_id],
            commits.get(listed_group.group_id),
            offsets,
            now,
        )
        for listed_group in wanted
    ]
    groups = [
        live._replace(
            ages=read.seconds.get(live.group_id, {}), unread=read.unread.get(live.group_id)
        )
        for live in groups
    ]
    return [
        _with_application(live, streams[live.group_id]) if live.group_id in streams else live
        for live in groups
    ]


def describe(connection: Connection, wanted: Iterable[GroupListing]) -> dict[str, GroupDescription]:
    """Describe each group. A classic group that is in a rebalance is described a second time."""
    wanted = list(wanted)
    by_group = _described(connection, wanted)
    again = [
        group
        for group in wanted
        if group.group_type == CLASSIC
        and by_group[group.group_id].members
        and by_group[group.group_id].state != STABLE
    ]
    return by_group | _described(connection, again)


class Partitions:
    """Partitions of topics. Groups without a commit in a topic share the objects."""

    def __init__(self, seen: Mapping[str, LiveTopic], ends: Ends):
        self._seen, self._ends = seen, ends
        self._uncommitted: dict[tuple[str, bool], list[Partition]] = {}

    def of(self, topic: str, named: Iterable[int], commits: GroupOffsets) -> list[Partition]:
        """Return the partitions of a topic for a group, ordered by number. `named`: numbers of
        partitions with a commit, a lag or a problem in the answers.
        """
        partitions = self._without_commit(topic, topic in commits.whole)
        for number in named:
            if number < len(partitions):
                partitions[number] = self._partition((topic, number), commits)
        return partitions

    def _without_commit(self, topic: str, is_known: bool) -> list[Partition]:
        """Return the partitions of a topic for a group without commits in this topic. If commits
        are unknown, the end offset is left out: an end offset alone would mean that nothing is
        committed.
        """
        if (topic, is_known) not in self._uncommitted:
            places = [(topic, number) for number in range(len(self._seen[topic].racks))]
            self._uncommitted[topic, is_known] = [
                self._with_commit(place, is_known, None) for place in places
            ]
        return list(self._uncommitted[topic, is_known])

    def _partition(self, place: Place, commits: GroupOffsets) -> Partition:
        """Return a partition of a group. If the broker reports its lag, it has no offsets."""
        if place in commits.lags:
            return Partition(lag=commits.lags[place], racks=self._racks(place))
        return self._with_commit(place, place in commits.offsets, commits.offsets.get(place))

    def _with_commit(self, place: Place, is_known: bool, committed: int | None) -> Partition:
        end = self._ends.end.get(place) if is_known else None
        return Partition(self._ends.begin.get(place), end, committed, racks=self._racks(place))

    def _racks(self, place: Place) -> list[str | None] | None:
        racks = self._seen[place[0]].racks[place[1]]
        return racks if any(racks) else None


class _Offsets(NamedTuple):
    """Topics and offsets, shared by all groups. `hidden`: for each hidden topic, the reason.
    `refused`: by topic and partition, why the begin or end offset is unknown.
    """

    topics: Mapping[str, LiveTopic]
    hidden: Mapping[str, str]
    partitions: Partitions
    refused: Mapping[str, Mapping[int, str]]


def _offsets(
    seen: Mapping[str, LiveTopic], hidden: Mapping[str, str], end_offsets: Ends
) -> _Offsets:
    refused: dict[str, dict[int, str]] = {}
    for (topic, number), word in end_offsets.problems.items():
        refused.setdefault(topic, {})[number] = word
    return _Offsets(seen, hidden, Partitions(seen, end_offsets), refused)


def _described(connection: Connection, wanted: list[GroupListing]) -> dict[str, GroupDescription]:
    answers_by_group = answers(connection, wanted)
    return {
        each.group_id: described(answers_by_group[each.group_id], each.group_type)
        for each in wanted
    }


def _with_matches(
    connection: Connection, groups: dict[str, GroupDescription]
) -> dict[str, GroupDescription]:
    """Add the topics that match the members' regular expressions. If no member has an expression,
    the topic names of the cluster are not read.
    """
    expressions = {
        group_id: [member.subscribed_regex for member in about.members if member.subscribed_regex]
        for group_id, about in groups.items()
    }
    if not any(expressions.values()):
        return groups
    names = topic_names(connection)
    return {
        group_id: _matched(about, expressions[group_id], names) if expressions[group_id] else about
        for group_id, about in groups.items()
    }


def _matched(
    about: GroupDescription, expressions: list[str], names: Sequence[str]
) -> GroupDescription:
    """Add the topics that match a group's expressions. If one is invalid, only the group fails."""
    try:
        matches = frozenset(
            chain.from_iterable(with_matches([()] * len(expressions), expressions, names))
        )
    except SnapshotError as error:
        return replace(about, refused=str(error))
    return replace(about, matched=matches)


def _topics_of(group: GroupDescription, commits: GroupOffsets) -> set[str]:
    return {topic for topic, _ in commits.offsets}.union(
        group.matched, *([*member.subscribed, *(member.owned or ())] for member in group.members)
    )


def _complete(
    connection: Connection,
    about_groups: Mapping[str, GroupDescription],
    commits: dict[str, GroupOffsets],
    seen: Mapping[str, LiveTopic],
) -> dict[str, GroupOffsets]:
    """Add the commits that are missing in the first answer.

    If the answer has a commit in a topic, the topic's other partitions have no commit. If the
    answer has no commit in a topic, the topic may be hidden. Then the commits are requested again,
    with each partition named.
    """
    complete = dict(commits)
    missing: dict[str, dict[str, list[int]]] = {}
    for group_id, commit in commits.items():
        if about_groups[group_id].group_type == SHARE or None in commit.problems:
            continue
        topics_seen = _topics_of(about_groups[group_id], commit) & seen.keys()
        visible = {topic for topic, _ in commit.offsets}
        complete[group_id] = commit._replace(whole=topics_seen & visible)
        if hidden_topics := sorted(topics_seen - visible):
            missing[group_id] = {
                topic: list(range(len(seen[topic].racks))) for topic in hidden_topics
            }
    for group_id, more in committed(connection, missing).items():
        had = complete[group_id]
        complete[group_id] = had._replace(
            offsets=had.offsets | more.offsets, problems=had.problems | more.problems
        )
    return complete


def _live(
    group_id: str,
    about: GroupDescription,
    commits: GroupOffsets | None,
    offsets: _Offsets,
    now: datetime,
) -> LiveGroup:
    if about.refused:
        return LiveGroup(group_id, None, [*about.problems, about.refused])
    if commits is None:
        return LiveGroup(group_id, None, list(about.problems) or ["the group is gone"])
    names = sorted(_topics_of(about, commits))
    problems = [
        f"{'offsets' if place is None else partition_name(*place)}: {word}"
        for place, word in commits.problems.items()
    ]
    problems += [f"{topic}: {offsets.hidden[topic]}" for topic in names if topic in offsets.hidden]
    refusals = set()
    for topic in names:
        for number, word in offsets.refused.get(topic, {}).items():
            if is_known((topic, number), commits, offsets.topics):
                refusals.add(f"{topic}: {word}")
    problems += sorted(refusals)
    every = [*about.problems, *problems]
    if not every and (silence := nothing_visible(about.group_type, about.state, commits)):
        problems = every = [silence]
    topic_rows, unsized = _topics(names, about, offsets, commits)
    document = Document(
        format=FORMAT,
        group_id=group_id,
        taken_at=now,
        type=about.group_type,
        protocol_type=about.protocol_type,
        state=about.state,
        assignor=about.assignor,
        group_epoch=about.group_epoch,
        assignment_epoch=about.assignment_epoch,
        leader=about.leader,
        auto_offset_reset=about.auto_offset_reset,
        assumed=[*about.assumed, *unsized],
        topics=topic_rows,
        members=about.members,
    )
    return LiveGroup(group_id, document, every, no_offsets=next(iter(problems), None))


def _with_application(group: LiveGroup, application: ApplicationReading) -> LiveGroup:
    problems = [*group.problems, *([application.problem] if application.problem else [])]
    return group._replace(application=application.application, problems=problems)


def _topics(
    names: Iterable[str], about: GroupDescription, offsets: _Offsets, commits: GroupOffsets
) -> tuple[list[Topic], list[str]]:
    """Return the topics, and the paths of assumed topic sizes. The last partition of a hidden topic
    is assumed to be the last partition that a member owns.
    """
    topic_rows, unsized = [], []
    named = named_numbers(commits)
    for topic in names:
        if topic in offsets.topics:
            topic_rows.append(
                Topic(
                    topic,
                    offsets.partitions.of(topic, named.get(topic, ()), commits),
                    offsets.topics[topic].topic_id,
                )
            )
        elif (
            offsets.hidden.get(topic) != NO_TOPIC
            and 0 < (size := _least_size(topic, about)) <= _MOST_PARTITIONS
        ):
            unsized.append(f"topics[{len(topic_rows)}].partitions")
            topic_rows.append(Topic(topic, size))
    return topic_rows, unsized


def _least_size(topic: str, about: GroupDescription) -> int:
    return max(
        (
            number + 1
            for member in about.members
            for number in (member.owned or {}).get(topic) or ()
        ),
        default=0,
    )


# Partitions of live groups. All groups without a commit in a partition share the same object,
# because begin and end offset are equal for all.


def named_numbers(commits: GroupOffsets) -> dict[str, list[int]]:
    """Return the numbers of the partitions that are in the answers about a group, by topic."""
    named = defaultdict(list)
    for topic, number in chain(commits.offsets, commits.lags, filter(None, commits.problems)):
        named[topic].append(number)
    return named


def known_places(groups: Collection[GroupOffsets], seen: Mapping[str, LiveTopic]) -> set[Place]:
    """Return the partitions for which some group's commit, or its absence, is known."""
    known: set[Place] = set().union(*(group.offsets for group in groups))
    whole = set().union(*(group.whole for group in groups if not group.problems))
    known.update(_places(whole, seen))
    for group in groups:
        if group.problems:
            known.update(
                place for place in _places(group.whole - whole, seen) if place not in group.problems
            )
    return known


def is_known(place: Place, commits: GroupOffsets, seen: Mapping[str, LiveTopic]) -> bool:
    """Return whether a group's commit in a partition, or the absence of a commit, is known."""
    topic, number = place
    return place in commits.offsets or (
        topic in commits.whole and number < len(seen[topic].racks) and place not in commits.problems
    )


def _places(topics: Iterable[str], seen: Mapping[str, LiveTopic]) -> Iterable[Place]:
    return ((topic, number) for topic in topics for number in range(len(seen[topic].racks)))
