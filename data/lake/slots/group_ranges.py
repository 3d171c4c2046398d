"""Ranges of groups: where a table has many rows a day, they are in several files, each with the groups from one name up to the next.

Whoever asks for one group opens one of them; what a file says of its parts is large where these are many.
"""

import math
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from evenkeel.data.lake.manifest import Manifest

FILE_ROWS = 8_000_000


class Range(NamedTuple):
    """Groups whose names are not before `first` and before `end`; the last range has no end, and the rows without a group."""

    first: str
    end: str | None

    def has(self, group: str | None) -> bool:
        """Tell whether a group is in the range."""
        if group is None:
            return self.end is None
        return self.first <= group and (self.end is None or group < self.end)


def files_of(one: Manifest, name: str, groups: Collection[str | None]) -> tuple[str, ...]:
    """Return the files of a table that may have rows of these groups, of none for all."""
    files, first = one.tables.get(name, ()), one.first_groups.get(name, ())
    if not files or not first or not groups:
        return files
    places = {len(first) - 1 if group is None else bisect_right(first, group) - 1 for group in groups}
    return tuple(files[place] for place in sorted(places))


def first_groups(row_count: Mapping[str, int], times: float = 1) -> tuple[str, ...]:
    """Return the name from which each file has groups, the first one an empty name.

    `row_count`: of each group in a part of the slots, `times`: how often all slots have as many.
    """
    total = sum(row_count.values())
    first, full, before, files = [""], 1, 0, math.ceil(total * times / FILE_ROWS)
    for group in sorted(row_count):
        # The groups before have their share of all rows; one that is large has the shares of several files.
        if before * files >= total * full:
            first.append(group)
            full = before * files // total + 1
        before += row_count[group]
    return tuple(first)


def ranges(first: Sequence[str]) -> Iterator[Range]:
    """Yield the range of each file."""
    for start, end in pairwise([*first, None]):
        yield Range(start, end)
