"""A real group: its topics and members, and what can happen to it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from confluent_kafka.admin import NewPartitions, NewTopic

from evenkeel.data.group.document import STABLE, Document
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.topics import topics
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.predictions.change import (
    DIE,
    GROW,
    JOIN,
    LEAVE,
    QUICK_RESTART,
    STATIC_RESTART,
    Change,
)
from tests.brokers.predictions.kinds import JAVA, Kind
from tests.brokers.topics import create_topics

RACKS = {1: "a", 2: "b", 3: "c"}
"""Of the brokers of the cluster."""

Places = Sequence[Sequence[int]]
"""The brokers of each partition."""


class Cluster(NamedTuple):
    """A connection, and consumers of each client."""

    connection: Connection
    java: JavaConsumers
    others: OtherConsumers


class About(NamedTuple):
    """What a member is started with."""

    name: str
    topics: tuple[str, ...]
    rack: str | None = None
    instance_id: str | None = None


class Group:
    """`members` by client id. Changes are made with the last document, and carried out by their
    `act`.
    """

    def __init__(
        self,
        cluster: Cluster,
        group_id: str,
        kind: Kind,
        places: dict[str, Places],
        session_ms: str | None = None,
    ):
        self.cluster, self.group_id, self.kind, self._session_ms = (
            cluster,
            group_id,
            kind,
            session_ms,
        )
        self.sizes = {name: len(each) for name, each in places.items()}
        self.members: dict[str, About] = {}
        create_topics(
            cluster.connection.admin,
            [NewTopic(name, len(each), replica_assignment=each) for name, each in places.items()],
        )

    def start(self, about: About) -> None:
        """Start a member."""
        more = {"client_rack": about.rack, "group_instance_id": about.instance_id}
        settings = (
            self.kind.settings(self._session_ms)
            | {"group_id": self.group_id}
            | {key: value for key, value in more.items() if value}
        )
        self.members[about.name] = about
        if self.kind.client == JAVA:
            self.cluster.java.start(about.name, ",".join(about.topics), **settings)
        else:
            self.cluster.others.start_librdkafka(about.name, list(about.topics), **settings)

    def rests(self, document: Document | None) -> bool:
        """Tell whether the group has its members, and each partition that is subscribed to has an
        owner.
        """
        if (
            document is None
            or document.state != STABLE
            or document.group_epoch != document.assignment_epoch
        ):
            return False
        members = document.members
        if sorted(one.client_id for one in members) != sorted(self.members) or any(
            one.current is not None for one in members
        ):
            return False
        sizes = {topic.name: topic.size for topic in document.topics}
        subscribed = {topic for one in members for topic in one.subscribed}
        given = sum(len(numbers) for one in members for numbers in (one.owned or {}).values())
        return all(self.sizes[topic] == sizes.get(topic) for topic in subscribed) and given == sum(
            sizes[topic] for topic in subscribed
        )

    def generation(self) -> int | None:
        """Return the generation or epoch of the members, None where their client does not say."""
        return (
            max(self.cluster.java.generation(name) for name in self.members)
            if self.kind.client == JAVA
            else None
        )

    def join(self, document: Document, about: About, restarted: str | None = None) -> Change:
        """A member joins; a topic that nobody has read so far appears first."""
        known = {topic.name for topic in document.topics}
        found, _ = topics(self.cluster.connection, set(about.topics) - known)
        edits: list[dict[str, Any]] = [
            {
                "op": "add_topic",
                "name": name,
                "partitions": len(one.racks),
                "racks": one.racks,
                "topic_id": one.topic_id,
            }
            for name, one in found.items()
        ]
        instances = {"instance_ids": [about.instance_id]} if about.instance_id else {}
        joins = {
            "op": "add_members",
            "count": 1,
            "subscribed": list(about.topics),
            "client_id": about.name,
            "rack": about.rack,
        }
        return Change(
            JOIN, [*edits, joins | instances], lambda: self.start(about), about.name, restarted
        )

    def remove(self, document: Document, name: str, *, dies: bool = False) -> Change:
        """A member leaves, or ends without a word."""
        return Change(
            DIE if dies else LEAVE,
            [{"op": "remove_members", "member_ids": [member_id(document, name)]}],
            lambda: self._end(name, dies),
        )

    def restart(self, document: Document, name: str) -> Change:
        """A member stops and comes back at once."""
        about = self.members[name]

        def act():
            if about.instance_id:
                self.cluster.java.stop(name)
            else:
                self._end(name, dies=False)
            self.start(about)

        edits = [{"op": "restart_members", "member_ids": [member_id(document, name)]}]
        return Change(STATIC_RESTART if about.instance_id else QUICK_RESTART, edits, act, name)

    def grow(self, topic: str, places: Places) -> Change:
        """A topic gets further partitions on these brokers."""
        count = self.sizes[topic] + len(places)

        def act():
            self.sizes[topic] = count
            grown = self.cluster.connection.admin.create_partitions(
                [NewPartitions(topic, count, replica_assignment=places)]
            )
            grown[topic].result()

        racks = [[RACKS[broker] for broker in each] for each in places]
        return Change(
            GROW,
            [{"op": "set_partition_count", "topic": topic, "count": count, "racks": racks}],
            act,
        )

    def _end(self, name: str, dies: bool) -> None:
        del self.members[name]
        if self.kind.client == JAVA:
            (self.cluster.java.die if dies else self.cluster.java.leave)(name)
        else:
            self.cluster.others.stop(name)


def member_id(document: Document, name: str) -> str:
    """Return the id of the member with this client id."""
    (found,) = [one.member_id for one in document.members if one.client_id == name]
    return found
