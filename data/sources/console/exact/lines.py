"""What one line is: a row, a note, or rejected with a reason. The exact path; `fast` is the other one."""

from collections.abc import Callable

from evenkeel.data.sources.console.exact import missing_header, state_line, topic_line
from evenkeel.data.sources.console.exact.members import member_line
from evenkeel.data.sources.console.exact.messages import is_note
from evenkeel.data.sources.console.exact.offsets import offset_line
from evenkeel.data.sources.console.exact.streams import consumer_line, partition_line
from evenkeel.data.sources.console.headers.header import Layout
from evenkeel.data.sources.parsing.numbers import Unreadable

MAX_LINE_BYTES = 1 << 16
"""Longer lines are rejected unread, except those of a members listing, whose assignments may be long."""

LONGEST_LINE_BYTES = 1 << 24
"""That of a members listing. Longer lines are cut here before anything looks at them."""

_READ: dict[str, Callable] = {
    "offsets": offset_line.read,
    "members": member_line.read,
    "state": state_line.read,
    "streams-offsets": partition_line.read,
    "streams-members": consumer_line.read,
}
_LONG = ("members", "streams-members")


def row_or_note(line: bytes, layout: Layout | None, group_id: str | None):
    """Return the row of a line that is no header: an OffsetRow, a TopicRow, a ConsumerRow, a dict of columns of MEMBERS; None for a note.

    Raises
    ------
    Unreadable
        When it is neither.
    """
    if not line.strip(b" "):
        return None
    limit = LONGEST_LINE_BYTES if layout and layout.kind in _LONG else MAX_LINE_BYTES
    if len(line) > limit:
        size = f"more than {LONGEST_LINE_BYTES:,}" if len(line) > LONGEST_LINE_BYTES else f"{len(line):,}"
        raise Unreadable(f"line of {size} bytes, expected at most {limit:,}")
    text = _decoded(line)
    try:
        return _row(text.replace("\u00a0", " ") if layout and layout.hard_blanks else text, layout, group_id)
    except Unreadable:
        if is_note(text):
            return None
        row = topic_line.read(text)
        if row is None and layout is None:
            raise Unreadable(missing_header.reason(text)) from None
        if row is None:
            raise
        return row


def _row(text: str, layout: Layout | None, group_id: str | None):
    if layout is None:
        raise Unreadable("no header line above it")
    if layout.kind == "unread":
        raise Unreadable(f"under the header of {layout.format}, expected that of a consumer group: {missing_header.LIKELIEST}")
    return _READ[layout.kind](text, layout, group_id)


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte 0x{line[error.start]:02x} at position {error.start + 1}, expected UTF-8") from error
