"""Rows of a listing without a header: which header would read them."""

from collections.abc import Iterable

from evenkeel.data.sources.console.exact.members import member_line
from evenkeel.data.sources.console.exact.offsets import offset_line
from evenkeel.data.sources.console.headers.header import header_of
from evenkeel.data.sources.parsing.numbers import Unreadable

_OFFSETS = "PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG"
_CONSUMER = "CONSUMER-ID HOST CLIENT-ID"
LIKELIEST = f"GROUP TOPIC {_OFFSETS} {_CONSUMER}"
"""What today's tools print above offsets."""

# The one with most numbers first: without its header a group id of two words would take the topic's place.
_HEADERS = (
    f"GROUP TOPIC {_OFFSETS.replace('PARTITION', 'PARTITION LEADER-EPOCH')} {_CONSUMER}",
    LIKELIEST,
    f"TOPIC {_OFFSETS} {_CONSUMER}",
    f"GROUP TOPIC {_OFFSETS} OWNER",
    f"GROUP {_CONSUMER} #PARTITIONS",
    f"{_CONSUMER} #PARTITIONS",
)
_READ = {"offsets": offset_line.read, "members": member_line.read}
_EXPECTED = "no header line above it, expected "


def reason(text: str) -> str:
    """Return why a line without a header is rejected, with the header that it needs if it is a row."""
    return _EXPECTED + next((header for header in _HEADERS if _reads(header, text)), f"one such as {LIKELIEST}")


def needed(reasons: Iterable[str]) -> str | None:
    """Return the header that the first of the rejected rows needs, None where no line is such a row."""
    headers = (one.removeprefix(_EXPECTED) for one in reasons if one.startswith(_EXPECTED))
    return next((header for header in headers if header in _HEADERS), None)


def _reads(header: str, text: str) -> bool:
    layout = header_of(header.encode())
    try:
        row = _READ[layout.kind](text, layout, None)
    except Unreadable:
        return False
    # Any words before a number could be a member's; its host begins with a slash.
    return layout.kind == "offsets" or (row["host"] or "").startswith("/")
