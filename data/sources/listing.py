"""Console listings: what Kafka's command line tools print, in any mix and any version."""

from data.sources.console.collected import Collected
from data.sources.console.headers import header_of
from data.sources.console.walk import walk
from data.sources.context import START, Context
from data.sources.parsed import Parsed

NAME = "evenkeel-listing"


def recognises(head: bytes, file: str) -> bool:
    """Tell whether a file that begins with `head` is a listing: it has a header line, or lines of kafka-topics."""
    return any(header_of(line.removesuffix(b"\r")) or line.lstrip().startswith((b"Topic: ", b"Topic:")) for line in head.split(b"\n"))


def parse(data: bytes, file: str, context: Context = START) -> Parsed:
    """Parse a listing, or a piece of one: every line becomes a row, a note, or is rejected with a reason."""
    collected = Collected()
    lines = data.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n") if data else []
    walk(enumerate(lines, context.first_line), header_of(context.header), context.group_id, collected)
    return collected.parsed(file, context)
