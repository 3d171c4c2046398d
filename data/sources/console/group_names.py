"""Reads a list of group names, one name on each line, as printed by `kafka-consumer-groups.sh
--list`.
"""

import re

from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.sources.console.exact.lines import is_note
from evenkeel.data.sources.console.listing import PrintedRows
from evenkeel.data.sources.source import START, Context, OtherLines

NAME = "evenkeel-group-names"

_FORMAT = "names only, read as output of kafka-consumer-groups --list"
_MOST_BYTES = 1_000
# At least one letter, because lines of digits are offsets.
_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9._-]{1,255}")


def recognises(head: bytes, file: str) -> bool:
    """Return whether the start of a file has at least two names and no other text. One name is not
    enough, because it could be any word.
    """
    lines = [line for line in map(_text, head.split(b"\n")) if not is_note(line)]
    return len(lines) > 1 and all(map(_NAME.fullmatch, lines))


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Read each name as a group without further facts. Lines with other words are rejected."""
    rows = PrintedRows(other=OtherLines(formats={_FORMAT: None}))
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), context.first_line):
        text = _text(line)
        if is_note(text):
            rows.add(number, None, _FORMAT)
        elif _NAME.fullmatch(text):
            rows.add(number, {"group_id": text}, _FORMAT)
        else:
            rows.other.reject(
                number,
                line,
                _FORMAT,
                f"{text[:80]!r}, expected only a group id, as in the lines above",
            )
    return rows.parsed(file, context)


def _text(line: bytes) -> str:
    return line[:_MOST_BYTES].decode("utf-8", "replace").strip(" \r")
