import random

import pytest

from evenkeel.data.sources.console.listing import parse

HEADERS = (
    b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n",
    b"GROUP CONSUMER-ID GROUP-INSTANCE-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\n",
    b"GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\n",
)


@pytest.mark.parametrize("header", [b"", *HEADERS])
@pytest.mark.parametrize(
    "alphabet", [bytes(range(256)), bytes(range(32, 127)) + b"\n" * 5, b" -019/.:(),\n\nabc|"]
)
def test_random_garbage_is_counted_and_never_raises(header, alphabet):
    source = random.Random(7)
    data = header + bytes(source.choices(alphabet, k=100_000))

    parsed = parse(data, "f")

    assert parsed.line_count == data.count(b"\n") + (not data.endswith(b"\n"))
    assert parsed.line_count == parsed.row_count + parsed.note_count + parsed.rejected.num_rows


def test_an_empty_input_has_no_lines():
    assert parse(b"", "f").line_count == 0
