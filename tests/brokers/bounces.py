"""How often restarts of real groups move what is predicted: members go to the consumer protocol one
after another, in many groups at once.

python -m tests.brokers.bounces --groups 24 --members 4 --record bounces.jsonl.gz
python -m tests.brokers.bounces --read bounces.jsonl.gz

Each step is compared twice: with the prediction for the ids that the new members got, and with what
is told before, where a step is certain or one of several.
"""

import argparse
import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.readiness.bounces import Bounce, bounces
from evenkeel.assignors.rounds.mixed import Change, MixedGroup, Owners
from evenkeel.assignors.rounds.new_ids import NewIds
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.group.document import Document, in_order, with_partitions
from evenkeel.data.live.reading.topics import topics
from evenkeel.data.scenarios.leaders import client_of, in_use, led_by
from evenkeel.data.scenarios.run.group_step import remembering
from tests.brokers.broker import Brokers
from tests.brokers.connecting import connected
from tests.brokers.java_consumers import JavaConsumers
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import PROTOCOLS, QUICK_HEARTBEATS, stable_documents
from tests.waiting import until

_KINDS = [("java", one) for one in ("range", "roundrobin", "sticky", "cooperative-sticky")] + [
    ("librdkafka", "range"),
    ("librdkafka", "roundrobin"),
]
_SIZES = (6, 6, 5)
_CONSUMER = {"group_protocol": "consumer"}


Owned = dict[str, dict[str, list[int]]]


class Bounced(msgspec.Struct):
    """One group: its document before, and those after each stop and each start; `order`: clients as
    they restarted.

    `back`: those after each stop and start on the way back, the last one first.
    """

    kind: str
    order: list[str]
    documents: list[Document]
    back: list[Document] = []


