import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import group_keys, observed_from_tables
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.source import Context
from tests.data.group.columns.observed import owned

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
UNNAMED = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"


def text(*lines: str) -> bytes:
    return "\n".join(lines).encode() + b"\n"


def group_of(parsed, group_id="g"):
    return observed_from_tables(parsed.offsets, parsed.members, parsed.topics, group_id)


def test_listings_of_one_instant_become_one_group():
    parsed = read(
        [
            (
                "offsets.txt",
                text(
                    HEADER, "g orders 0 5 9 4 a-1 /10.0.0.1 a", "g orders 1 5 5 0 b-1 /10.0.0.2 b"
                ),
            ),
            (
                "members.txt",
                text(
                    "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS",
                    "g c-1 /10.0.0.3 c 0",
                    "g b-1 /10.0.0.2 b 1",
                    "g a-1 /10.0.0.1 a 1",
                ),
            ),
            (
                "topics.txt",
                text("Topic: orders\tPartitionCount: 3\tReplicationFactor: 1\tConfigs: "),
            ),
        ]
    )

    group = group_of(parsed)

    assert group.snapshot.member_id == ("c-1", "b-1", "a-1")
    assert owned(group) == {"c-1": [], "b-1": [("orders", 1)], "a-1": [("orders", 0)]}
    assert group.snapshot.partition_count.tolist() == [3]
    assert (group.assumed, group.level) == (("members[*].subscribed",), 3)
    assert parsed.line_count == parsed.row_count + parsed.note_count + parsed.rejected.num_rows == 8


def test_a_table_and_a_listing_complete_each_other():
    parsed = read(
        [
            ("a.txt", text(HEADER, "g t 0 5 9 4 - - -")),
            ("b.csv", text("group,topic,partition,log_start", "g,t,0,3", "g,t,1,4")),
        ]
    )

    group = group_of(parsed)

    assert group.snapshot.begin_offset.tolist() == [3, 4]
    assert group.snapshot.end_offset.tolist() == [9, -1]


def test_a_repeat_with_other_numbers_keeps_its_text_and_names_the_first_line():
    parsed = read(
        [
            ("a.txt", text(HEADER, "g t 0 5 9 4 m /h c")),
            ("b.txt", text("", HEADER, "g t 0 5 10 5 m /h c")),
        ]
    )

    assert parsed.rejected.select(["source_file", "source_line", "text", "reason"]).to_pylist() == [
        {
            "source_file": "b.txt",
            "source_line": 3,
            "text": "g t 0 5 10 5 m /h c",
            "reason": "end_offset is 10, expected 9 as in line 2 of a.txt",
        }
    ]


def test_two_files_of_one_name_are_both_read():
    parsed = read(
        [
            ("x.txt", text(HEADER, "g t 0 5 9 4 m /h c")),
            ("x.txt", text(HEADER, "g t 1 5 9 4 m /h c")),
        ]
    )

    assert parsed.offsets["source_file"].to_pylist() == ["x.txt", "x.txt (2)"]


def test_listings_that_name_no_group_are_one_group_each_unless_the_caller_names_it():
    files = [
        ("a.txt", text(UNNAMED, "t 0 5 9 4 m /h c")),
        ("b.txt", text(UNNAMED, "t 0 5 7 2 m /h c")),
    ]

    unnamed, named = read(files), read(files, Context(group_id="g"))

    assert group_keys(unnamed.offsets, unnamed.members, unnamed.topics) == [
        (None, "a.txt"),
        (None, "b.txt"),
    ]
    assert group_keys(named.offsets, named.members, named.topics) == [("g", None)]
    assert named.rejected["reason"].to_pylist() == [
        "end_offset is 7, expected 9 as in line 2 of a.txt"
    ]


def test_powershells_utf_16_and_a_byte_order_mark_are_read(tmp_path):
    path = tmp_path / "listing.txt"
    path.write_bytes(
        text(HEADER, "g t 0 5 9 4 m /h c").decode().replace("\n", "\r\n").encode("utf-16")
    )

    assert read([path]).row_count == 1
    assert read([("x.csv", b"\xef\xbb\xbf" + text("topic,partition", "t,0"))]).row_count == 1


def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path):
    with pytest.raises(
        SnapshotError, match="nothing.txt: No such file or directory, expected a readable file"
    ):
        read([tmp_path / "nothing.txt"])


def test_an_empty_file_is_refused_by_name():
    with pytest.raises(SnapshotError, match="orders.txt: empty file, expected"):
        read([("orders.txt", b"")])


def test_text_that_nobody_knows_is_rejected_line_by_line():
    parsed = read([("noise.txt", b"some words\n\nmore\x00 words\n\xff\xfe\xfd")])

    assert (parsed.line_count, parsed.row_count, parsed.note_count, parsed.rejected.num_rows) == (
        4,
        0,
        1,
        3,
    )
