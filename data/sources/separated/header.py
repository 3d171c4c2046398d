"""Reads the header of a text table: its separator and the meaning of its columns."""

import csv
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from itertools import product
from operator import itemgetter

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources import useless
from evenkeel.data.sources.separated.values import NUMBERS, Style, is_missing
from evenkeel.data.sources.source import NamedColumns, labels, names_for
from evenkeel.data.sources.synonyms import ABOUT_GROUPS, SYNONYMS, column_of, columns_of

KINDS = {",": "CSV", ";": "semicolon-separated", "\t": "TSV"}

NEEDED = ("topic", "partition")

MAX_HEADER_BYTES = 1 << 20

_OPTION = {"listed_lag": "lag"}
"""Columns with another name on the command line."""

_PLAIN = re.compile(r"[\w.:/-]+")

_FIGURE = re.compile(r"-?\d[\d.,'_ \u00a0\u2009\u202f]*")
_SEP_LINE = re.compile(r"sep=(.)", re.IGNORECASE)


@dataclass(frozen=True)
class TableHeader:
    """The header of a text table. `mapping`: the index of the cell for each column of OFFSETS.

    `styles`: number styles of columns. `words`: indices of the cells with words in the first rows.
    `figures`: indices of the cells with only numbers in these rows. `zone`: the zone of times
    without a zone.
    """

    line: int
    separator: str
    cells: tuple[str, ...]
    mapping: Mapping[str, int]
    styles: Mapping[str, Style | None] = field(default_factory=dict)
    words: frozenset[int] = frozenset()
    figures: frozenset[int] = frozenset()
    zone: tzinfo | None = None

    @property
    def format(self) -> str:
        """The format's name for people; it contains the columns."""
        return f"{KINDS[self.separator]} with {', '.join(sorted(self.mapping))}"

    @property
    def likely(self) -> dict[str, int]:
        """Guessed places of missing columns; nobody has confirmed them."""
        guesses = likely_places(self.cells, self.mapping)
        return {
            column: place
            for column, place in guesses.items()
            if place not in (self.words if column in NUMBERS else self.figures)
            or column == "taken_at"
        }

    def option_for(self, names: str | None = None) -> str:
        """Return the command line option that confirms the guesses, `--columns group_id="Consumer
        Grp",lag=Behind`. It is empty if there are no guesses.

        `names`: a text that quotes cells; only these cells are in the option. None: all guessed
        cells.
        """
        label = labels(self.cells)
        guesses = sorted(self.likely.items(), key=itemgetter(1))
        open_ones = [
            (column, label[place])
            for column, place in guesses
            if names is None or repr(label[place]) in names
        ]
        return columns_option(open_ones)

    def not_used(self, mapping: Mapping[str, int] | None = None) -> tuple[str, ...]:
        """Return the labels (see `labels`) of cells that have no column in `mapping`. `mapping`:
        None for the header's own.
        """
        used = {*(self.mapping if mapping is None else mapping).values()}
        used |= {place for place, cell in enumerate(self.cells) if column_of(cell) in ABOUT_GROUPS}
        return tuple(label for place, label in enumerate(labels(self.cells)) if place not in used)


def columns_option(names: Sequence[tuple[str, str]]) -> str:
    """Return the option that names columns by (column, cell) pairs; empty without pairs."""
    pairs = [f"{_OPTION.get(column, column)}={_quoted(name)}" for column, name in names]
    return f"--columns {','.join(pairs)}" if pairs else ""


def header_in(
    lines: Sequence[bytes], first_line: int = 1, named_columns: Sequence[NamedColumns] = ()
) -> TableHeader | None:
    """Return the header: the first line that is not blank and not Excel's `sep=;`. Return None if
    this line has fewer than two cells.
    """
    separators: Sequence[str] = tuple(KINDS)
    for number, line in enumerate(lines, first_line):
        if len(line) > MAX_HEADER_BYTES:
            return None
        text = line.decode("utf-8", "replace").strip("\r")
        announced = _SEP_LINE.fullmatch(text)
        if announced and announced[1] in KINDS:
            separators = announced[1]
        elif text.strip():
            cells, separator = max(
                ((_cells(text, separator), separator) for separator in separators),
                key=lambda header: len(header[0]),
            )
            if len(cells) < 2:
                return None
            below = lines[number - first_line + 1 :][:_LOOKED_AT]
            kinds = _kinds([_cells(line.decode("utf-8", "replace"), separator) for line in below])
            places = column_places(cells, names_for(cells, named_columns))
            return TableHeader(number, separator, cells, places, {}, *kinds)
    return None


