import tracemalloc

import pytest

from evenkeel.data.sources.console.exact.lines import LONGEST_LINE_BYTES, needed
from evenkeel.data.sources.console.listing import parse
from tests.data.sources.corpus import corpus, rows_of

HEADER = b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def test_numbers_that_cannot_be_are_rejected_with_line_value_and_expectation():
    rejected = corpus("bad-numbers.txt").rejected

    assert rows_of(rejected, "source_line", "reason") == [
        (2, "PARTITION is '-1', expected a whole number from 0 to 1,000,000"),
        (3, "PARTITION is '1000001', expected a whole number from 0 to 1,000,000"),
        (5, "LAG is 3, expected LOG-END-OFFSET - CURRENT-OFFSET = 2"),
        (
            6,
            (
                "LOG-END-OFFSET is '9223372036854775808', expected a whole number from -1 to"
                " 9,223,372,036,854,775,807"
            ),
        ),
        (
            8,
            (
                "CURRENT-OFFSET is '0x10', expected a whole number from -1 to"
                " 9,223,372,036,854,775,807"
            ),
        ),
        (
            10,
            "CURRENT-OFFSET is '-2', expected a whole number from -1 to 9,223,372,036,854,775,807",
        ),
        (11, "PARTITION is 'x', expected a whole number from 0 to 1,000,000"),
        (13, "PARTITION is '0x10', expected a whole number from 0 to 1,000,000"),
    ]


def test_numbers_at_the_edge_are_rows():
    offsets = corpus("bad-numbers.txt").offsets

    assert rows_of(offsets, "partition", "committed_offset", "end_offset", "listed_lag") == [
        (1_000_000, 5, 7, 2),
        (2, 5, 9223372036854775807, 9223372036854775802),
        (4, None, 7, None),
        (6, 9, 7, -2),
    ]


def test_a_line_cut_in_the_middle_is_rejected_with_its_text():
    (rejected,) = corpus("cut-line.txt").rejected.to_pylist()

    assert rejected["source_line"] == 3
    assert (
        rejected["reason"]
        == "8 words, expected 9 columns: GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG"
        " CONSUMER-ID HOST CLIENT-ID"
    )
    assert rejected["text"].endswith("pay-b-51f0984c-55c7-4d0e-9f0b-2a6d1b7c9e02 /10.4.")


def test_a_single_word_is_no_words():
    assert parse(HEADER + b"payments\n", "f").rejected["reason"].to_pylist() == [
        "1 word, expected 9 columns: GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG"
        " CONSUMER-ID HOST CLIENT-ID"
    ]


def test_a_cut_line_with_as_many_words_as_columns_is_rejected():
    parsed = parse(HEADER + b"payments orders 0 5 7 2 pay b-1 /10.0.0.1\n", "f")

    assert rows_of(parsed.rejected, "source_line", "text") == [
        (2, "payments orders 0 5 7 2 pay b-1 /10.0.0.1")
    ]


def test_rows_before_any_header_are_rejected_with_the_one_they_need():
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"

    assert rows_of(corpus("cut-start.txt").rejected, "source_line", "reason") == [
        (1, f"no header line above it, expected one such as {header}"),
        (2, f"no header line above it, expected {header}"),
    ]


@pytest.mark.parametrize(
    ("row", "header"),
    [
        (
            "g t 0 5 9 4 m /h a client",
            "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
        ),
        (
            "g t 0 3 5 9 4 m /h c",
            (
                "GROUP TOPIC PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID"
                " HOST CLIENT-ID"
            ),
        ),
        (
            "t 0 - 9 - - - -",
            "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
        ),
        (
            "g t 0 5 9 4 c_/192.168.1.13",
            "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG OWNER",
        ),
        ("g m /h c 3", "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS"),
        ("m /h c 3", "CONSUMER-ID HOST CLIENT-ID #PARTITIONS"),
        ("some words and 3", None),
    ],
)
def test_the_header_that_a_row_lacks_is_known_by_its_columns(row, header):
    assert needed(parse(row.encode(), "f").rejected["reason"].to_pylist()) == header


def test_plans_and_unknown_listings_are_named_in_the_reason():
    rejected = corpus("not-consumer-groups.txt").rejected

    assert rows_of(rejected, "source_line", "source_format") == [
        (9, "a plan of --reset-offsets, without committed offsets"),
        (11, "a listing with columns that no known tool prints"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"caf\xe9 orders 0 5 7 2 c-1 /10.0.0.1 c", "byte 0xe9 at position 4, expected UTF-8"),
        (
            b"- - - - - - - - -",
            "no topic and no member, expected GROUP, TOPIC, PARTITION or a member",
        ),
        (b"x" * 65_537, "line of 65,537 bytes, expected at most 65,536"),
        (
            b"Topic: orders\tPartition",
            (
                "line of kafka-topics --describe is cut, expected PartitionCount and"
                " ReplicationFactor, or Partition, Leader, Replicas and Isr"
            ),
        ),
    ],
)
def test_what_cannot_be_read_says_why(line, reason):
    parsed = parse(HEADER + line + b"\n", "f")

    assert parsed.rejected["reason"].to_pylist() == [reason]
    assert len(parsed.rejected["text"][0].as_py()) <= 1_000


def test_a_line_ends_at_line_feed_only():
    parsed = parse(
        HEADER + b"g t 0 5 7 2 c-1 /10.0.0.1 c\rd\x0b\x0c\xc2\x85\xe2\x80\xa8e\r\ng t 1 5 7 2 c-1"
        b" /10.0.0.1 c",
        "f",
    )

    assert rows_of(parsed.offsets, "client_id", "source_line") == [
        ("c\rd\x0b\x0c\x85\u2028e", 2),
        ("c", 3),
    ]
    assert parsed.line_count == 3


@pytest.mark.parametrize(
    "line",
    [b"x" * 40_000_000, b"GROUP" + b" 0x" * 13_000_000, b" " + b"TOPIC " * 7_000_000],
    ids=["letters", "header", "blanks"],
)
def test_of_a_line_longer_than_any_row_only_the_start_takes_memory(line):
    data = HEADER + line + b"\ng t 1 5 7 2 c-1 /10.0.0.1 c\n"

    tracemalloc.start()
    parsed = parse(data, "f")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert parsed.rejected["reason"].to_pylist() == [
        "line of more than 16,777,216 bytes, expected at most 65,536"
    ]
    assert rows_of(parsed.offsets, "partition", "source_line") == [(1, 3)]
    assert peak < 8 * LONGEST_LINE_BYTES
