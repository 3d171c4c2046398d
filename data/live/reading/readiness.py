"""Readiness of a live cluster: its groups with the bytes of their members, and the brokers' settings that decide, asked for once."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from evenkeel.assignors.readiness import Broker
from evenkeel.data import clock
from evenkeel.data.columns import observed_from_document
from evenkeel.data.commands.answers.readiness import SETTINGS, Asked, Ready, answered, broker_of, facts_of, require_remote
from evenkeel.data.document import FORMAT, Document, Partition, Topic
from evenkeel.data.live.connection import Connection, error_word
from evenkeel.data.live.reading.described import Described, answers, described
from evenkeel.data.live.reading.group_list import chosen_groups, left_out
from evenkeel.data.live.reading.topics import LiveTopic, topics
from evenkeel.data.live.wire.leader import clients_of
from evenkeel.data.live.wire.raw_groups import Listed

_FEATURE = SETTINGS[0]
_CLASSIC = "classic"


class Cluster(NamedTuple):
    """What the brokers say of themselves. `brokers`: their settings by id; `refused`: why settings cannot be read."""

    features: Mapping[str, int]
    brokers: Mapping[int, Broker]
    refused: str | None
    given: Broker

    def of(self, node: int | None) -> Broker:
        """Return the settings of a group's coordinator; where they cannot be read, those that a person gave."""
        return self.brokers.get(node, self.given)

    @property
    def typical(self) -> Broker:
        """The settings of any broker."""
        return next(iter(self.brokers.values()), self.given)


class LiveReadiness(NamedTuple):
    """Every group with its verdict, and what cannot be seen."""

    groups: list[Ready]
    cluster: Cluster
    problems: list[str]
    taken_at: Any = None


def live_readiness(
    connection: Connection,
    wanted: Sequence[str] = (),
    given: Mapping[str, str] = {},
    versions: Mapping[str, str] = {},
    remote: str | None = None,
    draws: int = 4,
) -> LiveReadiness:
    """Judge the named groups of a cluster, or all.

    Parameters
    ----------
    given : mapping of str to str
        Settings of the brokers that a person gives; they count before those that are read.
    versions : mapping of str to str
        Releases of clients by family.
    draws : int
        Random member ids that are tried for each restart.

    Raises
    ------
    SnapshotError
        When the cluster does not answer, or a named group is not there.
    """
    listed = chosen_groups(connection, wanted)
    found = answers(connection, listed)
    cluster = cluster_of(connection, [connection.raw.coordinator_of(one.group_id) for one in listed], given)
    require_remote(remote, cluster.typical)
    about = {one.group_id: described(found[one.group_id], one.group_type) for one in listed}
    seen, _ = topics(connection, {name for one in about.values() for name in _topics_of(one)})
    sizes: dict[str, Topic] = {}
    now, groups, gone = clock.now(), [], []
    for one in listed:
        if not about[one.group_id].state:
            gone += [f"{one.group_id}: {problem}" for problem in about[one.group_id].problems]
            continue
        asked = Asked(cluster.of(connection.raw.coordinator_of(one.group_id)), versions, remote)
        groups.append(_ready(one, found[one.group_id], about[one.group_id], asked, seen, sizes, now, draws))
    hidden = None if wanted else left_out(connection)
    return LiveReadiness(groups, cluster, [note for note in (cluster.refused, hidden, *gone) if note], now)


def cluster_of(connection: Connection, nodes: Iterable[int | None], given: Mapping[str, str]) -> Cluster:
    """Ask for the features, and each broker once for its settings."""
    features = connection.ask(connection.raw.features)
    level = {_FEATURE: str(features.get(_FEATURE, 0))}
    found = connection.ask(lambda: connection.raw.broker_settings(sorted({node for node in nodes if node is not None}), SETTINGS[1:]))
    refused = next((code for code in found.values() if isinstance(code, int)), None)
    brokers = {node: broker_of(level | one | given) for node, one in found.items() if not isinstance(one, int)}
    why = None
    if refused is not None and not broker_of(given).is_known:
        why = f"cluster {connection.profile.name}: settings of the brokers: {error_word(refused)}; the right DESCRIBE_CONFIGS is missing"
    return Cluster(features, brokers, why, broker_of(level | given))


def _ready(
    listed: Listed,
    answer: Any,
    about: Described,
    asked: Asked,
    seen: Mapping[str, LiveTopic],
    sizes: dict[str, Topic],
    now: Any,
    draws: int,
) -> Ready:
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
    if about.group_type != _CLASSIC:
        return answered(observed, asked, draws=draws)
    clients = clients_of(answer.members, answer.protocol_data)
    # A member without metadata only has none while the group rebalances.
    read = zip(answer.members, about.members, strict=True)
    malformed = [one.member_id for one, member in read if one.member_metadata and (member.joined_with is None or member.owned is None)]
    return answered(observed, asked, facts_of(observed, clients, malformed), draws)


def _topics_of(about: Described) -> list[str]:
    return sorted({topic for member in about.members for topic in (*member.subscribed, *(member.owned or ()))})


def _topic(name: str, seen: Mapping[str, LiveTopic], sizes: dict[str, Topic]) -> Topic:
    """Return a topic as all groups share it; racks where the brokers have some."""
    if name not in sizes:
        one = seen[name]
        has_racks = any(any(racks) for racks in one.racks)
        partitions = [Partition(racks=racks) for racks in one.racks] if has_racks else len(one.racks)
        sizes[name] = Topic(name, partitions, one.topic_id)
    return sizes[name]