_LOOKED_AT = 20
"""Number of rows that are used to check guesses."""


def _kinds(rows: Sequence[tuple[str, ...]]) -> tuple[frozenset[int], frozenset[int]]:
    """Return the indices of columns with words, and of columns with only numbers."""
    words, figures = set(), set()
    for row in rows:
        for place, cell in enumerate(row):
            if not is_missing(cell):
                (figures if _FIGURE.fullmatch(cell) else words).add(place)
    return frozenset(words), frozenset(figures - words)


def require_columns(
    layout: TableHeader | None, file: str, named_columns: Sequence[NamedColumns]
) -> None:
    """Check that a header has topic, partition and all columns that a person named.

    Raises
    ------
    SnapshotError
        If a column is missing.
    """
    for column, name in names_for(layout.cells, named_columns).names if layout else ():
        if column not in layout.mapping:
            raise SnapshotError(
                f"{file}: header {' '.join(map(repr, layout.cells))} has no column {name!r},"
                f" expected it for {column} as --columns says"
            )
    missing = [column for column in NEEDED if layout is None or column not in layout.mapping]
    if missing == ["topic"] and layout is not None:
        useless.refuse(file, " ".join(layout.cells).encode())
    if missing:
        cells = " ".join(repr(cell) for cell in layout.cells) if layout else "nothing"
        needed = "; ".join(
            f"for {column} one of {', '.join(SYNONYMS[column])}" for column in missing
        )
        guess = f"; a guess, not used: {layout.option_for()}" if layout and layout.likely else ""
        raise SnapshotError(
            f"{file}: header {cells} has no column for {' and '.join(missing)}, expected"
            f" {needed}{'; --topic names it' if missing == ['topic'] else ''}{guess}"
        )


def _quoted(name: str) -> str:
    """Quote a name for a shell, if necessary."""
    if _PLAIN.fullmatch(name):
        return name
    return f"'{name}'" if re.search(r'["$`\\!]', name) else f'"{name}"'


def _cells(text: str, separator: str) -> tuple[str, ...]:
    """Return the cells of a line. Empty if a cell is longer than 131,072 characters, the limit of
    Python's CSV reader.
    """
    try:
        return tuple(cell.strip() for cell in next(csv.reader([text], delimiter=separator)))
    except csv.Error:
        return ()


# Columns of header names. `guessed_places` maps known names and is used directly. `likely_places`
# guesses by parts of words and by the order of columns; a person must confirm it.


_STEMS = {
    "topic": ("topic", "thema", "themen", "sujet", "stream", "queue"),
    "partition": ("partition", "part", "shard", "ptn"),
    "listed_lag": (
        "lag",
        "behind",
        "backlog",
        "ruckstand",
        "rueckstand",
        "retard",
        "verzogerung",
        "verzoegerung",
        "verzug",
        "remaining",
        "delay",
    ),
    "group_id": ("group", "grp", "gruppe", "groupe", "konsumentengruppe", "verbrauchergruppe"),
    "begin_offset": (
        "begin",
        "start",
        "earliest",
        "first",
        "oldest",
        "low",
        "anfang",
        "debut",
        "premier",
    ),
    "end_offset": (
        "end",
        "logend",
        "latest",
        "newest",
        "last",
        "head",
        "high",
        "ende",
        "letzte",
        "fin",
        "dernier",
        "produced",
    ),
    "committed_offset": (
        "commit",
        "current",
        "pos",
        "consumed",
        "aktuell",
        "bestatigt",
        "gelesen",
        "valid",
        "lu",
        "decalage",
        "courant",
        "offset",
        "versatz",
    ),
    "instance_id": ("instance", "instanz"),
    "client_id": ("client",),
    "host": ("host", "hote", "machine", "server", "rechner", "address", "adresse"),
    "taken_at": ("time", "date", "datum", "zeit", "heure", "horodat"),
    "member_id": (
        "member",
        "who",
        "owner",
        "holder",
        "consumer",
        "mitglied",
        "membre",
        "konsument",
        "verbraucher",
        "consommateur",
        "besitzer",
    ),
}
"""Word starts that hint at each column, in English, German and French without accents, the clearest
first.

Columns higher in this list get their cell first: `Consumer Grp` becomes the group, and then
`Consumer` the member.
"""

