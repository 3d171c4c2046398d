"""How long the verdicts of many groups take beyond the answers of the brokers, and what the
prediction of their restarts takes.

python -m tests.benchmarks.readiness --groups 5000 --members 4

A real broker answers about one real group of librdkafka; the answer, with its bytes, stands for as
many groups, each with ids of its own.
"""

import argparse
import gc
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from evenkeel.assignors.readiness.bounces import DRAWS
from evenkeel.data import clock
from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.described import answers, described
from evenkeel.data.live.reading.group_list import chosen_groups
from evenkeel.data.live.reading.readiness import LiveReadiness, live_readiness, seen_groups
from evenkeel.data.live.reading.topics import topics
from evenkeel.data.readiness.groups import answered_live, document_of, summary
from tests.brokers.broker import Brokers
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.data.live.histories import stable_document

_TOPICS = {"orders": 12, "payments": 12, "clicks": 8}
_PREDICTED = 100
_SETTINGS = {
    "group.consumer.migration.policy": "bidirectional",
    "group.consumer.max.size": "2147483647",
}


def main() -> None:
    """Print a line for each part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--groups", type=int, default=5000)
    parser.add_argument("--members", type=int, default=4)
    options = parser.parse_args()
    with Brokers() as broker, OtherConsumers(broker.bootstrap()) as consumers:
        connection = Connection(Profile("readiness", {"bootstrap.servers": broker.bootstrap()}))
        for topic, size in _TOPICS.items():
            create_topic(connection.admin, topic, size)
        for number in range(options.members):
            consumers.start_librdkafka(
                f"member-{number}", [*_TOPICS], "one", partition_assignment_strategy="range"
            )
        stable_document(connection, "one", options.members)
        _print(connection, options.groups)
        connection.close()


def _print(connection: Connection, count: int) -> None:
    (listed,) = chosen_groups(connection, ["one"])
    answer = answers(connection, [listed])["one"]
    found = {f"group-{number}": _renamed(answer, number) for number in range(count)}
    groups = [listed._replace(group_id=name) for name in found]
    one, seen = live_readiness(connection, ["one"]), topics(connection, _TOPICS)[0]
    gc.freeze()
    about = _timed(
        f"decode the answers about {count:,} groups, as the list does",
        lambda: {name: described(each, "classic") for name, each in found.items()},
    )
    read = _timed(
        "documents and clients",
        lambda: LiveReadiness(
            seen_groups(groups, found, about, seen, clock.now()),
            one.features,
            one.settings,
            [],
            one.taken_at,
        ),
    )
    judged = _timed("verdicts", lambda: answered_live(read, _SETTINGS, {}, draws=0))
    _timed("lines of JSON", lambda: [document_of(each) for each in judged])
    print(summary(judged))
    few = read._replace(groups=read.groups[:_PREDICTED])
    for draws in (1, DRAWS):
        _timed(
            f"restarts of {_PREDICTED} groups, {draws} choices of ids",
            lambda draws=draws: answered_live(few, _SETTINGS, {}, draws=draws),
        )


def _renamed(answer: Any, number: int) -> SimpleNamespace:
    members = [
        SimpleNamespace(
            member_id=f"group-{number}-{one.member_id}",
            client_id=one.client_id,
            client_host=one.client_host,
            group_instance_id=one.group_instance_id,
            member_metadata=bytes(one.member_metadata),
            member_assignment=bytes(one.member_assignment),
        )
        for one in answer.members
    ]
    about = {
        name: getattr(answer, name)
        for name in ("error_code", "group_state", "protocol_type", "protocol_data")
    }
    return SimpleNamespace(group_id=f"group-{number}", members=members, **about)


def _timed(what: str, act: Callable[[], Any]) -> Any:
    began, processor = time.perf_counter(), time.process_time()
    made = act()
    print(
        f"{what}: {time.perf_counter() - began:.2f} s, processor"
        f" {time.process_time() - processor:.2f} s",
        flush=True,
    )
    return made


if __name__ == "__main__":
    main()
