"""The header of a table in text: its separator, and which column is what."""

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

KINDS = {",": "CSV", ";": "semicolon-separated", "\t": "TSV"}

SYNONYMS = {
    "taken_at": ("takenat", "ts", "timestamp", "time", "snapshotts"),
    "group_id": ("groupid", "group", "consumergroup", "consumergroupid"),
    "topic": ("topic", "topicname", "kafkatopic"),
    "partition": ("partition", "partitionid", "pid", "#", "part", "kafkapartition"),
    "begin_offset": ("beginoffset", "logstart", "logstartoffset", "earliest", "earliestoffset", "begin", "firstoffset", "lowwatermark"),
    "committed_offset": ("committedoffset", "committed", "currentoffset", "consumeroffset", "groupoffset", "offset"),
    "end_offset": ("endoffset", "logend", "logendoffset", "logsize", "highwatermark", "hwm", "latestoffset", "leo"),
    "listed_lag": ("lag", "consumerlag", "offsetlag", "messagesbehind", "currentlag"),
    "member_id": ("memberid", "consumerid", "member", "consumer", "owner"),
    "instance_id": ("instanceid", "groupinstanceid", "instance"),
    "client_id": ("clientid", "client"),
    "host": ("host", "memberhost", "clienthost", "ownerhost"),
}
"""Column of OFFSETS to header names, without case, blanks, `-`, `_` and `.`, the clearest first."""

NEEDED = ("topic", "partition")

_IGNORED = re.compile(r"[\s._-]")
_SEP_LINE = re.compile(r"sep=(.)", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """The header found: its line number, separator and cells, and which column of OFFSETS stands in which cell."""

    line: int
    separator: str
    cells: tuple[str, ...]
    mapping: Mapping[str, int]

    @property
    def format(self) -> str:
        """For people; tables with other columns are another format."""
        return f"{KINDS[self.separator]} with {', '.join(sorted(self.mapping))}"


def guess(header: Sequence[str]) -> dict[str, int]:
    """Return which column of OFFSETS each cell of a header is most likely to be; what is not recognised is left out."""
    plain = [_IGNORED.sub("", cell).lower() for cell in header]
    found = {column: next((plain.index(name) for name in names if name in plain), None) for column, names in SYNONYMS.items()}
    return {column: place for column, place in found.items() if place is not None}


def mapped(header: Sequence[str], columns: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Return the places of columns by the names that a person gives, and of all others as they are guessed; a name that is not there is left out."""
    plain = [cell.casefold() for cell in header]
    chosen = {column: plain.index(name.casefold()) for column, name in columns if name.casefold() in plain}
    guessed = guess(["" if place in chosen.values() else cell for place, cell in enumerate(header)])
    named = dict(columns)
    return {column: place for column, place in guessed.items() if column not in named} | chosen


def header_in(lines: Sequence[bytes], first_line: int = 1, columns: Sequence[tuple[str, str]] = ()) -> Layout | None:
    """Return the header, which is the first line that is not blank; None where that is no row of several cells. Excel's `sep=;` may stand above it.

    `columns`: names that a person gives, as in `Context`.
    """
    separators: Sequence[str] = tuple(KINDS)
    for number, line in enumerate(lines, first_line):
        text = line.decode("utf-8", "replace").strip("\r")
        announced = _SEP_LINE.fullmatch(text)
        if announced and announced[1] in KINDS:
            separators = announced[1]
        elif text.strip():
            cells, separator = max(((_cells(text, separator), separator) for separator in separators), key=lambda found: len(found[0]))
            return Layout(number, separator, cells, mapped(cells, columns)) if len(cells) > 1 else None
    return None


def _cells(text: str, separator: str) -> tuple[str, ...]:
    """Return the cells of a line, none where one of them is longer than any cell of a table: 131,072 characters."""
    try:
        return tuple(cell.strip() for cell in next(csv.reader([text], delimiter=separator)))
    except csv.Error:
        return ()
