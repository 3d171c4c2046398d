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
from evenkeel.data.live.reading.applications import Found, applications
from evenkeel.data.live.reading.described import Described, answers, described
from evenkeel.data.live.reading.offsets import (
    Committed,
    Ends,
    ages,
    committed,
    ends,
    nothing_visible,
    progress,
)
from evenkeel.data.live.reading.topics import LiveTopic, topic_names, topics
from evenkeel.data.live.wire.raw_groups import Listed
from evenkeel.data.live.wire.raw_topics import Place

_MOST_PARTITIONS = 1_000_000
"""Bound for a hidden topic: its size comes from what a member's client wrote."""


class LiveGroup(NamedTuple):
    """One group: its document, null where it cannot be had, and problems of one line each.

    Beside the document: `application`, where the group is one of Kafka Streams; `ages` in seconds
    of the records that are read next, where they were read; `unread`, why they were not.
    """

    group_id: str
    document: Document | None
    problems: list[str]
    application: LiveApplication | None = None
    ages: Mapping[Place, float] = MappingProxyType({})
    unread: str | None = None


def live_groups(
    connection: Connection,
    wanted: Iterable[Listed],
    taken_at: datetime | None = None,
    age_seconds: float = 0.0,
) -> list[LiveGroup]:
    """Read groups, in the order wanted: members, then commits, then begin and end offsets.

    `taken_at`: the instant that the groups carry; by default the one at which the end offsets were
    read. `age_seconds`: how long records may be read for their timestamps, where the profile has
    `record_timestamps`.

    Raises
    ------
    SnapshotError
        When the cluster does not answer.
    """
    wanted = list(wanted)
    found = _with_matches(connection, describe(connection, wanted))
    commits = progress(connection, [one for one in wanted if found[one.group_id].state])
    seen, hidden = topics(
        connection, {topic for one in commits for topic in _topics_of(found[one], commits[one])}
    )
    commits = _complete(connection, found, commits, seen)
    bounds = ends(connection, known_places(commits.values(), seen), seen)
    offsets = _offsets(seen, hidden, bounds)
    now = taken_at or clock.now()
    streams = applications(
        connection,
        {one: about.streams for one, about in found.items() if about.streams and one in commits},
        seen,
        now,
    )
    read = ages(connection, commits, bounds, seen, age_seconds)
    groups = [
        _live(one.group_id, found[one.group_id], commits.get(one.group_id), offsets, now)
        for one in wanted
    ]
    groups = [
        one._replace(ages=read.seconds.get(one.group_id, {}), unread=read.unread.get(one.group_id))
        for one in groups
    ]
    return [
        _with_application(one, streams[one.group_id]) if one.group_id in streams else one
        for one in groups
    ]


def describe(connection: Connection, wanted: Iterable[Listed]) -> dict[str, Described]:
    """Ask each group's coordinator; a classic group in the middle of a rebalance is asked once
    more.
    """
    wanted = list(wanted)
    found = _described(connection, wanted)
    again = [
        one
        for one in wanted
        if one.group_type == CLASSIC
        and found[one.group_id].members
        and found[one.group_id].state != STABLE
    ]
    return found | _described(connection, again)


class Partitions:
    """The partitions of topics that were seen, for one group after another."""

    def __init__(self, seen: Mapping[str, LiveTopic], ends: Ends):
        self._seen, self._ends = seen, ends
        self._uncommitted: dict[tuple[str, bool], list[Partition]] = {}

    def of(self, topic: str, named: Iterable[int], commits: Committed) -> list[Partition]:
        """Return the partitions of one group, by number; `named`: those of which its answers say
        more than that nothing is committed.
        """
        partitions = self._without_commit(topic, topic in commits.whole)
        for number in named:
            if number < len(partitions):
                partitions[number] = self._partition((topic, number), commits)
        return partitions

    def _without_commit(self, topic: str, is_known: bool) -> list[Partition]:
        """Leave out the end offset where the commit is unknown: an end alone would say that nothing
        is committed.
        """
        if (topic, is_known) not in self._uncommitted:
            places = [(topic, number) for number in range(len(self._seen[topic].racks))]
            self._uncommitted[topic, is_known] = [
                self._with_commit(place, is_known, None) for place in places
            ]
        return list(self._uncommitted[topic, is_known])

    def _partition(self, place: Place, commits: Committed) -> Partition:
        """A lag that the broker reports stands in place of offsets."""
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
    """What all groups share. `refused`: why begin or end of a partition is unknown, by topic."""

    topics: Mapping[str, LiveTopic]
    hidden: Mapping[str, str]
    partitions: Partitions
    refused: Mapping[str, Mapping[int, str]]


def _offsets(seen: Mapping[str, LiveTopic], hidden: Mapping[str, str], found: Ends) -> _Offsets:
    refused: dict[str, dict[int, str]] = {}
    for (topic, number), word in found.problems.items():
        refused.setdefault(topic, {})[number] = word
    return _Offsets(seen, hidden, Partitions(seen, found), refused)


def _described(connection: Connection, wanted: list[Listed]) -> dict[str, Described]:
    found = answers(connection, wanted)
    return {one.group_id: described(found[one.group_id], one.group_type) for one in wanted}


