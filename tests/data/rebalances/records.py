"""Records of `__consumer_offsets` for tests, encoded by Kafka's message definitions."""

import base64
import json
import struct
import uuid

ORDERS = uuid.UUID(int=7)


def text(value):
    return (
        struct.pack(">h", -1)
        if value is None
        else struct.pack(">h", len(value.encode())) + value.encode()
    )


def octets(value):
    return struct.pack(">i", len(value)) + value


def compact(value):
    return b"\0" if value is None else bytes([len(value.encode()) + 1]) + value.encode()


def subscription(*topics):
    return struct.pack(">hi", 0, len(topics)) + b"".join(map(text, topics)) + struct.pack(">i", -1)


def assignment(**owned):
    topics = b"".join(
        text(name) + struct.pack(f">i{len(numbers)}i", len(numbers), *numbers)
        for name, numbers in owned.items()
    )
    return struct.pack(">hi", 0, len(owned)) + topics + struct.pack(">i", -1)


def member(member_id, client, owned, topics=("orders",), instance=None):
    head = (
        text(member_id)
        + text(instance)
        + text(client)
        + text("/127.0.0.1")
        + struct.pack(">ii", 300_000, 45_000)
    )
    return head + octets(subscription(*topics)) + octets(assignment(orders=owned))


def classic(group, generation, *members, at=1_000, protocol="range", leader=None):
    """A generation: key of type 2 and its value of version 3."""
    head = (
        struct.pack(">h", 3)
        + text("consumer")
        + struct.pack(">i", generation)
        + text(protocol)
        + text(leader)
        + struct.pack(">q", at)
    )
    return (
        struct.pack(">h", 2) + text(group),
        head + struct.pack(">i", len(members)) + b"".join(members),
        at,
    )


def epoch(group, number, hashed=1, at=1_000):
    return (
        struct.pack(">h", 3) + text(group),
        struct.pack(">hi", 0, number) + b"\1\0\x08" + struct.pack(">q", hashed),
        at,
    )


def consumer(group, member_id, client, topics=("orders",), instance=None, at=1_000):
    names = bytes([len(topics) + 1]) + b"".join(map(compact, topics))
    value = (
        struct.pack(">h", 0)
        + compact(instance)
        + compact(None)
        + compact(client)
        + compact("/127.0.0.1")
        + names
        + compact("")
    )
    return (
        struct.pack(">h", 5) + text(group) + text(member_id),
        value + struct.pack(">i", 300_000) + compact(None) + b"\0",
        at,
    )


def target(group, member_id, numbers, at=1_000):
    parts = (
        b"\2"
        + ORDERS.bytes
        + bytes([len(numbers) + 1])
        + struct.pack(f">{len(numbers)}i", *numbers)
        + b"\0"
        if numbers
        else b"\1"
    )
    return (
        struct.pack(">h", 7) + text(group) + text(member_id),
        struct.pack(">h", 0) + parts + b"\0",
        at,
    )


def target_epoch(group, number, at=1_000):
    return struct.pack(">h", 6) + text(group), struct.pack(">hi", 0, number) + b"\0", at


def current(group, member_id, number, state=0, at=1_000):
    value = struct.pack(">hiib", 0, number, number - 1, state) + b"\1\1\0"
    return struct.pack(">h", 8) + text(group) + text(member_id), value, at


def gone(one, at):
    return one[0], None, at


def dump(*records, partition=0):
    """The lines of a dump."""
    lines = [
        {
            "partition": partition,
            "offset": offset,
            "timestamp": at,
            "key": base64.b64encode(key).decode(),
            "value": None if value is None else base64.b64encode(value).decode(),
        }
        for offset, (key, value, at) in enumerate(records)
    ]
    return "".join(json.dumps(one) + "\n" for one in lines).encode()
