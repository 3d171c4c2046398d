"""Hash codes as the JDK and Kafka compute them, and the order of strings; expected values from a
JVM.
"""

import uuid

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.java.hashing import (
    name_uuid,
    sorted_rows,
    string_hashes,
    topic_id_partition_hashes,
    uuid_hashes,
)

any_text = st.text(st.characters(codec=None), max_size=40)


def test_a_uuid_hashes_as_the_exclusive_or_of_its_four_words():
    ids = np.array([(0, 1), (-1, 0), (1 << 32, 2), (-(1 << 63), 5)], dtype=np.int64)

    assert uuid_hashes(ids).astype(np.int32).tolist() == [1, 0, 3, -2147483643]


def test_a_topic_partition_of_the_broker_hashes_as_a_java_record_and_wraps_around():
    topic_hash = uuid_hashes(np.array([(0, 1), (0, 1 << 31)], dtype=np.int64))

    assert topic_id_partition_hashes(topic_hash, np.array([7, 40])).astype(np.int32).tolist() == [
        38,
        -2147483608,
    ]


@pytest.mark.parametrize(
    ("name", "id", "hash_code"),
    [
        ("orders", "12c500ed-0b78-3910-9fb4-6af0f246be87", 1951395210),
        ("t0", "809d4580-aaed-3156-9abc-38d58f77f840", 1069265987),
        ("é", "66ddcd97-cfde-3bb2-b6fb-8a999b4bc76f", -2068595757),
    ],
)
def test_a_missing_topic_id_is_the_version_3_uuid_of_the_name_without_a_name_space(
    name, id, hash_code
):
    halves = name_uuid(name)

    assert str(uuid.UUID(int=(halves[0] & 2**64 - 1) << 64 | halves[1] & 2**64 - 1)) == id
    assert uuid_hashes(np.array([halves])).astype(np.int32).tolist() == [hash_code]


def hash_code(text: str) -> int:
    """`String.hashCode` as its documentation says it."""
    units = text.encode("utf-16-be", "surrogatepass")
    result = 0
    for high, low in zip(units[::2], units[1::2], strict=False):
        result = (31 * result + 256 * high + low) % 2**32
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("consumer1", -421004549),
        ("topic1", -868034334),
        ("é", 233),
        ("😀", 1772899),
        ("polygenelubricants", -2147483648),
        ("", 0),
    ],
)
def test_a_hash_code_is_the_one_java_gives(text, expected):
    assert string_hashes([text]).astype("int32").tolist() == [expected]


@given(st.lists(any_text, max_size=30))
def test_many_hash_codes_are_those_of_each_text_alone(texts):
    assert string_hashes(texts).tolist() == [hash_code(text) for text in texts]


def test_hash_codes_do_not_depend_on_where_a_block_of_texts_ends():
    texts = [f"consumer-{number}-" + "x" * (number % 50) for number in range(20_000)]

    hashes = string_hashes(texts)

    assert hashes[::997].tolist() == [hash_code(text) for text in texts[::997]]


def test_a_supplementary_character_sorts_before_the_private_use_area_as_in_java():
    assert sorted_rows(["\ue000", "😀", "a"]).tolist() == [2, 1, 0]
    assert sorted(["\ue000", "😀", "a"]) == ["a", "\ue000", "😀"]


def test_equal_texts_keep_their_order():
    assert sorted_rows(["b", "a", "b", "a"]).tolist() == [1, 3, 0, 2]
