"""Source: what a module must have to read one kind of file."""

from typing import Protocol

from evenkeel.data.sources.parsing.context import START, Context
from evenkeel.data.tables.parsed import Parsed


class Source(Protocol):
    """A module of `data/sources`; `NAME` is its name as a Spark data source."""

    NAME: str

    def recognises(self, head: bytes, file: str) -> bool:
        """Tell whether a file that starts with `head` is of this kind."""
        ...

    def parse(self, data: bytes, file: str, context: Context = START) -> Parsed:
        """Parse text in UTF-8: every line becomes a row, a note, or is rejected with a reason."""
        ...
