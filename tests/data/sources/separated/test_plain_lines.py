from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.sources.numbers import Unreadable
from evenkeel.data.sources.separated.exact_line import row_or_note
from evenkeel.data.sources.separated.header import header_in
from evenkeel.data.sources.separated.plain_lines import plain_columns

_NAMES = st.sampled_from(
    [
        "t",
        "a b",
        "=cmd()",
        "<b>x</b>",
        "-",
        "–",
        "null",
        "none",
        " t ",
        "ü",
        "\u00a0t",
        "\udce9",
        "a\rb",
        "\x00",
        '"q"',
        "\ufefft",
        "'",
    ]
)
_NUMBERS = st.sampled_from(
    [
        "0",
        "7",
        "-1",
        "-2",
        "+5",
        "1e3",
        "7.0",
        "7.5",
        "0x1F",
        "1,000",
        "007",
        "",
        "-",
        "–",
        "null",
        "NaN",
        "unknown",
        "1000000",
        "1000001",
        "9223372036854775807",
        "9223372036854775808",
        " 7",
        "７",
    ]
)


@given(
    st.lists(
        st.tuples(_NAMES, _NUMBERS, _NUMBERS, _NUMBERS, _NAMES) | st.tuples(_NAMES, _NUMBERS),
        max_size=6,
    )
)
def test_reading_many_lines_at_once_says_what_reading_each_alone_says(cells):
    lines = [";".join(row).encode("utf-8", "surrogateescape") for row in cells]
    layout = header_in([b"topic;partition;offset;lag;member"])

    columns, plain = plain_columns(lines, layout)

    for place, line in enumerate(lines):
        try:
            exact = row_or_note(line, layout)
        except Unreadable:
            exact = None
        if place in plain:
            at_once = {
                name: array[plain.tolist().index(place)].as_py() for name, array in columns.items()
            }
            assert {name: value for name, value in at_once.items() if value is not None} == exact