def main() -> None:
    """Print a line for each kind, and one for each step that came otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=24)
    parser.add_argument("--members", type=int, default=3)
    parser.add_argument("--back", action="store_true", help="and back to the classic protocol")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--read", type=Path)
    options = parser.parse_args()
    if options.read:
        found = read(options.read)
    else:
        found = bounced(options.groups, options.members, goes_back=options.back)
    if options.record:
        options.record.write_bytes(
            gzip.compress(b"".join(msgspec.json.encode(one) + b"\n" for one in found))
        )
    print_table(found)


def read(path: Path) -> list[Bounced]:
    """Return what was recorded."""
    return [
        msgspec.json.decode(line, type=Bounced)
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]


def bounced(group_count: int, member_count: int, *, goes_back: bool = False) -> list[Bounced]:
    """Restart every member of so many groups on a broker, and back where that is asked for; return
    what happened.
    """
    names = [f"bounced-{number}" for number in range(group_count)]
    kinds = {name: _KINDS[number % len(_KINDS)] for number, name in enumerate(names)}
    with (
        Brokers(settings=QUICK_HEARTBEATS) as brokers,
        JavaConsumers(brokers.bootstrap()) as java,
        OtherConsumers(brokers.bootstrap()) as others,
    ):
        connection = connected(brokers, "bounces")

        def start(name: str, number: int, settings: dict[str, str]) -> None:
            if kinds[name][0] == "java":
                java.start(f"{name}-{number}", ",".join(_topics(name)), group_id=name, **settings)
            else:
                others.start_librdkafka(f"{name}-{number}", _topics(name), name, **settings)

        sizes = {
            topic: size for name in names for topic, size in zip(_topics(name), _SIZES, strict=True)
        }
        for topic, size in sizes.items():
            create_topic(connection.admin, topic, size)
        # librdkafka leaves out of its subscription what the broker does not know yet.
        until(lambda: len(topics(connection, sizes)[0]) == len(sizes))
        for name in names:
            for number in range(member_count):
                start(name, number, _classic(*kinds[name]))
        now = stable_documents(connection, dict.fromkeys(names, member_count))
        made = {
            name: Bounced(
                " ".join(kinds[name]), [f"{name}-{one}" for one in range(member_count)], [now[name]]
            )
            for name in names
        }

        def restart(number: int, settings: dict[str, dict[str, str]]) -> None:
            for name in names:
                (java if kinds[name][0] == "java" else others).stop(f"{name}-{number}")
            _add(made, stable_documents(connection, dict.fromkeys(names, member_count - 1)))
            for name in names:
                start(name, number, settings[name])
            _add(made, stable_documents(connection, dict.fromkeys(names, member_count)))

        for number in range(member_count):
            restart(number, dict.fromkeys(names, _CONSUMER))
        for number in reversed(range(member_count) if goes_back else ()):
            restart(number, {name: _classic(*kinds[name]) for name in names})
        connection.close()
    for one in made.values():
        at = 1 + 2 * member_count
        one.documents, one.back = one.documents[:at], one.documents[at:]
    return list(made.values())


def _topics(name: str) -> list[str]:
    return [f"{name}-{letter}" for letter in "abc"]


def _classic(client: str, assignor: str) -> dict[str, str]:
    return PROTOCOLS[assignor] if client == "java" else {"partition_assignment_strategy": assignor}


def _add(made: dict[str, Bounced], documents: dict[str, Document]) -> None:
    for name, document in documents.items():
        made[name].documents.append(document)


# What was predicted.


def print_table(found: Sequence[Bounced]) -> None:
    counts: Counter = Counter()
    for one in found:
        for number, step in enumerate(compared(one), 1):
            for key, holds in step.said(number).items():
                for kind in (one.kind, "all"):
                    counts[kind, key] += holds
            if step.real != step.exact:
                print(
                    f"{one.documents[0].group_id}, {one.kind}, step {number}: predicted"
                    f" {step.exact}, has {step.real}"
                )
        for step in compared_again(one):
            for kind in (one.kind, "all"):
                counts[kind, "read again"] += 1
                counts[kind, "one of those told then"] += step.real in step.told
                counts[kind, "certain then, and right"] += (
                    step.is_certain and step.real == step.told[0]
                )
        for number, (real, told) in enumerate(compared_back(one), 1):
            for kind in (one.kind, "all"):
                counts[kind, "steps back"] += 1
                counts[kind, "right"] += real == told
            if real != told:
                print(
                    f"{one.documents[0].group_id}, {one.kind}, step back {number}: predicted"
                    f" {told}, has {real}"
                )
    columns = list(dict.fromkeys(key for _, key in counts))
    print("| group | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    for kind in dict.fromkeys([*(one.kind for one in found), "all"]):
        print(f"| {kind} | {' | '.join(str(counts[kind, key]) for key in columns)} |")


class Compared(NamedTuple):
    """One change: the owners after it, those predicted for the ids that members got, and all that
    were told before, the likeliest first.
    """

    real: Owned
    exact: Owned
    told: list[Owned]
    is_certain: bool

    def said(self, number: int) -> dict[str, bool]:
        """Return what holds of it, by column."""
        is_told = self.real in self.told
        return {
            "steps": True,
            "right for the ids": self.real == self.exact,
            "told as certain": self.is_certain,
            "and right": self.is_certain and self.real == self.told[0],
            "in the first restart": number <= 2,
            "one of those told": number <= 2 and is_told,
            "in later ones": number > 2,
            "one of those told there": number > 2 and is_told,
        }


def compared(one: Bounced) -> Iterator[Compared]:
    """Compare each change of a group with its predictions."""
    observed = observed_from_document(one.documents[0])
    order = [observed.client_id.index(client) for client in one.order]
    last = {member.client_id: member.member_id for member in one.documents[-1].members}
    change = Change(
        remembering(led_by(client_of(observed.leader))[in_use(observed)](), observed),
        ASSIGNORS["uniform"](),
    )
    ids = {observed.client_id.index(client): name for client, name in last.items()}
    exact = _changes(bounces(observed.snapshot, observed.current, change, order, ids=ids, draws=1))
    told = _changes(bounces(observed.snapshot, observed.current, change, order))
    for document, each, before in zip(one.documents[1:], exact, told, strict=True):
        some = [_by_client(observed, owner) for owner in (before.owner, *before.others)]
        yield Compared(
            owners_of(document), _by_client(observed, each.owner), some, before.is_certain
        )


def compared_back(one: Bounced) -> Iterator[tuple[Owned, Owned]]:
    """Return the owners after each change on the way back, and those predicted for the ids that
    members got.
    """
    if not one.back:
        return
    observed = observed_from_document(one.documents[0])
    change = Change(
        remembering(led_by(client_of(observed.leader))[in_use(observed)](), observed),
        ASSIGNORS["uniform"](),
    )
    there, back = (
        {observed.client_id.index(each.client_id): each.member_id for each in some[-1].members}
        for some in (one.documents, one.back)
    )
    group = MixedGroup(observed.snapshot, observed.current, change, NewIds(0, there, len(there)))
    order = [observed.client_id.index(client) for client in one.order]
    for row in order:
        group.stop(row)
        group.start(row, row)
    group.ids = NewIds(0, back, len(back))
    told = [act(row) for row in reversed(order) for act in (group.stop, group.start_again)]
    for document, each in zip(one.back, told, strict=True):
        yield owners_of(document), _by_client(observed, each.owner)


def compared_again(one: Bounced) -> Iterator[Compared]:
    """Compare each change after the first restart with what is told when the group is read again
    before it.
    """
    for number in range(1, len(one.order)):
        observed = observed_from_document(one.documents[2 * number])
        row = observed.client_id.index(one.order[number])
        way = _changes(
            bounces(
                observed.snapshot, observed.current, Change(None, ASSIGNORS["uniform"]()), [row]
            )
        )
        for document, each in zip(one.documents[2 * number + 1 :], way, strict=False):
            some = [_by_client(observed, owner) for owner in (each.owner, *each.others)]
            yield Compared(owners_of(document), some[0], some, each.is_certain)


def _changes(way: Sequence[Bounce]) -> list[Owners]:
    return [each for one in way for each in (one.stopped, one.started) if each is not None]


def owners_of(document: Document) -> Owned:
    """Return the owners by client id, topics and numbers ascending."""
    owned = {one.client_id: in_order(one.owned or {}) for one in document.members}
    return {
        client: dict(with_partitions(topics))
        for client, topics in sorted(owned.items())
        if any(topics.values())
    }


def _by_client(observed: ObservedGroup, owner: np.ndarray) -> Owned:
    group, found = observed.snapshot, {}
    for tp in np.flatnonzero(owner >= 0).tolist():
        topics = found.setdefault(observed.client_id[owner[tp]], {})
        topics.setdefault(group.topic_name[group.tp_topic[tp]], []).append(
            int(group.tp_partition[tp])
        )
    return dict(sorted(found.items()))


if __name__ == "__main__":
    main()
