"""What the assignors of the Python clients answer, asked as `evenkeel assign` is: kafka-python
here, aiokafka where it is installed.

As a program it answers a request a line: `python tests/judge/python_clients.py aiokafka <
requests`. It needs nothing of Evenkeel.
"""

import json
import logging
import struct
import sys
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace

Held = dict[str, list[int]]

_CLASSES = {
    "kafka-python": {
        "range": ("kafka.coordinator.assignors.range", "RangePartitionAssignor"),
        "roundrobin": ("kafka.coordinator.assignors.roundrobin", "RoundRobinPartitionAssignor"),
        "sticky": ("kafka.coordinator.assignors.sticky.sticky_assignor", "StickyPartitionAssignor"),
        "cooperative-sticky": (
            "kafka.coordinator.assignors.cooperative_sticky",
            "CooperativeStickyAssignor",
        ),
    },
    "aiokafka": {
        "range": ("aiokafka.coordinator.assignors.range", "RangePartitionAssignor"),
        "roundrobin": ("aiokafka.coordinator.assignors.roundrobin", "RoundRobinPartitionAssignor"),
        "sticky": (
            "aiokafka.coordinator.assignors.sticky.sticky_assignor",
            "StickyPartitionAssignor",
        ),
    },
}


class _Cluster:
    def __init__(self, group: dict):
        subscribed = {topic for member in group["members"] for topic in member["subscribed"]}
        self._sizes = {
            topic["name"]: _size(topic)
            for topic in group["topics"]
            if topic["name"] in subscribed and _size(topic)
        }

    def topics(self) -> set[str]:
        return set(self._sizes)

    def partitions_for_topic(self, topic: str) -> set[int] | None:
        return set(range(self._sizes[topic])) if topic in self._sizes else None


def client_answer(client: str, request: dict) -> dict:
    """Return what the client's class assigns, a member to its partitions by topic, or the name of
    the exception that it throws.
    """
    module, name = _CLASSES[client][request["assignor"]]
    assignor, group = getattr(import_module(module), name)(), request["group"]
    members = _kafka_python(group) if client == "kafka-python" else _aiokafka(group)
    logging.disable()
    try:
        given = assignor.assign(_Cluster(group), members)
    except Exception as error:
        return {"error": type(error).__name__}
    finally:
        logging.disable(logging.NOTSET)
    return {
        "assignment": {
            member: {topic: list(numbers) for topic, numbers in _listed(one) if numbers}
            for member, one in given.items()
        }
    }


def _listed(given) -> list[tuple[str, list[int]]]:
    listed = (
        given.assigned_partitions if hasattr(given, "assigned_partitions") else given.assignment
    )
    return [(one.topic, one.partitions) if hasattr(one, "topic") else tuple(one) for one in listed]


def _kafka_python(group: dict) -> list[SimpleNamespace]:
    return [
        SimpleNamespace(
            member_id=member["member_id"],
            group_instance_id=member.get("instance_id"),
            metadata=SimpleNamespace(
                topics=list(member["subscribed"]),
                user_data=_remembered(member, struct.pack(">h", 1)),
                owned_partitions=[
                    SimpleNamespace(topic=topic, partitions=numbers)
                    for topic, numbers in _owned(member).items()
                ],
                generation_id=_generation(member),
            ),
        )
        for member in group["members"]
    ]


def _aiokafka(group: dict) -> dict[str, SimpleNamespace]:
    return {
        member["member_id"]: SimpleNamespace(
            subscription=list(member["subscribed"]), user_data=_remembered(member, b"")
        )
        for member in group["members"]
    }


def _remembered(member: dict, version: bytes) -> bytes:
    """Return the user data of a sticky member: an array of topic and partitions, and a
    generation.
    """
    owned = _owned(member)
    topics = (
        struct.pack(">h", len(name.encode()))
        + name.encode()
        + struct.pack(f">i{len(numbers)}i", len(numbers), *numbers)
        for name, numbers in owned.items()
    )
    return (
        version
        + struct.pack(">i", len(owned))
        + b"".join(topics)
        + struct.pack(">i", _generation(member))
        if owned
        else b""
    )


def _owned(member: dict) -> Held:
    return {topic: numbers for topic, numbers in (member.get("owned") or {}).items() if numbers}


def _generation(member: dict) -> int:
    return -1 if member.get("generation") is None else member["generation"]


def _size(topic: dict) -> int:
    return topic["partitions"] if isinstance(topic["partitions"], int) else len(topic["partitions"])


def _answer_lines(answer: Callable[[dict], dict]) -> None:
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    _answer_lines(lambda request: client_answer(sys.argv[1], request))
