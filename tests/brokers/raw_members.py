"""Raw members: requests to a group's coordinator, byte by byte, for what no client sends, and for
the broker's answer in its own words.
"""

import socket
import struct
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evenkeel.data.live.wire.reader import Reader

_FIND_COORDINATOR, _JOIN, _SYNC, _CONSUMER_HEARTBEAT = 10, 11, 14, 68
_NOT_YET = (14, 15, 16)
_SESSION_MS = 300_000
"""Longer than a test: these members send no heartbeats."""

_JOINS, _LEAVES, _LIMIT_SECONDS = 0, -1, 240


def subscription(topics: Sequence[str], user_data: bytes = b"") -> bytes:
    """Return what a member of the consumer protocol type sends, version 0."""
    return struct.pack(">hi", 0, len(topics)) + b"".join(map(_text, topics)) + _bytes(user_data)


def assignment(owned: Mapping[str, Sequence[int]], user_data: bytes = b"") -> bytes:
    """Return what a leader of the consumer protocol type writes, version 0."""
    runs = (
        _text(topic) + struct.pack(f">i{len(some)}i", len(some), *some)
        for topic, some in owned.items()
    )
    return struct.pack(">hi", 0, len(owned)) + b"".join(runs) + _bytes(user_data)


class Told(NamedTuple):
    """What a broker answers a member of the consumer protocol."""

    code: int
    message: str | None


class RawMembers:
    """Members of groups on a cluster; a context manager that closes their connections."""

    def __init__(self, bootstrap: str):
        host, _, port = bootstrap.split(",")[0].rpartition(":")
        self._bootstrap = (host, int(port))
        self._open: list[socket.socket] = []

    def join(
        self, group_id: str, protocol_type: str, protocol: str, metadata: bytes, assignment: bytes
    ) -> None:
        """Form a group of one classic member, which gives itself this assignment; it stays, without
        heartbeats.
        """
        deadline = time.monotonic() + _LIMIT_SECONDS
        while (
            answer := self._joined(group_id, protocol_type, protocol, metadata)
        ) is None and time.monotonic() < deadline:
            time.sleep(0.1)
        channel, generation, member_id = answer
        given = struct.pack(">i", 1) + _text(member_id) + _bytes(assignment)
        _send(
            channel,
            _SYNC,
            1,
            _text(group_id) + struct.pack(">i", generation) + _text(member_id) + given,
        )
        assert _received(channel).int32() == 0

    def _joined(
        self, group_id: str, protocol_type: str, protocol: str, metadata: bytes
    ) -> tuple[socket.socket, int, str] | None:
        """Return the connection, the generation and the member's id; None where the coordinator is
        not ready.
        """
        channel = self.begin(group_id, protocol_type, protocol, metadata)
        answer = _received(channel)
        _, code, generation, *_, member_id = (
            answer.int32(),
            answer.int16(),
            answer.int32(),
            *(answer.text() for _ in range(3)),
        )
        if code in _NOT_YET:
            return None
        assert code == 0, f"JoinGroup of {group_id}: error {code}"
        return channel, generation, member_id

    def begin(
        self, group_id: str, protocol_type: str, protocol: str, metadata: bytes
    ) -> socket.socket:
        """Send the request of a classic member that joins, and do not wait for the answer."""
        channel = self._coordinator(group_id)
        body = (
            _text(group_id)
            + struct.pack(">ii", _SESSION_MS, _SESSION_MS)
            + _text("")
            + _text(protocol_type)
        )
        _send(channel, _JOIN, 2, body + struct.pack(">i", 1) + _text(protocol) + _bytes(metadata))
        return channel

    def joins(self, group_id: str, topics: Sequence[str], *, stays: bool = False) -> Told:
        """Let a member of the consumer protocol join, and leave again where it was accepted; return
        the broker's answer to the first.
        """
        channel, member_id = self._coordinator(group_id), f"raw-{time.monotonic_ns()}"
        told = _heartbeat(channel, group_id, member_id, _JOINS, topics)
        if not told.code and not stays:
            _heartbeat(channel, group_id, member_id, _LEAVES, topics)
        return told

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in self._open:
            one.close()

    def _coordinator(self, group_id: str) -> socket.socket:
        deadline = time.monotonic() + _LIMIT_SECONDS
        while True:
            with socket.create_connection(self._bootstrap, _LIMIT_SECONDS) as first:
                _send(first, _FIND_COORDINATOR, 0, _text(group_id))
                answer = _received(first)
            if (code := answer.int16()) not in _NOT_YET or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        assert code == 0, f"FindCoordinator of {group_id}: error {code}"
        answer.int32()
        self._open.append(socket.create_connection((answer.text(), answer.int32()), _LIMIT_SECONDS))
        return self._open[-1]


def _heartbeat(
    channel: socket.socket, group_id: str, member_id: str, epoch: int, topics: Sequence[str]
) -> Told:
    names = bytes([len(topics) + 1]) + b"".join(map(_compact, topics))
    about = (
        _compact(group_id)
        + _compact(member_id)
        + struct.pack(">i", epoch)
        + b"\0\0"
        + struct.pack(">i", _SESSION_MS)
    )
    # Without expression and assignor; it has no partitions, and says so when it joins.
    _send(channel, _CONSUMER_HEARTBEAT, 1, b"\0" + about + names + b"\0\0\1\0")
    answer = _received(channel)
    answer.tags()
    answer.int32()
    return Told(answer.int16(), answer.compact_nullable_text())


def _send(channel: socket.socket, key: int, version: int, body: bytes) -> None:
    request = struct.pack(">hhi", key, version, 1) + _text("raw") + body
    channel.sendall(struct.pack(">i", len(request)) + request)


def _received(channel: socket.socket) -> Reader:
    """Return the answer behind the number of its request."""
    (size,) = struct.unpack(">i", _octets(channel, 4))
    return Reader(_octets(channel, size)[4:], "answer")


def _octets(channel: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        if not (some := channel.recv(count - len(found))):
            raise ConnectionError("the broker closed the connection")
        found += some
    return found


def _text(text: str) -> bytes:
    return struct.pack(">h", len(text.encode())) + text.encode()


def _bytes(octets: bytes) -> bytes:
    return struct.pack(">i", len(octets)) + octets


def _compact(text: str) -> bytes:
    return bytes([len(text.encode()) + 1]) + text.encode()
