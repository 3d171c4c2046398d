"""How long a live cluster of many groups takes to list, to read and to collect.

python -m tests.benchmarks.live --groups 5000 --topics 100 --partitions 100
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from confluent_kafka import Consumer
from confluent_kafka.admin import AdminClient, NewTopic

from data.configuration.profile import Profile
from data.live.connection import Connection
from data.live.reading.documents import live_groups
from data.live.reading.group_list import group_list
from data.live.reading.offsets import ends
from data.live.reading.topics import topics
from data.live.visible import chosen_groups
from data.pipeline.collect.groups_to_read import GROUPS_A_TASK
from tests.benchmarks.ingest import Processes
from tests.brokers.broker import Brokers
from tests.brokers.commits import commit

_TOPICS_A_REQUEST, _WITH_MEMBERS, _COMMITS_A_GROUP = 10, 20, 20
_SLOT_SECONDS, _SLOTS = 30, 2
_COLLECT = "import sys; from data.commands.main import main; sys.exit(main())"


def main() -> None:
    """Make the cluster, then print a line for each thing that is done with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=5000)
    parser.add_argument("--topics", type=int, default=100)
    parser.add_argument("--partitions", type=int, default=100, help="of each topic")
    parser.add_argument("--bootstrap", help="a test broker that has these topics and groups already")
    options = parser.parse_args()
    if options.bootstrap:
        _print_all(options.bootstrap)
        return
    with Brokers(memory="1g") as broker:
        admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
        places = _made(admin, options.topics, options.partitions, broker.bootstrap())
        for number in range(options.groups):
            first = number * _COMMITS_A_GROUP
            commit(admin, f"group-{number:04}", {places[(first + step) % len(places)]: 0 for step in range(_COMMITS_A_GROUP)})
        members = [_member(broker.bootstrap(), number) for number in range(min(_WITH_MEMBERS, options.groups))]
        print(
            f"{options.groups:,} groups, {len(places):,} partitions, {options.groups * _COMMITS_A_GROUP:,} commits, {len(members)} groups with members",
            flush=True,
        )
        _print_all(broker.bootstrap())
        for one in members:
            one.close()


def _made(admin: AdminClient, topic_count: int, size: int, bootstrap: str) -> list[tuple[str, int]]:
    """Make the topics, wait until the broker has loaded them, and return their partitions."""
    names = [f"topic-{number}" for number in range(topic_count)]
    for start in range(0, topic_count, _TOPICS_A_REQUEST):
        for made in admin.create_topics([NewTopic(name, size, 1) for name in names[start : start + _TOPICS_A_REQUEST]]).values():
            made.result()
    places = [(name, number) for name in names for number in range(size)]
    connection = Connection(Profile("scale", {"bootstrap.servers": bootstrap}))
    while ends(connection, places, topics(connection, names)[0])[2]:
        time.sleep(1)
    connection.close()
    return places


def _member(bootstrap: str, number: int) -> Consumer:
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": f"group-{number:04}", "enable.auto.commit": False})
    consumer.subscribe([f"topic-{number}"])
    while not consumer.assignment():
        consumer.poll(0.1)
    return consumer


def _print_all(bootstrap: str) -> None:
    began = time.perf_counter()
    connection = Connection(Profile("scale", {"bootstrap.servers": bootstrap}))
    sent = _counted(connection)
    found = group_list(connection)
    print(f"list, cold (with the connection): {time.perf_counter() - began:5.2f} s, {found.num_rows:,} groups", flush=True)
    for _ in range(3):
        _timed("list, warm", sent, lambda: group_list(connection).num_rows)
    _timed("all groups as documents", sent, lambda: _read(connection))
    connection.close()
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB", flush=True)
    _collect(bootstrap)


def _timed(what: str, sent: list[int], act: Callable[[], int]) -> None:
    began, processor, before = time.perf_counter(), time.process_time(), len(sent)
    count = act()
    wall, requests = time.perf_counter() - began, len(sent) - before
    print(
        f"{what}: {wall:5.2f} s, processor {time.process_time() - processor:5.2f} s, {count / wall:,.0f} groups/s, {requests} requests, {requests / wall:,.0f} a second",
        flush=True,
    )


def _read(connection: Connection) -> int:
    groups = chosen_groups(connection, [])
    return sum(len(live_groups(connection, groups[start : start + GROUPS_A_TASK])) for start in range(0, len(groups), GROUPS_A_TASK))


def _counted(connection: Connection) -> list[int]:
    """Return a list that grows by one with each request."""
    manager, sent = connection.raw._manager, []
    send = manager.send

    def counted(*arguments, **more):
        sent.append(1)
        return send(*arguments, **more)

    manager.send = counted
    return sent


def _collect(bootstrap: str) -> None:
    """Print the lines of the collector, which say how long each slot took, and its peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "evenkeel.toml").write_text(f'[clusters.scale]\n"bootstrap.servers" = "{bootstrap}"\n')
        more = ["--cluster", "scale", "--every", f"{_SLOT_SECONDS}s", "--count", str(_SLOTS), "--out", str(Path(folder, "lake"))]
        command = [sys.executable, "-c", _COLLECT, "collect", *more]
        with subprocess.Popen(
            command, env=os.environ | {"EVENKEEL_CONFIG": str(Path(folder, "evenkeel.toml"))}, text=True, stdout=subprocess.PIPE
        ) as running:
            processes = Processes(running.pid)
            for line in running.stdout:
                print(f"collect: {line.strip()}", flush=True)
    print(f"collect: peak memory of all processes {processes.peak_bytes / 2**20:,.0f} MB")


if __name__ == "__main__":
    main()
