"""How each column of a table writes its numbers, found over the whole table."""

from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from evenkeel.data.sources.parsing.numbers import Unreadable
from evenkeel.data.sources.separated.header import TableHeader
from evenkeel.data.sources.separated.line import cells_of
from evenkeel.data.sources.separated.numerals import STYLES, Style, style_of
from evenkeel.data.sources.separated.values import NUMBERS

_COUNTED = tuple(column for column in NUMBERS if column != "partition")


def styles_of(plain: Mapping[str, pa.Array], others: Iterable[bytes], layout: TableHeader, given: str | None) -> dict[str, Style | None]:
    """Return the style of each column with numbers, None where it is unknown.

    `plain`: the numbers without marks; `others`: the other lines; `given`: a style that a person chose.
    """
    columns = [column for column in _COUNTED if column in layout.mapping]
    if given:
        return dict.fromkeys(columns, STYLES[given])
    rows = list(_rows(others, layout))
    return {column: style_of((cells[layout.mapping[column]] for cells in rows), _longest(plain[column])) for column in columns}


def _rows(lines: Iterable[bytes], layout: TableHeader) -> Iterator[list[str]]:
    for line in lines:
        try:
            cells = cells_of(line, layout)
        except Unreadable:
            continue
        if len(cells) == len(layout.cells):
            yield cells


def _longest(numbers: pa.Array) -> int:
    return pc.max(pc.abs(numbers)).as_py() or 0
