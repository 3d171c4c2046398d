"""Who leads real groups, and whether that client's assignor here gives what the group has.

python -m tests.brokers.leaders --aiokafka PYTHON
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.assignment import AssignorError
from evenkeel.data.group.columns import assignment_by_name, observed_from_document
from evenkeel.data.group.document import Document
from evenkeel.data.live.connection import Connection
from tests.brokers.broker import Brokers
from tests.brokers.connecting import connected
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import PROTOCOLS, QUICK_HEARTBEATS, stable_documents
from tests.recorded.scenarios import as_sets

_TOPICS = {"led-a": 7, "led-b": 4, "led-c": 5}
_ALL, _FIRST = list(_TOPICS), ["led-a"]


class Kind(NamedTuple):
    """Groups of one assignor; `clients`: of the members in the order in which they join. The first
    leads while it is there.
    """

    clients: Sequence[str]
    assignor: str
    is_equal: bool = True
    is_static: bool = False

    @property
    def name(self) -> str:
        """A name that can be a group's."""
        return "-".join(
            (
                *dict.fromkeys(self.clients),
                self.assignor,
                *["differing"] * (not self.is_equal),
                *["static"] * self.is_static,
            )
        )


_OF_ONE = {
    "java": ("range", "roundrobin", "sticky", "cooperative-sticky"),
    "librdkafka": ("range", "roundrobin", "cooperative-sticky"),
    "kafka-python": ("range", "roundrobin", "sticky", "cooperative-sticky"),
    "aiokafka": ("range", "roundrobin", "sticky"),
}
_MIXED = [
    Kind(("java", "librdkafka", "java", "librdkafka"), "range"),
    Kind(("librdkafka", "java", "librdkafka", "java"), "roundrobin"),
    Kind(("librdkafka", "java", "librdkafka", "java"), "cooperative-sticky"),
    Kind(("kafka-python", "java", "kafka-python", "java"), "range"),
    Kind(("java", "kafka-python", "java", "kafka-python"), "sticky"),
    Kind(("aiokafka", "java", "aiokafka", "java"), "roundrobin"),
    Kind(("aiokafka", "kafka-python", "aiokafka", "kafka-python"), "sticky"),
]


def kinds(clients: Sequence[str]) -> list[Kind]:
    """Return the kinds of groups whose members use these clients only."""
    of_one = [
        Kind((client,) * 4, assignor, is_equal)
        for client in clients
        for assignor in _OF_ONE[client]
        for is_equal in (True, False)
        # There kafka-python's roundrobin throws, and its group never comes to rest.
        if is_equal or (client, assignor) != ("kafka-python", "roundrobin")
    ]
    static = [
        Kind((client,) * 4, assignor, is_static=True)
        for client in clients
        for assignor in ("range", "roundrobin")
    ]
    return of_one + static + [one for one in _MIXED if {*one.clients} <= {*clients}]


class Groups:
    """Real groups of several kinds at the same time, each changed step by step."""

    def __init__(
        self,
        connection: Connection,
        java: JavaConsumers,
        others: OtherConsumers,
        aiokafka: str | None,
    ):
        self._connection, self._java, self._others, self._aiokafka = (
            connection,
            java,
            others,
            aiokafka,
        )

    def history(self, made: Sequence[Kind]) -> list[tuple[Kind, int, Document]]:
        """Let three members join one after another, the first leave, and one more join; return each
        group at each step.
        """
        found = []
        for step, (number, size) in enumerate(((0, 1), (1, 2), (2, 3), (None, 2), (3, 3))):
            for kind in made:
                if number is None:
                    self._stop(kind, 0)
                else:
                    self._start(kind, number)
            documents = stable_documents(self._connection, {kind.name: size for kind in made})
            found += [(kind, step, documents[kind.name]) for kind in made]
        for kind in made:
            for number in (1, 2, 3):
                self._stop(kind, number)
        return found

    def _start(self, kind: Kind, number: int) -> None:
        client, name, topics = (
            kind.clients[number],
            f"{kind.name}-{number}",
            _ALL if kind.is_equal or number % 2 == 0 else _FIRST,
        )
        # Static and dynamic members in turn: instance ids in another order than the members joined.
        instance = f"i{9 - number}" if kind.is_static and number % 2 else None
        if client == "java":
            settings = PROTOCOLS[kind.assignor] | (
                {"group_instance_id": instance} if instance else {}
            )
            self._java.start(name, ",".join(topics), group_id=kind.name, **settings)
        elif client == "librdkafka":
            more: dict[str, Any] = {"group_instance_id": instance} if instance else {}
            self._others.start_librdkafka(
                name, topics, kind.name, partition_assignment_strategy=kind.assignor, **more
            )
        elif client == "kafka-python":
            self._others.start_kafka_python(name, topics, kind.name, kind.assignor, instance)
        else:
            self._others.start_aiokafka(
                name, topics, kind.name, kind.assignor, self._aiokafka, instance
            )

    def _stop(self, kind: Kind, number: int) -> None:
        name = f"{kind.name}-{number}"
        if kind.clients[number] == "java":
            self._java.leave(name)
        else:
            self._others.stop(name)


