"""Canonical JSON by the short way is that of the library."""

import json

import pytest
import rfc8785
from hypothesis import given, strategies

from evenkeel.data.scenarios.scenario.scenario import without_fractions

EXACT = 2**53 - 1
numbers = strategies.integers(-EXACT, EXACT)
texts = strategies.text(strategies.characters(codec="utf-8"), max_size=6)
values = strategies.recursive(
    strategies.none() | strategies.booleans() | numbers | texts,
    lambda inner: (
        strategies.lists(inner, max_size=4) | strategies.dictionaries(texts, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_canonical_json_is_that_of_the_library(value):
    assert without_fractions(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    "text",
    ['\x00\x1f\x7f\b\f\n\r\t"\\/', ":1.5", "[12345678901234567", "\u2028", "é", "\U0001f600\ufb33"],
)
def test_texts_are_written_as_the_library_writes_them(text):
    assert without_fractions({text: [text]}) == rfc8785.dumps({text: [text]})


def test_larger_integers_are_text():
    assert json.loads(
        without_fractions({"end_offset": EXACT + 1, "more": [-EXACT - 1, EXACT]})
    ) == {
        "end_offset": str(EXACT + 1),
        "more": [str(-EXACT - 1), EXACT],
    }
