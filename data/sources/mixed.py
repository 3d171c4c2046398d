"""A text with blocks of several kinds, such as a listing and below it an answer in JSON or a table
of another tool: each block is read by its own source.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import pyarrow as pa

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.parsed import HEADER, Parsed, joined
from evenkeel.data.sources import keyed, metrics, printed_table
from evenkeel.data.sources.clean import is_noise
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.keyed_text import start_of, values_in
from evenkeel.data.sources.latest import without_prose
from evenkeel.data.sources.loose_lines import is_of_kcat
from evenkeel.data.sources.printed_header import header_in
from evenkeel.data.sources.source import START, Context, OtherLines, Source

NAME = "evenkeel-mixed"


class Block(NamedTuple):
    """Lines from `start` to before the next block."""

    start: int
    source: Source


def recognises(head: bytes, file: str) -> bool:
    """Return whether a text has blocks of several kinds."""
    text = head.decode("utf-8", "replace")
    is_of_kafka = listing.recognises(head, file)
    if not is_of_kafka and start_of(text) is None and b'="' not in head:
        return False
    blocks = _blocks(text)
    return len(blocks) > 1 or bool(blocks and is_of_kafka and blocks[0].source is printed_table)


def parse(data: bytes, file: str, context: Context = START) -> Parsed:
    """Parse each block by its source: every line becomes a row, a note, or is rejected."""
    return joined(_parsed(data.decode("utf-8", "surrogateescape"), file, context))


def _parsed(text: str, file: str, context: Context) -> Iterator[Parsed]:
    lines = text.removesuffix("\n").split("\n")
    blocks = _blocks(text)
    stops = [block.start for block in blocks[1:]] + [len(lines)]
    for (start, source), stop in zip(blocks, stops, strict=True):
        inside = "\n".join([*lines[start:stop], ""]).encode("utf-8", "surrogateescape")
        here = replace(context, first_line=context.first_line + start)
        try:
            # Below a table may be rows of the next block, which are not its own.
            parsed = without_prose(source.parse(inside, file, here))
            yield _bordered(parsed, file, here.first_line) if start else parsed
        except SnapshotError:
            yield listing.parse(inside, file, here)


def _bordered(parsed: Parsed, file: str, line: int) -> Parsed:
    """Return the tables of a block with a border above it: it may be another reading."""
    other = OtherLines()
    other.note(line, b"", None, HEADER)
    notes = replace(other, note_count=0).parsed(file).notes
    return replace(parsed, notes=pa.concat_tables([parsed.notes, notes]))


def _blocks(text: str) -> list[Block]:
    """Return the blocks, the first one from the first line; none if no line begins one."""
    lines = text.removesuffix("\n").split("\n")
    blocks: list[Block] = []
    stop = 0
    for place, end, source in _data(text, lines):
        if not blocks:
            blocks = [Block(0, source)]
        elif source is not blocks[-1].source:
            start = place
            while start > stop and _leads_to(lines[start - 1]):
                start -= 1
            blocks.append(Block(start, source))
        stop = end
    return blocks


def _leads_to(line: str) -> bool:
    """Return whether a line belongs to the data below it: a command, or a value of its group."""
    return not line.strip() or is_noise(line) or printed_table.is_about_group(line)


_SAYS_COLUMNS = re.compile(r'part|pid|assign|#|lag|topic|="')
"""What every header and every sample of metrics has: most rows are passed over fast."""


def _data(text: str, lines: Sequence[str]) -> Iterator[tuple[int, int, Source]]:
    """Yield where data begins, where what is certainly of it ends, and its source."""
    of_json = dict(_json_values(text))
    # End offsets are for the groups of every table.
    kafka = printed_table if "[" in text and any(map(is_of_kcat, lines)) else listing
    stop = 0
    for place, (line, small) in enumerate(zip(lines, text.lower().split("\n"), strict=False)):
        if place in of_json:
            stop = of_json[place]
            yield place, stop, keyed
        elif place < stop or not _SAYS_COLUMNS.search(small):
            continue
        elif metrics.is_labelled(line):
            yield place, place + 1, metrics
        elif listing.recognises(line.encode("utf-8", "replace"), ""):
            yield place, place + 1, kafka
        elif header_in(line, 0) is not None:
            yield place, place + 1, printed_table


def _json_values(text: str) -> Iterator[tuple[int, int]]:
    """Yield the first line of each value about partitions, and the line after its last one."""
    if start_of(text) is None:
        return
    lines = text.split("\n")
    # A value that breaks is no block.
    with suppress(SnapshotError):
        for value in values_in(text, "", 0):
            stop = value.line + value.line_count
            if keyed.is_about_partitions("\n".join(lines[value.line : stop])):
                yield value.line, stop
