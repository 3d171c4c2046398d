"""Context: what the lines of a byte range need to know of everything that precedes them."""

from dataclasses import dataclass
from datetime import datetime

from evenkeel.data.sources.parsing.named_columns import NamedColumns


@dataclass(frozen=True)
class Context:
    """Where a piece of text starts, and what precedes it.

    Parameters
    ----------
    first_line : int
        Number of the first line, from 1.
    header : bytes
        The last header line before it, as it stood; empty when there is none. With the line below where that one names a consumer.
    group_id : str or None
        The group of listings that name none, as the caller says.
    taken_at : datetime or None
        With time zone; for rows that carry no time of their own.
    cluster : str or None
        For rows that name none.
    named_columns : tuple of NamedColumns
        Columns of tables in text that a person names.
    numbers : str or None
        How tables in text write numbers, a name of `separated.numerals.STYLES`, where a person chose one.
    """

    first_line: int = 1
    header: bytes = b""
    group_id: str | None = None
    taken_at: datetime | None = None
    cluster: str | None = None
    named_columns: tuple[NamedColumns, ...] = ()
    numbers: str | None = None


START = Context()
