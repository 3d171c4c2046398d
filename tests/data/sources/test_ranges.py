from hypothesis import given, settings
from hypothesis import strategies as st

from data.piece import Piece
from data.sources import listing
from data.sources.context import Context
from data.sources.listing import parse
from data.sources.parsed import joined
from data.sources.ranges import ranges_of
from tests.data.sources.exact import same
from tests.data.sources.listings import texts

LISTING = b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0 5 7 2 c-1 /10.0.0.1 c\ng t 1 5 7 2 c-1 /10.0.0.1 c\n"


@settings(max_examples=60, deadline=None)
@given(texts(), st.sampled_from([1, 2, 7, 64, 300, 1 << 20]))
def test_ranges_of_any_size_give_the_tables_and_line_numbers_of_the_whole_file(tmp_path_factory, data, size):
    path = tmp_path_factory.mktemp("ranges") / "listing.txt"
    path.write_bytes(data)

    ranges = ranges_of(path, size)

    pieces = [Piece(str(path), part, listing.NAME, is_whole=False) for part in ranges]
    assert same(joined(piece.parsed(piece.text()) for piece in pieces), parse(data, str(path)))
    assert [part.start for part in ranges[1:]] == [part.stop for part in ranges[:-1]]
    assert sum(part.stop - part.start for part in ranges) == len(data)


def test_a_range_knows_its_first_line_and_the_header_above_it(tmp_path):
    path = tmp_path / "listing.txt"
    path.write_bytes(LISTING)

    ranges = ranges_of(path, 100, Context(cluster="eu"))

    assert [(part.start, part.stop, part.context.first_line, part.context.header) for part in ranges] == [
        (0, 111, 1, b""),
        (111, 139, 3, b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"),
    ]
    assert {part.context.cluster for part in ranges} == {"eu"}


def test_an_empty_file_has_no_ranges(tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"")

    assert ranges_of(tmp_path / "empty.txt", 100) == []
