"""User data of Kafka Streams: what Kafka's own classes write in every version that they still read,
our decoders read.
"""

from random import Random
from uuid import UUID

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.streams_user_data import (
    NO_REBALANCE,
    AssignmentInfo,
    SubscriptionInfo,
    assignment_info,
    subscription_info,
)

_VERSIONS = range(1, 12)
_SUMS = (-2, -3, 0, 1, 12_345_678_901, 2**63 - 1)


def octets(judge, users: list[dict]) -> list[bytes]:
    return [
        bytes.fromhex(answer) for answer in judge.answers([{"user_data": user} for user in users])
    ]


def test_every_version_of_what_threads_send_is_read(judge):
    random = Random("subscriptions")
    sent = [_subscription(random, version) for version in _VERSIONS for _ in range(40)]

    assert list(map(subscription_info, octets(judge, sent))) == list(map(_read_subscription, sent))


def test_every_version_of_what_the_leader_gives_is_read(judge):
    random = Random("assignments")
    given = [_assignment(random, version) for version in _VERSIONS for _ in range(40)]

    read = map(assignment_info, octets(judge, given))

    assert [
        each._replace(standby={task: sorted(places) for task, places in each.standby.items()})
        for each in read
    ] == list(map(_read_assignment, given))


def test_named_topologies_are_refused(judge):
    users = [
        {
            "version": 11,
            "named_topology": "orders",
            "process_id": str(UUID(int=1)),
            "offset_sums": {"0_1": 5},
        },
        {"version": 11, "named_topology": "orders", "active": ["0_1"]},
    ]
    for decode, data in zip(
        (subscription_info, assignment_info), octets(judge, users), strict=True
    ):
        with pytest.raises(SnapshotError, match='named topology "orders", expected none'):
            decode(data)


def _subscription(random: Random, version: int) -> dict:
    return {
        "version": version,
        "process_id": str(UUID(int=random.getrandbits(128))),
        "end_point": random.choice([None, "10.4.1.17:8080"]),
        "offset_sums": {task: random.choice(_SUMS) for task in _tasks(random)},
        "error_code": random.choice([0, 0, 1]),
        "client_tags": {
            key: random.choice("xyé")
            for key in random.sample(["zone", "cluster", "ä"], random.randint(0, 3))
        },
    }


def _read_subscription(sent: dict) -> SubscriptionInfo:
    """Versions before 7 tell a running task from a standby, and no more."""
    version, sums = sent["version"], sent["offset_sums"]
    return SubscriptionInfo(
        version,
        sent["process_id"],
        sums
        if version >= 7
        else {task: -2 if offset_sum == -2 else -3 for task, offset_sum in sums.items()},
        sent["error_code"] if version >= 9 else 0,
        sent["client_tags"] if version >= 11 else None,
    )


def _assignment(random: Random, version: int) -> dict:
    return {
        "version": version,
        "active": _tasks(random),
        "standby": {task: _places(random) for task in _tasks(random)},
        "hosts": {f"h{number}": _places(random) for number in range(random.randint(0, 2))},
        "standby_hosts": {f"s{number}": _places(random) for number in range(random.randint(0, 2))},
        "error_code": random.choice([0, 0, 1]),
        "next_rebalance_ms": random.choice([0, 1_790_000_000_000, NO_REBALANCE]),
    }


def _read_assignment(given: dict) -> AssignmentInfo:
    version = given["version"]
    standby = {task: sorted(map(tuple, places)) for task, places in given["standby"].items()}
    return AssignmentInfo(
        version,
        given["active"],
        standby,
        given["error_code"] if version >= 4 else 0,
        given["next_rebalance_ms"] if version >= 7 else None,
    )


def _tasks(random: Random) -> list[str]:
    return [
        f"{random.randrange(20)}_{partition}"
        for partition in random.sample(range(300), random.randint(0, 5))
    ]


def _places(random: Random) -> list[tuple[str, int]]:
    return [
        (random.choice(["orders", "app-by-key-repartition"]), partition)
        for partition in random.sample(range(50), random.randint(0, 3))
    ]
