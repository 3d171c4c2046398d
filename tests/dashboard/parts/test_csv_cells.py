"""No cell of a downloaded CSV file is a formula to a spreadsheet."""

import unicodedata

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.dashboard.parts.table_files import harmless, harmless_column

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
UNSEEN = "\ufeff\u200b\u200d\u2060\u00ad\u180e\ufe0f\u3164\u00a0 \x00\x0b\x85\u2028"


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", ["", *UNSEEN, "\ufeff\u200b "])
def test_a_text_whose_first_visible_character_begins_a_formula_stands_behind_a_quotation_mark(
    before, sign
):
    assert harmless(f"{before}{sign}1+1") == f"'{before}{sign}1+1"


@pytest.mark.parametrize("text", ["\tx", "\rx", "\nx", "\n=1", "\n", "\ufeff\nx"])
def test_a_text_that_begins_with_a_tab_or_an_end_of_a_line_stands_behind_a_quotation_mark(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(
    "text",
    ["", "orders", "a=1", "0-1", "\ufefforders", "'=1", "\u00e9t\u00e9-1", " orders", "\u200b"],
)
def test_any_other_text_stays_as_it_is(text):
    assert harmless(text) == text


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_a_harmless_text_never_begins_with_a_sign_and_is_the_text_itself_behind_the_mark(text):
    shown = harmless(text)

    assert shown in (text, f"'{text}")
    assert harmless(shown) == shown
    assert unicodedata.normalize("NFKC", shown.lstrip("\ufeff\u200b "))[:1] not in tuple(
        "=+-@\t\r\n"
    )


def test_numbers_stay_numbers_and_unknown_stays_unknown():
    numbers, texts = (
        pa.chunked_array([[-5, None]]),
        pa.chunked_array([["-5", None, "a"], ["-5", ""]]),
    )

    assert harmless_column(numbers).to_pylist() == [-5, None]
    assert harmless_column(texts).to_pylist() == ["'-5", None, "a", "'-5", ""]
