"""What members of Evenkeel's assignors send when they join."""

import json

from evenkeel_assignors.user_data import NOTHING, MemberReport, decode, encode
from hypothesis import example, given
from hypothesis import strategies as st

_HELD = st.dictionaries(
    st.text(), st.lists(st.integers(0, 2**31 - 1), unique=True).map(sorted), max_size=3
)
_TOLD = st.builds(
    MemberReport,
    _HELD,
    st.integers(-1, 2**31 - 1),
    st.none() | st.text(),
    st.lists(st.text(), max_size=2).map(tuple),
    st.none() | st.text(),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda some: st.lists(some) | st.dictionaries(st.text(), some),
)
_KEYS = st.sampled_from(["owned", "generation", "auto_offset_reset", "last"])


def test_the_bytes_are_one_json_object_as_the_pages_read_it():
    told = MemberReport({"orders": [0, 3]}, 7, "earliest", ("orders",), "not read after 2.0 s")

    assert json.loads(encode(told)) == {
        "evenkeel": 1,
        "owned": {"orders": [0, 3]},
        "generation": 7,
        "auto_offset_reset": "earliest",
        "last": {"kept": ["orders"], "why": "not read after 2.0 s"},
    }


@given(_TOLD)
def test_what_is_encoded_is_decoded(told):
    assert decode(encode(told)) == told


@given(st.none() | st.binary())
@example(b"")
@example(b"[" * 100_000)
@example(b"9" * 100_000)
@example(b'{"evenkeel":true,"owned":{"t":[1]}}')
@example(b'{"evenkeel":2,"owned":{"t":[1]}}')
@example(b"\0\0\0\1\0\1t\0\0\0\1\0\0\0\0\0\0\0\7")
def test_other_bytes_say_that_a_member_owns_nothing(data):
    assert decode(data) == NOTHING


@given(st.dictionaries(_KEYS, _JSON))
def test_whatever_our_own_object_holds_is_read_without_an_error(said):
    told = decode(json.dumps(said | {"evenkeel": 1}).encode("utf-8", "surrogatepass"))

    assert all(
        isinstance(one, int) and 0 <= one < 2**31
        for numbers in told.owned.values()
        for one in numbers
    )
    assert told.generation >= -1
    assert decode(encode(told)) == told


@given(_TOLD, st.data())
def test_spoiled_bytes_are_read_without_an_error(told, data):
    whole = encode(told)
    at = data.draw(st.integers(0, len(whole) - 1))

    decode(whole[:at] + data.draw(st.binary(max_size=2)) + whole[at + 1 :])
    decode(whole[:at])
