from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.separated import text_table
from evenkeel.data.sources.source import Context

KAFKA_UI = "Topic,Partition,Consumer ID,Host,Consumer lag,Current offset,End offset"


def parsed(*lines: str, context: Context = Context(), end: str = "\n"):
    return text_table.parse(end.join(lines).encode("utf-8", "surrogateescape"), "x.csv", context)


def reasons(found) -> dict[int, str]:
    return dict(
        zip(
            found.rejected["source_line"].to_pylist(),
            found.rejected["reason"].to_pylist(),
            strict=True,
        )
    )


def rows(found, *columns: str) -> list[tuple]:
    return [tuple(row.values()) for row in found.offsets.select(columns).to_pylist()]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_every_line_is_a_row_a_note_or_rejected_with_its_reason(end):
    lines = [
        KAFKA_UI,
        "orders,0,pay-a-0f3c,/10.4.1.17,548,120455,121003",
        "orders,1,pay-a-0f3c,/10.4.1.17,N/A,,88120",
        "",
        'orders,2,"pay ""b"", blue",/10.4.1.18,-3,5,2',
        "-,-,idle,/10.4.1.19,-,-,-",
        "orders,x,a,b,1,2,3",
        "orders,-1,a,b,1,2,3",
        "orders,1000001,a,b,1,2,3",
        'orders,3,"a,b,1,2,3',
        "orders,4,a,b",
        ",5,a,b,1,2,3",
        "orders,,a,b,1,2,3",
        "orders,6.0,a,b,1.0,-1,3",
        "orders,7,caf\udce9,b,1,2,3",
        "orders,8,a,b,1,2,9223372036854775808",
        ",,,,,,",
    ]

    found = parsed(*lines, end=end)

    assert (found.line_count, found.row_count, found.note_count, found.rejected.num_rows) == (
        17,
        5,
        3,
        9,
    )
    assert reasons(found) == {
        7: "Partition is 'x', expected a whole number from 0 to 1,000,000",
        8: "Partition is '-1', expected a whole number from 0 to 1,000,000",
        9: "Partition is '1000001', expected a whole number from 0 to 1,000,000",
        10: "unbalanced quotes (unexpected end of data), expected every cell to end in its line",
        11: "4 cells, expected 7 as in the header of line 1",
        12: "Topic is '', expected a topic",
        13: "Partition is '', expected a partition",
        15: "byte 0xe9 at position 13, expected UTF-8",
        16: (
            "End offset is '9223372036854775808', expected a whole number from -1 to"
            " 9,223,372,036,854,775,807"
        ),
    }
    assert rows(
        found,
        "topic",
        "partition",
        "member_id",
        "listed_lag",
        "committed_offset",
        "end_offset",
        "source_line",
    ) == [
        ("orders", 0, "pay-a-0f3c", 548, 120455, 121003, 2),
        ("orders", 1, "pay-a-0f3c", None, None, 88120, 3),
        ("orders", 2, 'pay "b", blue', -3, 5, 2, 5),
        ("orders", 6, "a", 1, None, 3, 14),
    ]
    assert found.members.select(
        ["member_id", "host", "owned", "partition_count", "source_line"]
    ).to_pylist() == [
        {
            "member_id": "idle",
            "host": "/10.4.1.19",
            "owned": [],
            "partition_count": 0,
            "source_line": 6,
        }
    ]


def test_kafkas_own_header_between_commas_is_that_of_a_table():
    found = read(
        [
            (
                "x.csv",
                (
                    b"GROUP,TOPIC,PARTITION,CURRENT-OFFSET,LOG-END-OFFSET,LAG,CONSUMER-ID,HOST,CLIENT-ID\n"
                    b"payments,orders,0,120455,121003,548,pay-a-0f3c,/10.4.1.17,pay-a\npayments,orders,1,-,88120,-,-,-,-\n"
                ),
            )
        ]
    )

    assert rows(
        found,
        "group_id",
        "topic",
        "partition",
        "committed_offset",
        "end_offset",
        "listed_lag",
        "member_id",
        "host",
        "client_id",
    ) == [
        ("payments", "orders", 0, 120455, 121003, 548, "pay-a-0f3c", "/10.4.1.17", "pay-a"),
        ("payments", "orders", 1, None, 88120, None, None, None, None),
    ]
    assert found.rejected.num_rows == 0


def test_a_header_without_topic_or_partition_is_refused_with_what_was_found_and_what_is_needed():
    with pytest.raises(
        SnapshotError,
        match=(
            "x.csv: header 'topic' 'lag' has no column for partition, expected for partition one of"
            " partition, partitionid, pid, #"
        ),
    ):
        parsed("topic,lag", "t,5")


def test_excels_line_about_the_separator_is_a_note():
    found = parsed("sep=;", "topic;partition;lag", "a,b;0;5")

    assert (found.line_count, found.row_count, found.note_count) == (3, 1, 2)
    assert rows(found, "topic", "partition", "listed_lag") == [("a,b", 0, 5)]


def test_a_column_of_times_says_when():
    found = parsed("ts,topic,partition", "2026-11-20T08:00:00Z,t,0", "soon,t,1")

    assert rows(found, "taken_at") == [(datetime(2026, 11, 20, 8, tzinfo=UTC),)]
    assert reasons(found) == {
        3: "ts is 'soon', expected a time such as 2026-11-20T08:00:00Z or seconds since 1970"
    }


def test_the_context_fills_group_and_time_that_a_row_leaves_open():
    context = Context(group_id="mine", taken_at=datetime(2026, 11, 20, tzinfo=UTC), cluster="c")

    found = parsed("group,topic,partition", "theirs,t,0", "-,t,1", '"",t,2', context=context)

    assert rows(found, "group_id", "cluster") == [("theirs", "c"), ("mine", "c"), ("mine", "c")]
    assert set(found.offsets["taken_at"].to_pylist()) == {context.taken_at}


def test_a_piece_of_a_table_takes_its_header_from_the_context():
    found = parsed("t,0", "t,x", context=Context(first_line=100, header=b"topic,partition"))

    assert (found.line_count, found.note_count, found.offsets["source_line"].to_pylist()) == (
        2,
        0,
        [100],
    )
    assert list(reasons(found)) == [101]


@given(st.lists(st.text(alphabet='tp,;"\t\r\x00é \udcff0-', max_size=12), max_size=12))
def test_every_line_of_garbage_counts(lines):
    found = parsed("topic,partition", *lines, end="\n")

    assert found.line_count == found.row_count + found.note_count + found.rejected.num_rows
    assert found.line_count == len(
        "\n".join(["topic,partition", *lines]).removesuffix("\n").split("\n")
    )
