"""Notes: what they are and what they say."""

import pytest

from evenkeel.data.group.tables.parsed import (
    ERROR,
    HEADER,
    MESSAGE,
    NO_MEMBERS,
    REBALANCING,
    REPEAT,
    groups_told,
    is_told,
    kind_of,
)
from evenkeel.data.sources.inputs import read

HEADER_LINE = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Warning: Consumer group 'payments' is rebalancing.", REBALANCING),
        ("Consumer group 'it's odd' is rebalancing.", REBALANCING),
        ("Consumer group 'payments' has no active members.", NO_MEMBERS),
        ("Error: The consumer group 'payments' has no active members.", NO_MEMBERS),
        ("Error: Consumer group 'payments' does not exist.", ERROR),
        (
            (
                "org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node"
                " assignment."
            ),
            ERROR,
        ),
        ("Note: This will not show information about old Zookeeper-based consumers.", MESSAGE),
        ("[2026-11-20 08:00:00,000] WARN Connection to node -1 could not be established.", MESSAGE),
    ],
)
def test_a_message_is_known_by_what_the_tool_prints(text, kind):
    assert kind_of(text) == kind


def test_every_note_but_blank_lines_keeps_its_line_text_and_kind():
    row = "g t 0 1 5 4 m /h c"

    parsed = read([("a.txt", f"\n{HEADER_LINE}\r\n{row}\nError: x\n{row}\n".encode())])

    assert parsed.note_count == 4
    assert parsed.notes.select(["source_line", "reason", "text"]).to_pylist() == [
        {"source_line": 2, "reason": HEADER, "text": HEADER_LINE},
        {"source_line": 4, "reason": ERROR, "text": "Error: x"},
        {"source_line": 5, "reason": REPEAT, "text": row},
    ]


def test_the_header_of_a_table_is_a_note():
    notes = read([("a.csv", b"sep=;\ntopic;partition\nt;0\n")]).notes

    assert notes.select(["source_file", "source_line", "text"]).to_pylist() == [
        {"source_file": "a.csv", "source_line": 2, "text": "topic;partition"}
    ]


def test_a_rebalancing_group_is_named_with_the_file_that_says_so():
    parsed = read(
        [
            (
                "a.txt",
                f"\nWarning: Consumer group 'pay b' is rebalancing.\n\n{HEADER_LINE}\npay b t 0 1 5"
                " 4 m /h c\n".encode(),
            )
        ]
    )

    assert groups_told(parsed.notes, REBALANCING) == {("pay b", "a.txt")}


@pytest.mark.parametrize(
    ("group_id", "source_file", "expected"),
    [("a", "x.txt", True), ("b", "x.txt", False), (None, "x.txt", True), (None, "y.txt", False)],
)
def test_a_note_is_about_the_group_that_it_names_or_about_the_group_of_its_file(
    group_id, source_file, expected
):
    assert is_told(frozenset({("a", "x.txt")}), group_id, source_file) is expected
