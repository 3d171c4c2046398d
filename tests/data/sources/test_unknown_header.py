"""Tables whose header is not fully known."""

from evenkeel.data.sources.detection import first_rows, unknown_header
from evenkeel.data.sources.reading import read
from evenkeel.data.sources.source import NamedColumns

TABLE = b"stream;shard;seen by;position;end\norders;0;a;5;9\norders;1;b;7;8\n"


def test_a_header_with_a_name_that_nobody_knows_is_asked_for():
    layout = unknown_header("x.csv", b"topic,partition,colour\nt,0,red\n")

    assert layout.cells == ("topic", "partition", "colour")
    assert layout.mapping == {"topic": 0, "partition": 1}


def test_a_known_header_a_listing_and_a_picture_are_not_asked_for():
    listing = b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0 1 2 1 a /h a\n"

    assert unknown_header("x.csv", b"topic,partition,lag\nt,0,3\n") is None
    assert unknown_header("x.txt", listing) is None
    assert unknown_header("x.png", b"\x89PNG\r\n\x1a\n") is None


def test_the_first_rows_are_as_wide_as_the_header():
    layout = unknown_header("x.csv", b"topic;colour\nt\nt;red;more\n")

    assert first_rows(b"topic;colour\nt\nt;red;more\n", layout) == [["t", ""], ["t", "red"]]


def test_a_table_is_read_by_the_names_of_its_own_header():
    names = {"topic": "stream", "partition": "shard", "member_id": "seen by", "committed_offset": "position", "end_offset": "end"}
    columns = [NamedColumns(tuple(names.items()), ("stream", "shard", "seen by", "position", "end"))]

    offsets = read([("x.csv", TABLE)], named_columns=columns).offsets

    assert offsets.select(["topic", "partition", "member_id", "committed_offset", "end_offset", "source_line"]).to_pylist() == [
        {"topic": "orders", "partition": 0, "member_id": "a", "committed_offset": 5, "end_offset": 9, "source_line": 2},
        {"topic": "orders", "partition": 1, "member_id": "b", "committed_offset": 7, "end_offset": 8, "source_line": 3},
    ]


def test_a_column_that_the_names_of_its_header_leave_out_is_not_read_as_it_would_be_guessed():
    table = b"topic,partition,lag,owner,backlog\nt,0,1,a,50\n"
    columns = [
        NamedColumns(
            (("topic", "topic"), ("partition", "partition"), ("listed_lag", "backlog")), ("topic", "partition", "lag", "owner", "backlog")
        )
    ]

    assert read([("x.csv", table)], named_columns=columns).offsets.select(["listed_lag", "member_id"]).to_pylist() == [
        {"listed_lag": 50, "member_id": None}
    ]


def test_the_names_of_one_header_are_not_those_of_another():
    columns = [
        NamedColumns((("topic", "topic"), ("partition", "partition"), ("listed_lag", "backlog")), ("topic", "partition", "lag", "backlog"))
    ]

    assert read([("x.csv", b"topic,partition,lag,queue\nt,0,1,50\n")], named_columns=columns).offsets["listed_lag"].to_pylist() == [1]
