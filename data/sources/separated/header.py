"""The header of a table in text: its separator, and which column is what."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.parsing.named_columns import NamedColumns, labels, names_for
from evenkeel.data.sources.separated.numerals import Style
from evenkeel.data.sources.separated.synonyms import SYNONYMS, column_places, likely_places

KINDS = {",": "CSV", ";": "semicolon-separated", "\t": "TSV"}

NEEDED = ("topic", "partition")

MAX_HEADER_BYTES = 1 << 20

_OPTION = {"listed_lag": "lag"}
"""Columns that the command line calls otherwise."""

_PLAIN = re.compile(r"[\w.:/-]+")

_SEP_LINE = re.compile(r"sep=(.)", re.IGNORECASE)


@dataclass(frozen=True)
class TableHeader:
    """A header: its line number, separator and cells, and the cell of each column of OFFSETS.

    `styles`: how columns write their numbers, where not plainly.
    """

    line: int
    separator: str
    cells: tuple[str, ...]
    mapping: Mapping[str, int]
    styles: Mapping[str, Style | None] = field(default_factory=dict)

    @property
    def format(self) -> str:
        """For people; tables with other columns are another format."""
        return f"{KINDS[self.separator]} with {', '.join(sorted(self.mapping))}"

    @property
    def likely(self) -> dict[str, int]:
        """The cell of each other column by a guess that nobody has confirmed."""
        return likely_places(self.cells, self.mapping)

    def option_for(self, names: str | None = None) -> str:
        """Return what takes the guesses on the command line: `--columns group_id="Consumer Grp",lag=Behind`; empty without one.

        `names`: of the cells that it may be about, each as `repr` writes it; None for all.
        """
        label = labels(self.cells)
        guesses = sorted(self.likely.items(), key=itemgetter(1))
        open_ones = [(column, label[place]) for column, place in guesses if names is None or repr(label[place]) in names]
        pairs = (f"{_OPTION.get(column, column)}={_quoted(name)}" for column, name in open_ones)
        said = ",".join(pairs)
        return f"--columns {said}" if said else ""

    def not_used(self, mapping: Mapping[str, int] | None = None) -> tuple[str, ...]:
        """Return the `labels` of the cells that give no column, of this mapping or another one."""
        used = {*(self.mapping if mapping is None else mapping).values()}
        return tuple(label for place, label in enumerate(labels(self.cells)) if place not in used)


def header_in(lines: Sequence[bytes], first_line: int = 1, named_columns: Sequence[NamedColumns] = ()) -> TableHeader | None:
    """Return the header: the first line that is not blank. None if that line has fewer than two cells. Excel's `sep=;` may precede it."""
    separators: Sequence[str] = tuple(KINDS)
    for number, line in enumerate(lines, first_line):
        if len(line) > MAX_HEADER_BYTES:
            return None
        text = line.decode("utf-8", "replace").strip("\r")
        announced = _SEP_LINE.fullmatch(text)
        if announced and announced[1] in KINDS:
            separators = announced[1]
        elif text.strip():
            cells, separator = max(((_cells(text, separator), separator) for separator in separators), key=lambda found: len(found[0]))
            return TableHeader(number, separator, cells, column_places(cells, names_for(cells, named_columns))) if len(cells) > 1 else None
    return None


def require_columns(layout: TableHeader | None, file: str, named_columns: Sequence[NamedColumns]) -> None:
    """Check that a header has topic, partition and every column that a person names.

    Raises
    ------
    SnapshotError
        When one is missing.
    """
    for column, name in names_for(layout.cells, named_columns).names if layout else ():
        if column not in layout.mapping:
            raise SnapshotError(
                f"{file}: header {' '.join(map(repr, layout.cells))} has no column {name!r}, expected it for {column} as --columns says"
            )
    missing = [column for column in NEEDED if layout is None or column not in layout.mapping]
    if missing:
        found = " ".join(repr(cell) for cell in layout.cells) if layout else "nothing"
        needed = "; ".join(f"for {column} one of {', '.join(SYNONYMS[column])}" for column in missing)
        guess = f"; a guess, not taken: {layout.option_for()}" if layout and layout.likely else ""
        raise SnapshotError(f"{file}: header {found} has no column for {' and '.join(missing)}, expected {needed}{guess}")


def _quoted(name: str) -> str:
    """Return a name as a shell reads it inside an option."""
    return name if _PLAIN.fullmatch(name) else f'"{name}"' if not re.search(r'["$`\\!]', name) else f"'{name}'"


def _cells(text: str, separator: str) -> tuple[str, ...]:
    """Return the cells of a line; none if one is longer than any cell of a table, 131,072 characters."""
    try:
        return tuple(cell.strip() for cell in next(csv.reader([text], delimiter=separator)))
    except csv.Error:
        return ()
