"""Numbers as spreadsheets write them: a column has one meaning, or none."""

import pytest

from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.separated.values import STYLES, style_of
from evenkeel.data.sources.source import Context


def lags(*cells, numbers=None):
    text = "topic\tpartition\tlag\n" + "".join(
        f"t\t{place}\t{cell}\n" for place, cell in enumerate(cells)
    )
    found = read([("x.tsv", text.encode())], Context(numbers=numbers))
    return found.offsets["listed_lag"].to_pylist(), found.rejected["reason"].to_pylist()


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["31,939", "5", "-1,000,000"], [31_939, 5, -1_000_000]),
        (["31.939", "121.003", "7"], [31_939, 121_003, 7]),
        (["31 939", "1 000"], [31_939, 1_000]),
        (["31\u202f939", "31\u00a0940", "31\u2009941"], [31_939, 31_940, 31_941]),
        (["31'939", "31’940"], [31_939, 31_940]),
        (["31939.00", "5.00", "7"], [31_939, 5, 7]),
        (["31939,00", "5,0"], [31_939, 5]),
        (["1,234.00", "5.00"], [1_234, 5]),
        (["1.234,00", "5,00"], [1_234, 5]),
        (["1.000", "31.939"], [1_000, 31_939]),
        (["1.000", "12345.000"], [1, 12_345]),
        (["N/A", "–", "31,939"], [None, None, 31_939]),
    ],
)
def test_a_column_that_agrees_on_one_meaning_is_read(cells, numbers):
    assert lags(*cells) == (numbers, [])


@pytest.mark.parametrize(
    "cells", [["1.000", "2.000"], ["1,000"], ["31.939", "121003"], ["31.939", "31,939"]]
)
def test_a_column_with_several_meanings_or_none_is_asked_for(cells):
    numbers, reasons = lags(*cells)

    marked = [cell for cell in cells if not cell.isdigit()]
    assert numbers == [int(cell) for cell in cells if cell.isdigit()]
    assert reasons == [
        f"lag is {cell!r}, expected a whole number; this column can be read in several ways:"
        " --numbers says which, for example --numbers 1,234.00"
        for cell in marked
    ]


@pytest.mark.parametrize(("style", "value"), [("1,234.00", [1_000, 2_000]), ("1234,00", [1, 2])])
def test_what_a_person_says_decides(style, value):
    assert lags("1,000", "2,000", numbers=style) == (value, [])


def test_a_cell_that_no_style_reads_takes_out_its_own_line_alone():
    assert lags("31,939", "1,5", "x") == (
        [31_939],
        [
            f"lag is {cell!r}, expected a whole number from -9,223,372,036,854,775,808 to"
            " 9,223,372,036,854,775,807"
            for cell in ("1,5", "x")
        ],
    )


def test_quoted_numbers_between_commas_are_read():
    found = read(
        [
            (
                "x.csv",
                b'topic,partition,committed,end_offset\nt,0,"31,939","1,031,940"\nt,1,5,"2,006"\n',
            )
        ]
    )

    assert found.offsets.select(["committed_offset", "end_offset"]).to_pylist() == [
        {"committed_offset": 31_939, "end_offset": 1_031_940},
        {"committed_offset": 5, "end_offset": 2_006},
    ]


def test_a_column_without_marks_is_plain():
    assert style_of(["5", "1000", "x"]) == STYLES["1234.00"]
