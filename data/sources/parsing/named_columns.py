"""Columns of a table that a person names, because its header does not say what they are."""

from collections import Counter
from collections.abc import Container, Sequence
from typing import NamedTuple


class NamedColumns(NamedTuple):
    """`names`: column of OFFSETS and the name of its cell in the header, as `labels` gives it.

    `header`: the cells of the only header that is meant; its other columns are not used. None: every header; its other columns are guessed.
    """

    names: tuple[tuple[str, str], ...]
    header: tuple[str, ...] | None = None


def labels(header: Sequence[str]) -> list[str]:
    """Return a distinct name for each cell of a header, whatever the case: `lag (3)` for one of several, `column 5` for an empty one."""
    times = Counter(cell.casefold() for cell in header)
    return [cell if cell and times[cell.casefold()] == 1 else _label(cell, place, times) for place, cell in enumerate(header, 1)]


def names_for(header: tuple[str, ...], named_columns: Sequence[NamedColumns]) -> NamedColumns:
    """Return the names for this header, else those for every header, else none."""
    own = [one for one in named_columns if one.header == header]
    return next(iter(own or [one for one in named_columns if one.header is None]), NamedColumns(()))


def _label(cell: str, place: int, taken: Container[str]) -> str:
    label = f"{cell} ({place})" if cell else f"column {place}"
    while label.casefold() in taken:
        label += f" ({place})"
    return label