def _with_matches(connection: Connection, found: dict[str, Described]) -> dict[str, Described]:
    """Add the topics that expressions of members match; the cluster's topics are asked for only
    where there is an expression.
    """
    expressions = {
        one: [member.subscribed_regex for member in about.members if member.subscribed_regex]
        for one, about in found.items()
    }
    if not any(expressions.values()):
        return found
    names = topic_names(connection)
    return {
        one: _matched(about, expressions[one], names) if expressions[one] else about
        for one, about in found.items()
    }


def _matched(about: Described, expressions: list[str], names: Sequence[str]) -> Described:
    """Add what a group's expressions match. A refused expression is a problem of its group alone."""
    try:
        matches = frozenset(
            chain.from_iterable(with_matches([()] * len(expressions), expressions, names))
        )
    except SnapshotError as error:
        return replace(about, refused=str(error))
    return replace(about, matched=matches)


def _topics_of(group: Described, commits: Committed) -> set[str]:
    return {topic for topic, _ in commits.offsets}.union(
        group.matched, *([*member.subscribed, *(member.owned or ())] for member in group.members)
    )


def _complete(
    connection: Connection,
    found: Mapping[str, Described],
    commits: dict[str, Committed],
    seen: Mapping[str, LiveTopic],
) -> dict[str, Committed]:
    """Add what the first answer left out.

    Where it has a commit in a topic, the other partitions of the topic have none. Another topic may
    be hidden: an answer by name tells.
    """
    complete = dict(commits)
    missing: dict[str, dict[str, list[int]]] = {}
    for group_id, one in commits.items():
        if found[group_id].group_type == SHARE or None in one.problems:
            continue
        topics_seen = _topics_of(found[group_id], one) & seen.keys()
        visible = {topic for topic, _ in one.offsets}
        complete[group_id] = one._replace(whole=topics_seen & visible)
        if asked := sorted(topics_seen - visible):
            missing[group_id] = {topic: list(range(len(seen[topic].racks))) for topic in asked}
    for group_id, more in committed(connection, missing).items():
        had = complete[group_id]
        complete[group_id] = had._replace(
            offsets=had.offsets | more.offsets, problems=had.problems | more.problems
        )
    return complete


def _live(
    group_id: str, about: Described, commits: Committed | None, offsets: _Offsets, now: datetime
) -> LiveGroup:
    problems = list(about.problems)
    if about.refused:
        return LiveGroup(group_id, None, [*problems, about.refused])
    if commits is None:
        return LiveGroup(group_id, None, problems or ["the group is gone"])
    names = sorted(_topics_of(about, commits))
    problems += [
        f"{'offsets' if place is None else partition_name(*place)}: {word}"
        for place, word in commits.problems.items()
    ]
    problems += [f"{topic}: {offsets.hidden[topic]}" for topic in names if topic in offsets.hidden]
    problems += sorted(
        {
            f"{topic}: {word}"
            for topic in names
            for number, word in offsets.refused.get(topic, {}).items()
            if is_known((topic, number), commits, offsets.topics)
        }
    )
    if not problems and (silence := nothing_visible(about.group_type, about.state, commits)):
        problems.append(silence)
    found, unsized = _topics(names, about, offsets, commits)
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
        topics=found,
        members=about.members,
    )
    return LiveGroup(group_id, document, problems)


def _with_application(group: LiveGroup, found: Found) -> LiveGroup:
    problems = [*group.problems, *([found.problem] if found.problem else [])]
    return group._replace(application=found.application, problems=problems)


def _topics(
    names: Iterable[str], about: Described, offsets: _Offsets, commits: Committed
) -> tuple[list[Topic], list[str]]:
    """Return the topics, and the paths of hidden ones: a hidden topic ends with the last partition
    that a member owns.
    """
    found, unsized = [], []
    named = named_numbers(commits)
    for topic in names:
        if topic in offsets.topics:
            found.append(
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
            unsized.append(f"topics[{len(found)}].partitions")
            found.append(Topic(topic, size))
    return found, unsized


def _least_size(topic: str, about: Described) -> int:
    return max(
        (
            number + 1
            for member in about.members
            for number in (member.owned or {}).get(topic) or ()
        ),
        default=0,
    )


# The partitions of live groups. Groups that have committed nothing in a partition share it: begin
# and end are the same for all.


def named_numbers(commits: Committed) -> dict[str, list[int]]:
    """Return the partition numbers that the answers about a group name, by topic."""
    named = defaultdict(list)
    for topic, number in chain(commits.offsets, commits.lags, filter(None, commits.problems)):
        named[topic].append(number)
    return named


def known_places(groups: Collection[Committed], seen: Mapping[str, LiveTopic]) -> set[Place]:
    """Return the partitions of which some group's commit is known, or known to be missing."""
    known: set[Place] = set().union(*(one.offsets for one in groups))
    whole = set().union(*(one.whole for one in groups if not one.problems))
    known.update(_places(whole, seen))
    for one in groups:
        if one.problems:
            known.update(
                place for place in _places(one.whole - whole, seen) if place not in one.problems
            )
    return known


def is_known(place: Place, commits: Committed, seen: Mapping[str, LiveTopic]) -> bool:
    """Tell whether a group's commit in a partition is known, or known to be missing."""
    topic, number = place
    return place in commits.offsets or (
        topic in commits.whole and number < len(seen[topic].racks) and place not in commits.problems
    )


def _places(topics: Iterable[str], seen: Mapping[str, LiveTopic]) -> Iterable[Place]:
    return ((topic, number) for topic in topics for number in range(len(seen[topic].racks)))