_SHORTEST_INSIDE = 5
"""Hints of at least this length may be inside a compound word, as in `Konsumentengruppe`."""

_IN_ORDER = (
    "group_id",
    "topic",
    "partition",
    "committed_offset",
    "end_offset",
    "listed_lag",
    "member_id",
    "host",
    "client_id",
)
"""The order of columns in `kafka-consumer-groups.sh --describe`."""

_WORDS = re.compile(r"[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def guessed_places(header: Sequence[str]) -> dict[str, int]:
    """Return the index of the header cell for each column of OFFSETS, by known names. Other cells
    are left out."""
    return {column: place for column, place in columns_of(header).items() if column in SYNONYMS}


def likely_places(header: Sequence[str], known: Mapping[str, int]) -> dict[str, int]:
    """Guess missing columns from unused cells: first by words in a cell, then by the order of
    Kafka's columns.
    """
    words = {
        place: _words(cell) for place, cell in enumerate(header) if place not in known.values()
    }
    likely: dict[str, int] = {}
    for column, stems in _STEMS.items():
        if column in known:
            continue
        pairs = product(words, enumerate(stems))
        hits = [(rank, place) for place, (rank, stem) in pairs if _hints(stem, words[place])]
        if hits:
            likely[column] = min(hits)[1]
            del words[likely[column]]
    return likely | _between(words, dict(known) | likely)


def _words(cell: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", _HUMP.sub(" ", cell))
    return _WORDS.findall(
        "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()
    )


def _hints(stem: str, words: Sequence[str]) -> bool:
    return any(
        word == stem
        or len(stem) > 2
        and word.startswith(stem)
        or len(stem) >= _SHORTEST_INSIDE
        and stem in word
        for word in words
    )


def _between(left: Mapping[str, object], known: Mapping[str, int]) -> dict[str, int]:
    """Guess the columns of the cells between two known columns, if Kafka prints equally many
    columns between the two.
    """
    places: dict[str, int] = {}
    in_order = [column for column in _IN_ORDER if column in known]
    for before, after in zip(in_order, in_order[1:], strict=False):
        columns = _IN_ORDER[_IN_ORDER.index(before) + 1 : _IN_ORDER.index(after)]
        cells = range(known[before] + 1, known[after])
        if columns and len(columns) == len(cells) and all(place in left for place in cells):
            places |= dict(zip(columns, cells, strict=True))
    return places


def column_places(header: Sequence[str], named: NamedColumns) -> dict[str, int]:
    """Return the index of the header cell for each column that a person named, and for each other
    column with a known name. Names that are not in the header are left out.
    """
    place_of = {cell.casefold(): place for cell, place in _named_places(header)}
    chosen = {
        column: place_of[name.casefold()]
        for column, name in named.names
        if name.casefold() in place_of
    }
    if named.header is not None:
        return chosen
    guessed = guessed_places(
        ["" if place in chosen.values() else cell for place, cell in enumerate(header)]
    )
    return {
        column: place for column, place in guessed.items() if column not in dict(named.names)
    } | chosen


def _named_places(header: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield (name, index of the cell), for a dictionary in which later pairs overwrite earlier
    ones. A cell's text overwrites an equal label; of equal cells, the first cell wins.
    """
    yield from ((label, place) for place, label in enumerate(labels(header)))
    yield from ((cell, place) for place, cell in reversed([*enumerate(header)]))
