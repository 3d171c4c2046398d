"""Numbers as people read them."""

import operator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.text import formats
from evenkeel.data.text.formats import passing


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, "–"),
        (0, "0"),
        (548, "548"),
        (8.333, "8.3"),
        (833.3, "833"),
        (9_999, "9,999"),
        (10_000, "10.0\u202fk"),
        (10_276, "10.3\u202fk"),
        # A half goes to the even neighbour.
        (12_450, "12.4\u202fk"),
        (12_350, "12.4\u202fk"),
        (99_949, "99.9\u202fk"),
        (99_950, "100\u202fk"),
        (218_000, "218\u202fk"),
        (999_500, "1.00\u202fM"),
        (1_300_000, "1.30\u202fM"),
        (2_500_000_000, "2.50\u202fG"),
        (-1_500, "−1,500"),
        (-15_000, "−15.0\u202fk"),
        (10**18, "1,000,000,000\u202fG"),
    ],
)
def test_a_number_is_exact_below_10_000_and_else_has_three_digits(number, text):
    assert formats.compact(number) == text


@pytest.mark.parametrize("number", [0, 8.39, 10_276, 12_399, 999_999])
def test_a_lower_bound_has_the_text_of_the_number(number):
    assert formats.compact_sum(number, True) == f"≥ {formats.compact(number)}"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, "–"),
        (0, "0"),
        (120455, "120,455"),
        (-9, "−9"),
        (2**53 + 1, "9,007,199,254,740,993"),
        (-0.2, "0"),
    ],
)
def test_exact_has_thousands_separators_and_a_real_minus(number, text):
    assert formats.exact(number) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (None, "–"),
        (0, "0\u202f%"),
        (0.0004, "< 1\u202f%"),
        (0.52, "52\u202f%"),
        (0.9995, "> 99\u202f%"),
        (1, "100\u202f%"),
    ],
)
def test_percent_never_rounds_to_none_or_all(share, text):
    assert formats.percent(share) == text


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (218_000, 156_000, "−28 %"),
        (218, 251, "+15 %"),
        (5, 10, "+100 %"),
        (200, 399, "+100 %"),
        (1, 8_001, "+800,000 %"),
        (1000, 1001, "less than 1 %"),
        (1000, 999, "less than 1 %"),
        (1000, 1, "< −99 %"),
        (1000, 0, "−100 %"),
        (5, 5, "="),
        (0, 0, "="),
        (0, 5, "from 0"),
        (None, 5, "–"),
        (5, None, "–"),
    ],
)
def test_change_is_signed_and_unknown_where_there_is_nothing_to_compare_with(before, after, text):
    assert formats.change(before, after).replace("\u202f", " ") == text


@pytest.mark.parametrize(
    ("before", "after", "grows", "text"),
    [
        (200, 400, "after", "≥ +100 %"),
        (200, 399, "after", "≥ +99 %"),
        (1000, 999, "after", "≥ −1 %"),
        (200, 200, "after", "≥ 0 %"),
        (0, 5, "after", "from 0"),
        (0, 0, "after", "–"),
        (400, 200, "before", "≤ −50 %"),
        (1000, 1001, "before", "≤ +1 %"),
        (1000, 1, "before", "≤ −99 %"),
        (200, 200, "before", "≤ 0 %"),
        (0, 5, "before", "–"),
        (400, 200, "both", "≈ −50 %"),
        (200, 399, "both", "≈ +100 %"),
        (1000, 1001, "both", "≈ 0 %"),
        (1000, 1, "both", "≈ −100 %"),
        (400, 400, "both", "–"),
        (0, 0, "both", "–"),
        (0, 5, "both", "–"),
        (None, 5, "both", "–"),
    ],
)
def test_a_change_of_a_sum_that_lacks_parts_is_a_bound_and_of_two_such_sums_an_estimate(
    before, after, grows, text
):
    assert (
        formats.change(
            before, after, grows in ("before", "both"), grows in ("after", "both")
        ).replace("\u202f", " ")
        == text
    )


lags = st.integers(0, 2000) | st.integers(0, 2**63 - 1)


@given(lags, lags, st.booleans(), st.booleans(), lags, lags)
def test_what_a_change_says_is_true_whatever_the_unknown_parts_are(
    before, after, before_grows, after_grows, more_before, more_after
):
    said = formats.change(before, after, before_grows, after_grows)

    true_before, true_after = before + more_before * before_grows, after + more_after * after_grows
    if said == "=":
        assert true_before == true_after
    elif said == "from 0":
        assert true_before == 0 < true_after
    elif said == "–" or said.startswith("≈"):
        assert before_grows or after_grows
    else:
        sign, _, number = (
            said.replace("\u202f%", "").replace("−", "-").replace(",", "").rpartition(" ")
        )
        change = Fraction(true_after - true_before, true_before) * 100
        signs = {
            "": lambda a, b: abs(a - b) <= Fraction(1, 2),
            "<": operator.lt,
            "less than": lambda a, b: 0 < abs(a) < b,
            ">": operator.gt,
            "≥": operator.ge,
            "≤": operator.le,
        }
        assert signs[sign](change, int(number))
        assert sign in ("", "≥", "≤", "less than") or abs(change - int(number)) <= 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (8, "8 s"),
        (192, "3m 12s"),
        (180, "3 m"),
        (7_500, "2h 5m"),
        (86_400, "24 h"),
        (4 * 86_400, "4 d"),
    ],
)
def test_duration_names_two_units_at_most(seconds, text):
    assert formats.duration(seconds) == text


def test_counted_nouns_and_factors_read_as_words():
    assert formats.count(1, "member") == "1 member"
    assert formats.count(2000, "member") == "2,000 members"
    assert formats.factor(6.29) == "6.3×"
    assert formats.ratio(6.294) == "6.29"
    assert formats.ratio(None) == "–"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (111, "111th"),
    ],
)
def test_a_place_has_the_ending_that_english_gives_it(number, text):
    assert formats.ordinal(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (60, "1 minute passes"),
        (1, "1 second passes"),
        (600, "10 minutes pass"),
        (3600, "1 hour passes"),
        (4800, "1h 20m pass"),
        (172_800, "2 days pass"),
    ],
)
def test_time_that_passes_is_said_with_its_verb(seconds, text):
    assert passing(seconds) == text
