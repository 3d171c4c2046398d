"""Whose code assigned a classic group, by the bytes that clients send (seen with Kafka 4.3.1 and librdkafka 2.16)."""

from types import SimpleNamespace

import pytest

from data.live.wire.leader import leader_of

ORDERS = b"\x00\x06orders"
NULL, NOTHING = b"\xff\xff\xff\xff", b"\x00\x00\x00\x00"
PARTITION_0 = b"\x00\x00\x00\x01" + ORDERS + b"\x00\x00\x00\x01" + b"\x00\x00\x00\x00"
TOPICS = b"\x00\x00\x00\x01" + ORDERS


def written(version: int, user_data: bytes) -> bytes:
    return version.to_bytes(2) + PARTITION_0 + user_data


def sent(user_data: bytes, rack: bytes) -> bytes:
    """Version 3: topics, user data, nothing owned, generation -1, rack."""
    return b"\x00\x03" + TOPICS + user_data + NOTHING + NULL + rack


JAVA = SimpleNamespace(member_assignment=written(3, NULL), member_metadata=sent(NULL, b"\xff\xff"))
LIBRDKAFKA = SimpleNamespace(member_assignment=written(0, NOTHING), member_metadata=sent(NOTHING, b"\x00\x00"))
IN_BETWEEN = SimpleNamespace(member_assignment=written(0, NOTHING), member_metadata=sent(NULL, b"\xff\xff"))
BROKEN = SimpleNamespace(member_assignment=b"\x00", member_metadata=b"")


@pytest.mark.parametrize(
    ("members", "client"),
    [
        ([JAVA, JAVA], "java"),
        ([LIBRDKAFKA, LIBRDKAFKA], "librdkafka"),
        ([LIBRDKAFKA, IN_BETWEEN], None),
        ([JAVA, LIBRDKAFKA], None),
        ([BROKEN], None),
        ([], None),
    ],
)
def test_the_leader_is_who_wrote_the_assignments(members, client):
    found = leader_of(members, "range")

    assert (found and (found.client, found.certain)) == (client and (client, True))


def test_a_member_of_librdkafka_remembers_more_than_a_generation():
    memory = b"\x00\x00\x00\x08" + NOTHING + b"\x00\x00\x00\x05"
    member = SimpleNamespace(member_assignment=written(0, memory), member_metadata=sent(memory, b"\x00\x00"))

    assert leader_of([member], "cooperative-sticky").client == "librdkafka"
    assert leader_of([member], "range") is None
