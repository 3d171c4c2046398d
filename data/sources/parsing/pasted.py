"""Cells as people paste them: a word processor's dashes and quotes, and what tools print for a value that is not there."""

import re

MISSING = frozenset({"-", "\u2013", "\u2014", "\u2212", "unknown", "none"})
"""What tools print for a value that is not there; a word processor makes other dashes of `-`."""

_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-------")
_QUOTED = re.compile("[\u201c\u201e](.*)[\u201d\u201c]|[\u2018\u201a](.*)[\u2019\u2018]", re.DOTALL)


def plain_dashes(text: str) -> str:
    """Return the text with `-` for every dash that a word processor may have made of it."""
    return text if text.isascii() else text.translate(_DASHES)


def unquoted(cell: str) -> str:
    """Return a cell without a word processor's quotes around it."""
    quoted = None if cell.isascii() else _QUOTED.fullmatch(cell)
    return quoted[1] or quoted[2] or "" if quoted else cell


def printed_or_none(cell: str) -> str | None:
    """Return a name, None where the tool printed a dash or nothing; `unknown` and `none` may be names."""
    return None if plain_dashes(cell) in ("-", "") else cell
