import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources import documents
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.detection import (
    as_utf8,
    first_rows,
    is_plain,
    source_for,
    unknown_header,
)
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.separated import text_table
from evenkeel.data.sources.source import Context, NamedColumns

LISTING = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0 1 5"
    " 4 m /h c\n"
)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        (LISTING, listing),
        ("\n\n" + LISTING, listing),
        ("Topic: orders\tPartitionCount: 12\tReplicationFactor: 1\tConfigs: \n", listing),
        ("GROUP, TOPIC, PARTITION, CURRENT OFFSET, LOG END OFFSET, LAG, OWNER\n", listing),
        ('{"format": "evenkeel.group/1"}', documents),
        ('\n  {\n"format": "evenkeel.group/1"}', documents),
        ('[{"format": "evenkeel.group/1"}]', documents),
        ("{broken\n" + LISTING, listing),
        ("{broken\nlines\n", documents),
        (
            "GROUP,TOPIC,PARTITION,CURRENT-OFFSET,LOG-END-OFFSET,LAG,CONSUMER-ID,HOST,CLIENT-ID\ng,t,0,1,5,4,m,/h,c\n",
            text_table,
        ),
        (
            "GROUP,TOPIC,PARTITION,CURRENT OFFSET,LOG END OFFSET,LAG,OWNER\r\ng,t,0,1,5,4,m\r\n",
            text_table,
        ),
        ("topic,partition,lag\nt,0,5\n", text_table),
        ("Topic;Partition;Consumer lag\r\nt;0;5\r\n", text_table),
        ("topic\tpartition\tlag\nt\t0\t5\n", text_table),
        ("sep=;\ntopic;partition\n", text_table),
        ("name,number\nt,0\n", text_table),
        ("[2026-11-20 08:00:00,123] WARN something\nnothing\n", listing),
        ("random words\n", listing),
    ],
)
def test_a_file_is_known_by_its_content(text, source):
    assert source_for("file.txt", text.encode()) is source


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_says_how_to_read(encoding):
    data = LISTING.encode(encoding)

    assert source_for("x.txt", data) is listing
    assert as_utf8("x.txt", data) == LISTING.encode()
    assert not is_plain(data)


def test_big_endian_utf_16_is_read():
    assert as_utf8("x.txt", b"\xfe\xff" + LISTING.encode("utf-16-be")) == LISTING.encode()


def test_a_head_that_ends_in_the_middle_of_a_character_is_still_known():
    assert source_for("x.txt", LISTING.encode("utf-16")[:301]) is listing


REFUSED = {
    "an empty file": (b"", "orders.txt: empty file, expected a listing"),
    "PNG": (b"\x89PNG\r\n\x1a\n", "orders.txt: a PNG picture, expected a listing"),
    "PDF": (b"%PDF-1.7", "orders.txt: a PDF document"),
    "zip": (
        b"PK\x03\x04abc",
        "orders.txt: a zip archive or an Office document, .* unpack it first",
    ),
    "gzip": (b"\x1f\x8b\x08", "orders.txt: gzip data, .* unpack it first"),
    "Parquet": (b"PAR1abc", "orders.txt: a Parquet file, .* write it as CSV"),
    "UTF-16 that does not say so": (
        LISTING.encode("utf-16-le"),
        "orders.txt: looks like UTF-16 without a byte order mark, .* save it as UTF-8",
    ),
    "UTF-16 that is cut": (
        LISTING.encode("utf-16")[:-1],
        "orders.txt: UTF-16 text that ends or breaks at byte",
    ),
}


@pytest.mark.parametrize(("data", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_text_is_refused_with_what_to_do(data, message):
    with pytest.raises(SnapshotError, match=message) as error:
        as_utf8("orders.txt", data)

    assert "\n" not in str(error.value)


TABLE = b"stream;shard;seen by;position;end\norders;0;a;5;9\norders;1;b;7;8\n"


def test_a_header_with_a_name_that_nobody_knows_is_asked_for():
    layout = unknown_header("x.csv", b"topic,partition,colour\nt,0,red\n")

    assert layout.cells == ("topic", "partition", "colour")
    assert layout.mapping == {"topic": 0, "partition": 1}


def test_a_known_header_a_listing_and_a_picture_are_not_asked_for():
    listing = (
        b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0"
        b" 1 2 1 a /h a\n"
    )

    assert unknown_header("x.csv", b"topic,partition,lag\nt,0,3\n") is None
    assert unknown_header("x.txt", listing) is None
    assert unknown_header("x.png", b"\x89PNG\r\n\x1a\n") is None


def test_the_first_rows_are_as_wide_as_the_header():
    layout = unknown_header("x.csv", b"topic;colour\nt\nt;red;more\n")

    assert first_rows(b"topic;colour\nt\nt;red;more\n", layout) == [["t", ""], ["t", "red"]]


def test_a_table_is_read_by_the_names_of_its_own_header():
    names = {
        "topic": "stream",
        "partition": "shard",
        "member_id": "seen by",
        "committed_offset": "position",
        "end_offset": "end",
    }
    columns = [
        NamedColumns(tuple(names.items()), ("stream", "shard", "seen by", "position", "end"))
    ]

    offsets = read([("x.csv", TABLE)], Context(named_columns=columns)).offsets

    assert offsets.select(
        ["topic", "partition", "member_id", "committed_offset", "end_offset", "source_line"]
    ).to_pylist() == [
        {
            "topic": "orders",
            "partition": 0,
            "member_id": "a",
            "committed_offset": 5,
            "end_offset": 9,
            "source_line": 2,
        },
        {
            "topic": "orders",
            "partition": 1,
            "member_id": "b",
            "committed_offset": 7,
            "end_offset": 8,
            "source_line": 3,
        },
    ]


def test_a_column_that_the_names_of_its_header_leave_out_is_not_read_as_it_would_be_guessed():
    table = b"topic,partition,lag,owner,backlog\nt,0,1,a,50\n"
    columns = [
        NamedColumns(
            (("topic", "topic"), ("partition", "partition"), ("listed_lag", "backlog")),
            ("topic", "partition", "lag", "owner", "backlog"),
        )
    ]

    assert read([("x.csv", table)], Context(named_columns=columns)).offsets.select(
        ["listed_lag", "member_id"]
    ).to_pylist() == [{"listed_lag": 50, "member_id": None}]


def test_the_names_of_one_header_are_not_those_of_another():
    columns = [
        NamedColumns(
            (("topic", "topic"), ("partition", "partition"), ("listed_lag", "backlog")),
            ("topic", "partition", "lag", "backlog"),
        )
    ]

    assert read(
        [("x.csv", b"topic,partition,lag,queue\nt,0,1,50\n")], Context(named_columns=columns)
    ).offsets["listed_lag"].to_pylist() == [1]
