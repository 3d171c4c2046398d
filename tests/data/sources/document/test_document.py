import json
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evenkeel.data.sources import documents
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.source import Context
from tests.generated.small_documents import EXAMPLE, changed


def test_one_document_over_many_lines_counts_as_one_line():
    parsed = documents.parse(json.dumps(EXAMPLE, indent=1).encode(), "payments.json")

    assert (parsed.line_count, parsed.row_count, parsed.note_count, parsed.rejected.num_rows) == (
        1,
        1,
        0,
        0,
    )
    assert parsed.formats == ("evenkeel.group/1",)
    assert parsed.offsets.select(
        ["group_id", "topic", "partition", "end_offset", "member_id", "client_id"]
    ).to_pylist() == [
        {
            "group_id": "payments",
            "topic": "orders",
            "partition": 0,
            "end_offset": 121003,
            "member_id": "pay-a-0f3c",
            "client_id": "pay-a",
        },
        {
            "group_id": "payments",
            "topic": "orders",
            "partition": 1,
            "end_offset": 88120,
            "member_id": None,
            "client_id": None,
        },
    ]
    assert parsed.topics.select(
        ["topic", "topic_id", "partition_count", "partition", "racks"]
    ).to_pylist() == [
        {
            "topic": "orders",
            "topic_id": "LkLS-N4OSSK11RYzgIc1Eg",
            "partition_count": 2,
            "partition": None,
            "racks": None,
        },
        {
            "topic": "orders",
            "topic_id": None,
            "partition_count": None,
            "partition": 0,
            "racks": ["a", "b"],
        },
    ]


def test_json_lines_count_one_line_for_each_record_and_a_refused_one_is_rejected_with_its_path():
    bad = changed("topics.0.partitions.1.end_offset", -5)

    parsed = documents.parse(
        "\n".join(
            [
                json.dumps(EXAMPLE),
                "",
                json.dumps(bad),
                "{nope",
                json.dumps(changed("group_id", "other")),
            ]
        ).encode(),
        "groups.jsonl",
    )

    assert (parsed.line_count, parsed.row_count, parsed.note_count) == (4, 2, 0)
    assert parsed.rejected.select(["source_line", "reason"]).to_pylist() == [
        {
            "source_line": 3,
            "reason": "$.topics[0].partitions[1].end_offset: found -5, expected int >= 0",
        },
        {
            "source_line": 4,
            "reason": "not JSON: JSON is malformed: object keys must be strings (byte 1)",
        },
    ]
    assert parsed.members["source_line"].to_pylist() == [1, 1, 5, 5]


NO_JSON = "the file begins like JSON but is not JSON: "


@pytest.mark.parametrize(
    ("text", "counts", "reason"),
    [
        (json.dumps(EXAMPLE, indent=1)[:-3], (46, 1, 45), f"{NO_JSON}Input data was truncated"),
        (
            "{broken\nline 2\n\nline 4\n",
            (4, 1, 3),
            f"{NO_JSON}JSON is malformed: expected '\"' (byte 1)",
        ),
        ('{"a": 1,\n\n', (2, 1, 1), f"{NO_JSON}Input data was truncated"),
        ("[{\n", (1, 0, 1), f"{NO_JSON}Input data was truncated"),
        (
            '{"a": 1}\ntext\n',
            (2, 0, 2),
            f"{NO_JSON}JSON is malformed: trailing characters (byte 10)",
        ),
    ],
)
def test_a_file_that_begins_like_json_and_is_none_lists_each_of_its_lines(text, counts, reason):
    parsed = documents.parse(text.encode(), "x.json")

    assert (parsed.line_count, parsed.note_count, parsed.rejected.num_rows) == counts
    assert [
        text.split("\n")[line - 1] for line in parsed.rejected["source_line"].to_pylist()
    ] == parsed.rejected["text"].to_pylist()
    assert set(parsed.rejected["reason"].to_pylist()) == {reason}


def test_json_that_is_no_document_is_rejected_as_records_and_not_as_lines():
    whole = documents.parse(b'{\n"a": 1\n}\n', "x.json")
    lines = documents.parse(b'{"a": 1}\n\n{"b": 2}\n', "x.jsonl")

    missing = '$.format: missing, expected "evenkeel.group/1"'
    assert whole.rejected.select(["source_line", "reason"]).to_pylist() == [
        {"source_line": 1, "reason": missing}
    ]
    assert lines.rejected.select(["source_line", "reason"]).to_pylist() == [
        {"source_line": 1, "reason": missing},
        {"source_line": 3, "reason": missing},
    ]


@example("[1,", "\n,\n")
@example("[", ",\n,\n")
@given(
    st.sampled_from(["{", "[{", '{"a":', "[1,", "[", "{broken"]),
    st.text(st.sampled_from('\n\n {}[],:"a1\u00e9'), max_size=40),
)
def test_whatever_follows_the_begin_of_json_every_line_counts_once(begin, rest):
    text = begin + rest

    parsed = read([("x.txt", text.encode())])

    assert parsed.line_count == parsed.row_count + parsed.note_count + parsed.rejected.num_rows
    assert parsed.line_count in (text.count("\n") + (not text.endswith("\n")), _records_of(text))


def _records_of(text):
    """Return how many records a text of JSON has, None for any other text."""
    for records in ([text], [line for line in text.split("\n") if line.strip()]):
        with suppress(ValueError):
            return len([json.loads(record) for record in records])
    return None


def test_the_context_fills_what_a_document_leaves_open():
    parsed = documents.parse(
        b'{"format": "evenkeel.group/1", "members": [{"member_id": "a", "subscribed": []}]}',
        "x.json",
        Context(group_id="g", cluster="c"),
    )

    assert parsed.members["group_id"].to_pylist() == ["g", "g"]
    assert parsed.members["cluster"].to_pylist() == ["c", "c"]


def test_a_topic_of_which_only_the_size_is_known_has_no_rows_of_its_partitions():
    parsed = documents.parse(
        b'{"format": "evenkeel.group/1", "topics": [{"name": "t", "partitions": 1000000}]}',
        "x.json",
    )

    assert parsed.offsets.num_rows == 0
    assert parsed.topics.select(["topic", "partition_count"]).to_pylist() == [
        {"topic": "t", "partition_count": 1_000_000}
    ]
