"""Reads texts with blocks of several kinds, such as a listing followed by JSON or another tool's
table. Each block is read by its own source.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import pyarrow as pa

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import FORMAT as GROUP_FORMAT
from evenkeel.data.group.document import STREAMS_FORMAT
from evenkeel.data.group.tables.parsed import HEADER, MESSAGES, ParsedTables, joined, kind_of
from evenkeel.data.sources import documents, keyed, metrics, printed_table
from evenkeel.data.sources.clean import is_noise
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.console.times import PrintedTime, time_of
from evenkeel.data.sources.keyed_text import start_of, values_in
from evenkeel.data.sources.keys_above import is_about_group
from evenkeel.data.sources.latest import without_prose
from evenkeel.data.sources.loose_lines import is_of_kcat
from evenkeel.data.sources.printed_header import header_in
from evenkeel.data.sources.source import START, Context, OtherLines, Source

NAME = "evenkeel-mixed"


class Block(NamedTuple):
    """The lines from `start` to the next block. `time`: line index and value of the last time
    above the block's data.
    """

    start: int
    source: Source
    time: tuple[int, PrintedTime] | None


def recognises(head: bytes, file: str) -> bool:
    """Return whether a text has blocks of several kinds."""
    text = head.decode("utf-8", "replace")
    is_of_kafka = listing.recognises(head, file)
    if not is_of_kafka and start_of(text) is None and b'="' not in head:
        return False
    blocks = _blocks(text)
    sources = {block.source for block in blocks}
    if documents in sources and not is_of_kafka and not sources & {metrics, printed_table}:
        # The text is only JSON, with prose between values.
        return False
    return len(blocks) > 1 or bool(blocks and is_of_kafka and blocks[0].source is printed_table)


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Parse each block with its source. Each line becomes a row, a note, or a rejected line."""
    return joined(_parsed(data.decode("utf-8", "surrogateescape"), file, context))


def _parsed(text: str, file: str, context: Context) -> Iterator[ParsedTables]:
    lines = text.removesuffix("\n").split("\n")
    blocks = _blocks(text)
    stops = [block.start for block in blocks[1:]] + [len(lines)]
    for block, stop in zip(blocks, stops, strict=True):
        if block.start == stop:
            continue
        inside = "\n".join([*lines[block.start : stop], ""]).encode("utf-8", "surrogateescape")
        time = block.time[1].within(context.zone).time if block.time else context.taken_at
        here = replace(context, first_line=context.first_line + block.start, taken_at=time)
        try:
            # The first lines of the next block may be below a table; they are not rows of the
            # table.
            parsed = without_prose(block.source.parse(inside, file, here))
            yield _noted(parsed, file, context, block)
        except SnapshotError:
            yield listing.parse(inside, file, here)


def _noted(parsed: ParsedTables, file: str, context: Context, block: Block) -> ParsedTables:
    """Return a block's tables with up to two more notes: a header note if the block may be a new
    reading, and a note about the block's time if its source reads no times.
    """
    other = OtherLines()
    if block.start:
        other.note(context.first_line + block.start, b"", None, HEADER)
    if block.time and block.time[0] >= block.start and block.source in _WITHOUT_TIMES:
        place, time = block.time
        other.note(context.first_line + place, b"", None, time.within(context.zone).note)
    notes = replace(other, note_count=0).parsed(file).notes
    return replace(parsed, notes=pa.concat_tables([parsed.notes, notes]))


_WITHOUT_TIMES: tuple[Source, ...] = (keyed, metrics, documents)
"""Sources that do not read a time on a line above their data."""


def _blocks(text: str) -> list[Block]:
    """Return the blocks of a text. The first starts at the first line. If the text has no data,
    there are no blocks.
    """
    lines = text.removesuffix("\n").split("\n")
    blocks: list[Block] = []
    stop = 0
    time = None
    for place, end, source in _data(text, lines):
        times = ((at, time_of(lines[at].encode())) for at in reversed(range(stop, place)))
        above = next(((at, printed) for at, printed in times if printed is not None), None)
        time = above or time
        if not blocks:
            blocks = [Block(0, listing if source is documents else source, time)]
        elif source is not blocks[-1].source or above and source in _WITHOUT_TIMES:
            start = place
            while start > stop and _leads_to(lines[start - 1], source):
                start -= 1
            blocks.append(Block(start, source, time))
        if source is documents:
            # A document is one value, so its block has only the lines of the value.
            blocks += [Block(place, source, time), Block(end, listing, time)]
        stop = end
    return blocks


def _leads_to(line: str, source: Source) -> bool:
    """Return whether a line belongs to the data below it: a command, a time, or a key and value of
    a group. Kafka's messages about a group belong only to a listing.
    """
    if kind_of(line.strip()) in MESSAGES:
        return source is listing
    is_command = not line.strip() or is_noise(line) or time_of(line.encode()) is not None
    return is_command or is_about_group(line)


_SAYS_COLUMNS = ("part", "pid", "assign", "#", "lag", "topic", '="')
"""Every header and every metrics sample contains one of these texts, so most rows are skipped
fast.
"""

_ROW = re.compile(r"(?!\s*topic:).*[\s|,;]\d+(?:[\s|,;]|$)")
"""A line with a number as a cell; headers have no such cell."""


def _data(text: str, lines: Sequence[str]) -> Iterator[tuple[int, int, Source]]:
    """Yield (start, end, source) for each part of the text that certainly belongs to a source."""
    of_json = {place: (stop, source) for place, stop, source in _json_values(text, lines)}
    # End offsets of kcat belong to the groups of all tables, so listings are read as printed
    # tables.
    kafka = printed_table if "[" in text and any(map(is_of_kcat, lines)) else listing
    stop = 0
    for place, (line, small) in enumerate(zip(lines, text.lower().split("\n"), strict=False)):
        if place in of_json:
            stop, source = of_json[place]
            yield place, stop, source
        elif place < stop or not any(mark in small for mark in _SAYS_COLUMNS):
            continue
        elif metrics.is_labelled(line):
            yield place, place + 1, metrics
        elif _ROW.match(small):
            continue
        elif listing.recognises(line.encode("utf-8", "replace"), ""):
            yield place, place + 1, kafka
        elif header_in(line, 0) is not None:
            yield place, place + 1, printed_table


def _json_values(text: str, lines: Sequence[str]) -> Iterator[tuple[int, int, Source]]:
    """Yield (first line, line after the last line, source) of each value about partitions."""
    if "{" not in text and "[" not in text or start_of(text) is None:
        return
    # An invalid value is not a block.
    with suppress(SnapshotError):
        for value in values_in(text, "", 0):
            stop = value.line + value.line_count
            inside = "\n".join(lines[value.line : stop])
            if GROUP_FORMAT in inside or STREAMS_FORMAT in inside:
                yield value.line, stop, documents
            elif keyed.is_about_partitions(inside):
                yield value.line, stop, keyed
