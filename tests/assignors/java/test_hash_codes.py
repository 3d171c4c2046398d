"""Hash codes as the JDK and Kafka compute them; expected values from a JVM."""

import uuid

import numpy as np
import pytest

from evenkeel.assignors.java.hash_codes import name_uuid, topic_id_partition_hashes, uuid_hashes


def test_a_uuid_hashes_as_the_exclusive_or_of_its_four_words():
    ids = np.array([(0, 1), (-1, 0), (1 << 32, 2), (-(1 << 63), 5)], dtype=np.int64)

    assert uuid_hashes(ids).astype(np.int32).tolist() == [1, 0, 3, -2147483643]


def test_a_topic_partition_of_the_broker_hashes_as_a_java_record_and_wraps_around():
    topic_hash = uuid_hashes(np.array([(0, 1), (0, 1 << 31)], dtype=np.int64))

    assert topic_id_partition_hashes(topic_hash, np.array([7, 40])).astype(np.int32).tolist() == [38, -2147483608]


@pytest.mark.parametrize(
    ("name", "id", "hash_code"),
    [
        ("orders", "12c500ed-0b78-3910-9fb4-6af0f246be87", 1951395210),
        ("t0", "809d4580-aaed-3156-9abc-38d58f77f840", 1069265987),
        ("é", "66ddcd97-cfde-3bb2-b6fb-8a999b4bc76f", -2068595757),
    ],
)
def test_a_missing_topic_id_is_the_version_3_uuid_of_the_name_without_a_name_space(name, id, hash_code):
    halves = name_uuid(name)

    assert str(uuid.UUID(int=(halves[0] & 2**64 - 1) << 64 | halves[1] & 2**64 - 1)) == id
    assert uuid_hashes(np.array([halves])).astype(np.int32).tolist() == [hash_code]
