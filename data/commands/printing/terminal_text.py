"""Text on its way to a terminal."""

import re
from typing import Any

import msgspec

# JSON leaves these as they are: DEL and C1 controls, marks of direction, line and paragraph separators.
_MOVES_THE_CURSOR = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return one line in which nothing moves the cursor: names of groups and topics come from files."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape", "backslashreplace").decode() for sign in text)


def json_line(value: Any) -> str:
    """Return a value as one line of JSON in which nothing moves the cursor either."""
    text = msgspec.json.encode(value).decode()
    is_plain = text.isascii() and "\x7f" not in text
    return (text if is_plain else _MOVES_THE_CURSOR.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)) + "\n"
