import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.java import strings

any_text = st.text(st.characters(codec=None), max_size=40)


def hash_code(text: str) -> int:
    """`String.hashCode` as its documentation says it."""
    units = text.encode("utf-16-be", "surrogatepass")
    result = 0
    for high, low in zip(units[::2], units[1::2]):
        result = (31 * result + 256 * high + low) % 2**32
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [("consumer1", -421004549), ("topic1", -868034334), ("é", 233), ("😀", 1772899), ("polygenelubricants", -2147483648), ("", 0)],
)
def test_a_hash_code_is_the_one_java_gives(text, expected):
    assert strings.hashes([text]).astype("int32").tolist() == [expected]


@given(st.lists(any_text, max_size=30))
def test_many_hash_codes_are_those_of_each_text_alone(texts):
    assert strings.hashes(texts).tolist() == [hash_code(text) for text in texts]


def test_hash_codes_do_not_depend_on_where_a_block_of_texts_ends():
    texts = [f"consumer-{number}-" + "x" * (number % 50) for number in range(20_000)]

    hashes = strings.hashes(texts)

    assert hashes[::997].tolist() == [hash_code(text) for text in texts[::997]]


def test_a_supplementary_character_sorts_before_the_private_use_area_as_in_java():
    assert strings.sorted_rows(["\ue000", "😀", "a"]).tolist() == [2, 1, 0]
    assert sorted(["\ue000", "😀", "a"]) == ["a", "\ue000", "😀"]


def test_equal_texts_keep_their_order():
    assert strings.sorted_rows(["b", "a", "b", "a"]).tolist() == [1, 3, 0, 2]
