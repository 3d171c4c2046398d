"""Readiness of a live cluster: its groups with their members' data, and the broker settings that
decide whether a group can change its protocol.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.assignors.readiness.facts import SETTINGS
from evenkeel.data import clock
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import FORMAT, Document, Partition, Topic
from evenkeel.data.live.connection import Connection, error_word
from evenkeel.data.live.reading.described import GroupDescription, answers, described
from evenkeel.data.live.reading.group_list import chosen_groups, left_out
from evenkeel.data.live.reading.topics import LiveTopic, topics
from evenkeel.data.live.wire.raw_groups import GroupListing

_SETTINGS = SETTINGS[1:]
"""The names without the first: it is a feature, and reading a feature needs no right."""


class GroupReading(NamedTuple):
    """A group without offsets.

    `clients`: possible clients of each member, according to the bytes that it sent; None unless the
    group is classic. `malformed`: members whose bytes are not of the consumer protocol. `node`:
    broker id of the group's coordinator.
    """

    observed: ObservedGroup
    clients: Sequence[frozenset[str]] | None
    malformed: tuple[str, ...]
    node: int | None


class LiveReadiness(NamedTuple):
    """Groups and brokers of a cluster. `features`: finalized features of the cluster. `settings`:
    by broker id; a broker that refuses is left out. `problems`: notes on data that could not be
    read.
    """

    groups: list[GroupReading]
    features: Mapping[str, int]
    settings: Mapping[int, Mapping[str, str]]
    problems: list[str]
    taken_at: datetime


def live_readiness(connection: Connection, wanted: Sequence[str] = ()) -> LiveReadiness:
    """Read the named groups, or all groups if none is named.

    Raises
    ------
    SnapshotError
        If the cluster does not answer, or does not have a named group.
    """
    listed = chosen_groups(connection, wanted)
    answers_by_group = answers(connection, listed)
    about = {
        listed_group.group_id: described(
            answers_by_group[listed_group.group_id], listed_group.group_type
        )
        for listed_group in listed
    }
    seen, _ = topics(
        connection, {name for group_about in about.values() for name in _topics_of(group_about)}
    )
    nodes = {
        listed_group.group_id: connection.raw.coordinator_of(listed_group.group_id)
        for listed_group in listed
    }
    features, settings, refused = _brokers(connection, nodes.values())
    now, hidden = clock.now(), None if wanted else left_out(connection)
    groups = [
        group._replace(node=nodes[group.observed.group_id or ""])
        for group in seen_groups(listed, answers_by_group, about, seen, now)
    ]
    gone = []
    for name, group_about in about.items():
        if not group_about.state:
            gone += [f"{name}: {problem}" for problem in group_about.problems]
    return LiveReadiness(
        groups, features, settings, [note for note in (refused, hidden, *gone) if note], now
    )


def seen_groups(
    listed: Iterable[GroupListing],
    answers_by_group: Mapping[str, Any],
    about: Mapping[str, GroupDescription],
    seen: Mapping[str, LiveTopic],
    now: datetime,
) -> list[GroupReading]:
    """Return the groups that exist. Their `node` is still None. `answers_by_group`: answers of
    coordinators. `about`: the decoded answers.
    """
    sizes: dict[str, Topic] = {}
    return [
        _seen(
            listed_group,
            answers_by_group[listed_group.group_id],
            about[listed_group.group_id],
            seen,
            sizes,
            now,
        )
        for listed_group in listed
        if about[listed_group.group_id].state
    ]


def _brokers(
    connection: Connection, nodes: Iterable[int | None]
) -> tuple[Mapping[str, int], Mapping[int, Mapping[str, str]], str | None]:
    """Return the cluster's features, the settings of each broker, and the reason why some settings
    cannot be read.
    """
    features = connection.ask(connection.raw.features)
    node_ids = sorted({node for node in nodes if node is not None})
    answers = connection.ask(lambda: connection.raw.broker_settings(node_ids, _SETTINGS))
    settings = {node: answer for node, answer in answers.items() if not isinstance(answer, int)}
    codes = [answer for answer in answers.values() if isinstance(answer, int)]
    return features, settings, _unread(connection.profile.name, codes, len(node_ids) - len(answers))


def _unread(name: str, codes: Iterable[int], silent: int) -> str | None:
    """Return a sentence about settings that cannot be read: the brokers' error codes or "no
    answer", and the missing right. None if all settings can be read.
    """
    words = sorted({error_word(code).partition(":")[0] for code in codes})
    why = ", ".join([*words, *(["no answer"] if silent else [])])
    right = (
        ": DESCRIBE_CONFIGS is missing"
        if any(word.endswith("AUTHORIZATION_FAILED") for word in words)
        else ""
    )
    return f"cluster {name}: settings of the brokers cannot be read, {why}{right}" if why else None


def _seen(
    listed: GroupListing,
    answer: Any,
    about: GroupDescription,
    seen: Mapping[str, LiveTopic],
    sizes: dict[str, Topic],
    now: datetime,
) -> GroupReading:
    document = Document(
        format=FORMAT,
        group_id=listed.group_id,
        taken_at=now,
        type=about.group_type,
        protocol_type=about.protocol_type or listed.protocol_type or None,
        state=about.state,
        assignor=about.assignor,
        group_epoch=about.group_epoch,
        assignment_epoch=about.assignment_epoch,
        leader=about.leader,
        assumed=about.assumed,
        topics=[_topic(name, seen, sizes) for name in _topics_of(about) if name in seen],
        members=about.members,
    )
    observed = observed_from_document(document)
    if about.group_type != CLASSIC:
        return GroupReading(observed, None, (), None)
    read = zip(answer.members, about.members, strict=True)
    malformed = [
        sender.member_id
        for sender, member in read
        if sender.member_metadata and (member.joined_with is None or member.owned is None)
    ]
    return GroupReading(observed, about.clients, tuple(malformed), None)


def _topics_of(about: GroupDescription) -> list[str]:
    return sorted(
        {topic for member in about.members for topic in (*member.subscribed, *(member.owned or ()))}
    )


def _topic(name: str, seen: Mapping[str, LiveTopic], sizes: dict[str, Topic]) -> Topic:
    """Return a topic as an object that all groups share. It has racks only if its brokers have
    racks.
    """
    if name not in sizes:
        topic = seen[name]
        has_racks = any(any(racks) for racks in topic.racks)
        sizes[name] = Topic(
            name,
            [Partition(racks=racks) for racks in topic.racks] if has_racks else len(topic.racks),
            topic.topic_id,
        )
    return sizes[name]
