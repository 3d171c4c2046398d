"""Tables whose header is not fully known."""

from data.sources.reading import read
from data.sources.separated.unknown_header import first_rows, unknown_header, with_header

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


def test_the_text_with_the_chosen_names_reads_like_a_table_with_known_ones():
    layout = unknown_header("x.csv", TABLE)

    named = with_header("x.csv", TABLE, layout, {"topic": 0, "partition": 1, "member_id": 2, "committed_offset": 3, "end_offset": 4})
    offsets = read([("x.csv", named)]).offsets

    assert offsets.select(["topic", "partition", "member_id", "committed_offset", "end_offset", "source_line"]).to_pylist() == [
        {"topic": "orders", "partition": 0, "member_id": "a", "committed_offset": 5, "end_offset": 9, "source_line": 2},
        {"topic": "orders", "partition": 1, "member_id": "b", "committed_offset": 7, "end_offset": 8, "source_line": 3},
    ]


def test_a_column_that_was_mapped_away_is_not_read_by_its_old_name():
    table = b"topic,partition,lag,backlog\nt,0,1,50\n"
    layout = unknown_header("x.csv", table)

    named = with_header("x.csv", table, layout, {"topic": 0, "partition": 1, "listed_lag": 3})

    assert read([("x.csv", named)]).offsets["listed_lag"].to_pylist() == [50]
