from hypothesis import given, settings
from hypothesis import strategies as st

from evenkeel.data.group.tables.parsed import joined
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest.parts import FilePart
from evenkeel.data.sources.console import fast, listing
from evenkeel.data.sources.console.listing import parse, ranges_of
from evenkeel.data.sources.source import START, Context
from tests.data.sources.console.exact_path import same
from tests.generated.listings import texts

HEADER = b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
ROW = b"g t %d 5 7 2 c-1 /10.0.0.1 c\n"
LISTING = (
    b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0 5 7"
    b" 2 c-1 /10.0.0.1 c\ng t 1 5 7 2 c-1 /10.0.0.1 c\n"
)


def _ranges(path, target_bytes, context=START):
    with path.open("rb") as file:
        return ranges_of(file, target_bytes, context)


@settings(max_examples=60, deadline=None)
@given(texts(), st.sampled_from([1, 2, 7, 64, 300, 1 << 20]))
def test_ranges_of_any_size_give_the_tables_and_line_numbers_of_the_whole_file(
    tmp_path_factory, data, size
):
    path = tmp_path_factory.mktemp("ranges") / "listing.txt"
    path.write_bytes(data)

    parts = _ranges(path, size)

    read = [
        FilePart(str(path), place_of(path.parent), path.name, part, listing.NAME, is_whole=False)
        for part in parts
    ]
    assert same(
        joined(piece.parsed(piece.text(piece.read())) for piece in read), parse(data, str(path))
    )
    assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
    assert sum(part.stop - part.start for part in parts) == len(data)


def test_a_range_knows_its_first_line_and_the_header_above_it(tmp_path):
    path = tmp_path / "listing.txt"
    path.write_bytes(LISTING)

    parts = _ranges(path, 100, Context(cluster="eu"))

    assert [
        (part.start, part.stop, part.context.first_line, part.context.header) for part in parts
    ] == [
        (0, 111, 1, b""),
        (
            111,
            139,
            3,
            b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
        ),
    ]
    assert {part.context.cluster for part in parts} == {"eu"}


def test_an_empty_file_has_no_ranges(tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"")

    assert _ranges(tmp_path / "empty.txt", 100) == []


def test_a_line_that_is_longer_than_any_row_is_cut_nowhere_else(tmp_path, monkeypatch):
    for module in (listing, fast):
        monkeypatch.setattr(module, "LONGEST_LINE_BYTES", 100_000)
    monkeypatch.setattr(listing, "_READ_BYTES", 1_000)
    path = tmp_path / "f"
    path.write_bytes(
        HEADER
        + b"x" * 300_000
        + b"\n"
        + b"".join(ROW % number for number in range(50))
        + b"y" * 250_000
    )

    parts = [
        listing.parse(path.read_bytes()[one.start : one.stop], "f", one.context)
        for one in _ranges(path, 600)
    ]

    assert sum(part.line_count for part in parts) == 53
    assert [line for part in parts for line in part.rejected["source_line"].to_pylist()] == [2, 53]
    assert [line for part in parts for line in part.offsets["source_line"].to_pylist()] == list(
        range(3, 53)
    )
