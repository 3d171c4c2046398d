import json

from data.sources.document import document
from data.sources.parsing.context import Context
from tests.generated.small_documents import EXAMPLE, changed


def test_one_document_over_many_lines_counts_as_one_line():
    parsed = document.parse(json.dumps(EXAMPLE, indent=1).encode(), "payments.json")

    assert (parsed.line_count, parsed.row_count, parsed.note_count, parsed.rejected.num_rows) == (1, 1, 0, 0)
    assert parsed.formats == ("evenkeel.group/1",)
    assert parsed.offsets.select(["group_id", "topic", "partition", "end_offset", "member_id", "client_id"]).to_pylist() == [
        {"group_id": "payments", "topic": "orders", "partition": 0, "end_offset": 121003, "member_id": "pay-a-0f3c", "client_id": "pay-a"},
        {"group_id": "payments", "topic": "orders", "partition": 1, "end_offset": 88120, "member_id": None, "client_id": None},
    ]
    assert parsed.topics.select(["topic", "topic_id", "partition_count", "partition", "racks"]).to_pylist() == [
        {"topic": "orders", "topic_id": "LkLS-N4OSSK11RYzgIc1Eg", "partition_count": 2, "partition": None, "racks": None},
        {"topic": "orders", "topic_id": None, "partition_count": None, "partition": 0, "racks": ["a", "b"]},
    ]


def test_json_lines_count_one_line_for_each_record_and_a_refused_one_is_rejected_with_its_path():
    bad = changed("topics.0.partitions.1.end_offset", -5)

    parsed = document.parse(
        "\n".join([json.dumps(EXAMPLE), "", json.dumps(bad), "{nope", json.dumps(changed("group_id", "other"))]).encode(), "groups.jsonl"
    )

    assert (parsed.line_count, parsed.row_count, parsed.note_count) == (4, 2, 0)
    assert parsed.rejected.select(["source_line", "reason"]).to_pylist() == [
        {"source_line": 3, "reason": "$.topics[0].partitions[1].end_offset: found -5, expected int >= 0"},
        {"source_line": 4, "reason": "not JSON: JSON is malformed: object keys must be strings (byte 1)"},
    ]
    assert parsed.members["source_line"].to_pylist() == [1, 1, 5, 5]


def test_a_broken_document_is_one_rejected_line():
    parsed = document.parse(json.dumps(EXAMPLE, indent=1).encode()[:-3], "payments.json")

    assert (parsed.line_count, parsed.rejected.num_rows, parsed.rejected["source_line"].to_pylist()) == (1, 1, [1])


def test_the_context_fills_what_a_document_leaves_open():
    parsed = document.parse(
        b'{"format": "evenkeel.group/1", "members": [{"member_id": "a", "subscribed": []}]}', "x.json", Context(group_id="g", cluster="c")
    )

    assert parsed.members["group_id"].to_pylist() == ["g", "g"]
    assert parsed.members["cluster"].to_pylist() == ["c", "c"]


def test_a_topic_of_which_only_the_size_is_known_has_no_rows_of_its_partitions():
    parsed = document.parse(b'{"format": "evenkeel.group/1", "topics": [{"name": "t", "partitions": 1000000}]}', "x.json")

    assert parsed.offsets.num_rows == 0
    assert parsed.topics.select(["topic", "partition_count"]).to_pylist() == [{"topic": "t", "partition_count": 1_000_000}]