def verdict(kind: Kind, step: int, document: Document) -> tuple[str, str]:
    """Say whether the leader is named rightly, and whether its assignor gives what the
    group has.
    """
    named = document.leader.client if document.leader else None
    # After the first member has left, the coordinator has chosen another leader of a mixed group.
    may_lead = kind.clients[:1] if step < 3 else kind.clients[1:]
    leader = "leader named" if named in may_lead else f"wrong leader {named}"
    if named is None:
        return leader, "not replayed"
    members = [
        msgspec.structs.replace(
            one,
            owned=one.joined_with.owned,
            generation=one.joined_with.generation,
            joined_with=None,
        )
        for one in document.members
    ]
    observed = observed_from_document(msgspec.structs.replace(document, members=members))
    try:
        answer = CLIENTS[named].assignors[document.assignor]().assign(observed.snapshot)
    except (AssignorError, KeyError) as error:
        return leader, f"no answer: {error!r}"
    ours, theirs = (
        assignment_by_name(observed, answer),
        {one.member_id: one.owned for one in document.members},
    )
    return leader, "agrees" if as_sets(ours) == as_sets(
        theirs
    ) else "one of several" if answer.assumed else "differs"


def main() -> int:
    """Print a row for each kind of group, and every state that is not as predicted; exit code 1
    where there is one.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--aiokafka",
        metavar="PYTHON",
        help="an interpreter that has aiokafka; without it there are no such groups",
    )
    parser.add_argument("--clients", nargs="+", choices=list(_OF_ONE), default=list(_OF_ONE))
    parser.add_argument("--at-once", type=int, default=6, help="groups that live at the same time")
    parser.add_argument("--mixed", action="store_true", help="only groups of several clients")
    options = parser.parse_args()
    wanted = kinds([one for one in options.clients if one != "aiokafka" or options.aiokafka])
    wanted = [one for one in wanted if len({*one.clients}) > 1 or not options.mixed]
    counts: Counter[tuple[str, str]] = Counter()
    with Brokers(settings=QUICK_HEARTBEATS) as brokers, JavaConsumers(brokers.bootstrap()) as java:
        connection = connected(brokers, "leaders")
        for topic, size in _TOPICS.items():
            create_topic(connection.admin, topic, size)
        for start in range(0, len(wanted), options.at_once):
            made = wanted[start : start + options.at_once]
            with OtherConsumers(brokers.bootstrap()) as others:
                _count(Groups(connection, java, others, options.aiokafka).history(made), counts)
            _print(made, counts)
        connection.close()
    return int(any(word.startswith(("wrong", "differs", "no answer", "not")) for _, word in counts))


def _count(history: Sequence[tuple[Kind, int, Document]], counts: Counter[tuple[str, str]]) -> None:
    for kind, step, document in history:
        leader, answer = verdict(kind, step, document)
        counts.update([(kind.name, "states"), (kind.name, leader), (kind.name, answer)])
        counts[kind.name, "certain"] += bool(document.leader and document.leader.certain)
        if leader != "leader named" or answer != "agrees":
            print(
                f"{kind.name}, step {step}: {leader}, {answer}:"
                f" {msgspec.json.encode(document).decode()}",
                file=sys.stderr,
                flush=True,
            )


def _print(made: Sequence[Kind], counts: Counter[tuple[str, str]]) -> None:
    for kind in made:
        cells = [
            str(counts[kind.name, word]) for word in ("states", "leader named", "certain", "agrees")
        ]
        print(f"| {kind.name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
