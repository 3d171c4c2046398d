"""Console listings: what Kafka's command line tools print, in any mix and any version."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyarrow as pa

from evenkeel.data.sources.console.exact.printed_rows import PrintedRows
from evenkeel.data.sources.console.exact.walk import layout_above, walk
from evenkeel.data.sources.console.fast import candidates
from evenkeel.data.sources.console.fast.block import blocks
from evenkeel.data.sources.console.headers.header import header_of
from evenkeel.data.sources.console.row_times import with_times
from evenkeel.data.sources.parsing.context import START, Context
from evenkeel.data.tables.parsed import Parsed, joined

NAME = "evenkeel-listing"

_TOPIC = re.compile(rb"\s*Topic: ?\S+\s+(?:TopicId|PartitionCount|Partition):")


def recognises(head: bytes, file: str) -> bool:
    """Tell whether a file that begins with `head` is a listing: it has a header line, or lines of kafka-topics."""
    return any(header_of(line) or _TOPIC.match(line) for line in head.split(b"\n"))


def parse(data: bytes, file: str, context: Context = START) -> Parsed:
    """Parse a listing, or a piece of one: every line becomes a row, a note, or is rejected with a reason. `data` is UTF-8."""
    return joined(_blocks_parsed(data, file, context))


def _blocks_parsed(data: bytes, file: str, context: Context) -> Iterator[Parsed]:
    layout, first_line, times = layout_above(context.header, context.group_id), context.first_line, [(0, context.taken_at)]
    for block in blocks(data):
        taken, tables = candidates.read(block, layout, first_line, file, context)
        collected = PrintedRows()
        others = ((int(at) + first_line, block.line(at)) for at in np.flatnonzero(~taken))
        layout = walk(others, layout, context.group_id, collected)
        times = [times[-1], *collected.times]
        parsed = _with(collected.parsed(file, context), tables)
        yield parsed if times == [(0, context.taken_at)] else with_times(parsed, times)
        first_line += taken.size


def _with(walked: Parsed, tables: list[pa.Table]) -> Parsed:
    """Add the rows of the fast path, in the order of the lines."""
    count = sum(table.num_rows for table in tables)
    offsets = pa.concat_tables([*tables, walked.offsets])
    if sum(table.num_rows > 0 for table in (*tables, walked.offsets)) > 1:
        offsets = offsets.sort_by("source_line")
    return replace(walked, offsets=offsets, row_count=walked.row_count + count, line_count=walked.line_count + count)
