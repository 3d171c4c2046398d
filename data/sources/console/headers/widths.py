"""Widths as Java counts them; that of LAG is all that tells apart the versions that print the same columns without GROUP."""

import re

WIDE = re.compile("[\U00010000-\U0010ffff]")
"""Characters that Java counts twice."""

OLD_LAG_WIDTH = 11
"""0.10.2 to 1.0, with the blank behind it; later ones are wider, and a smaller one means that blanks were lost on the way."""


def utf16_width(text: str) -> int:
    """Count characters as Java does."""
    return len(text) if text.isascii() else len(text) + len(WIDE.findall(text))


def lag_width(words: tuple[str, ...], starts: tuple[int, ...]) -> int:
    """Return the width in a header of 0.10.2 to 2.2, 0 in others."""
    shared = words[0] == "TOPIC" and words[-1] == "CLIENT-ID"
    return starts[words.index("CONSUMER-ID")] - starts[words.index("LAG")] if shared else 0


def format_of_width(name: str, width: int) -> str:
    """Return the format's name with the versions that print this width."""
    if width < OLD_LAG_WIDTH:
        return name
    return name.replace("2.2", "1.0") if width == OLD_LAG_WIDTH else name.replace("0.10.2", "1.1")
