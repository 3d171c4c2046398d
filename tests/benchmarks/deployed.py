"""What Evenkeel's own assignors cost inside a group: `PYTHONPATH=deploy/python python -m
tests.benchmarks.deployed`. Without arguments all tables; `rule` needs no broker.

The rule and the check of its answer in processor time. On a real broker: how long a group waits for
its assignment where lags can be read and where they cannot, and how long the event loop of a
leading member of aiokafka stands still.
"""

import json
import random
import socket
import sys
import tempfile
import time
from pathlib import Path

from evenkeel_assignors.rule import Member, assign, require_whole

from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.live.connection import Connection
from evenkeel.data.live.reading.documents import live_groups
from tests.brokers.broker import Brokers
from tests.brokers.other_consumers import OtherConsumers
from tests.brokers.topics import create_topic
from tests.waiting import until

_SHAPES = ((100, 10), (1_000, 50), (50_000, 1_000))
_LIMITS = {"kafka-python": 2.0, "aiokafka": 1.0}
_LOOP_LIMITS = (0.2, 0.5, 1.0)


def rule() -> None:
    """Print the best of ten, in milliseconds of processor time."""
    print("| partitions × members | by lag, ms | owners kept, ms |\n|---|---:|---:|")
    for partition_count, member_count in _SHAPES:
        numbers, share = list(range(partition_count)), partition_count // member_count
        chance = random.Random(7)
        lags = {("orders", number): chance.randrange(10**6) for number in numbers}
        members = [
            Member(
                f"member-{one:04}",
                ["orders"],
                {"orders": numbers[one * share : (one + 1) * share]},
                1,
            )
            for one in range(member_count)
        ]
        print(
            f"| {partition_count:,} × {member_count:,} | {_best(members, numbers, lags):.2f} |"
            f" {_best(members, numbers, {}):.2f} |",
            flush=True,
        )


def _best(members, numbers, lags) -> float:
    best = float("inf")
    for _ in range(10):
        began = time.process_time()
        require_whole(
            assign(members, {"orders": numbers}, lags).assignment, members, {"orders": numbers}
        )
        best = min(best, time.process_time() - began)
    return best * 1000


def groups() -> None:
    """Print a row for each client and each fault: seconds of assign(), and until the group is
    assigned.
    """
    with (
        Brokers() as broker,
        socket.create_server(("127.0.0.1", 0)) as silent,
        tempfile.TemporaryDirectory() as folder,
    ):
        connection = Connection(Profile("local", {"bootstrap.servers": broker.bootstrap()}))
        create_topic(connection.admin, "orders", 12)
        wrong = {
            "security_protocol": "SASL_PLAINTEXT",
            "sasl_mechanism": "PLAIN",
            "sasl_plain_username": "evenkeel",
            "sasl_plain_password": "x",
        }
        faults = {
            "none": {},
            "no answer": {"bootstrap_servers": f"127.0.0.1:{silent.getsockname()[1]}"},
            "port closed": {"bootstrap_servers": "127.0.0.1:1"},
            "refused": wrong | {"bootstrap_servers": broker.bootstrap("SASL")},
        }
        print(
            "\n| client, limit | lags | assign(), s | a second member joins, s"
            " |\n|---|---|---|---:|"
        )
        for client, limit in _LIMITS.items():
            for name, read_with in faults.items():
                _print_group(broker, connection, Path(folder), client, limit, name, read_with)
        print("\n| aiokafka, limit | longest stillness of the loop, s |\n|---:|---:|")
        for limit in _LOOP_LIMITS:
            print(
                f"| {limit} | {_stillness(broker, connection, limit, faults['no answer']):.3f} |",
                flush=True,
            )
        print(f"| 1.0, lags read | {_stillness(broker, connection, 1.0, {}):.3f} |", flush=True)
        connection.close()


def _print_group(broker, connection, folder, client, limit, fault, read_with) -> None:
    group_id = f"{client}, {fault}"
    with OtherConsumers(broker.bootstrap()) as consumers:
        start = (
            consumers.start_kafka_python if client == "kafka-python" else consumers.start_aiokafka
        )
        more = {"journal": str(folder / group_id), "time_limit": limit, "read_with": read_with}
        start(f"{group_id}-0", ["orders"], group_id, "lag", **more)
        _wait(connection, group_id, 1)
        start(f"{group_id}-1", ["orders"], group_id, "lag", **more)
        _wait(connection, group_id, 2, state=None)
        began = time.monotonic()
        _wait(connection, group_id, 2)
        waited = time.monotonic() - began
    seconds = [
        json.loads(line)["seconds"]
        for line in (folder / group_id).open()
        if json.loads(line)["request"]["group"]["topics"]
    ]
    print(
        f"| {client}, {limit} | {fault} | {', '.join(f'{one:.3f}' for one in seconds)} |"
        f" {waited:.1f} |",
        flush=True,
    )


def _stillness(broker, connection, limit: float, read_with: dict) -> float:
    group_id = f"loop {limit} {bool(read_with)}"
    with OtherConsumers(broker.bootstrap()) as consumers:
        process = consumers.start_aiokafka(
            "member", ["orders"], group_id, "lag", time_limit=limit, read_with=read_with
        )
        _wait(connection, group_id, 1)
        consumers.stop("member")
        return float(process.stdout.readline())


def _wait(connection, group_id: str, count: int, state: str | None = "Stable") -> None:
    """Wait until the group has so many members; in state Stable with all partitions."""

    def found() -> bool:
        listed = [one for one in connection.ask(connection.raw.listed) if one.group_id == group_id]
        documents = [one.document for one in live_groups(connection, listed) if one.document]
        if (
            not documents
            or len(documents[0].members) != count
            or state not in (None, documents[0].state)
        ):
            return False
        return (
            state is None
            or sum(len((one.owned or {}).get("orders", ())) for one in documents[0].members) == 12
        )

    until(found)


if __name__ == "__main__":
    rule()
    if sys.argv[1:] != ["rule"]:
        groups()
