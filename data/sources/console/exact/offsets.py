"""Reads a line below the header of an offsets listing."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from evenkeel.data.sources import numbers
from evenkeel.data.sources.console.exact.cells import (
    before_and_address,
    cells_at,
    cells_between,
    is_address,
    is_named_address,
    places_of,
    words_of,
)
from evenkeel.data.sources.console.headers import Layout, utf16_width
from evenkeel.data.sources.numbers import (
    INT32,
    INT64,
    MISSING,
    Unreadable,
    printed_or_none,
    unquoted,
)
from evenkeel.data.text.formats import counted


class OffsetRow(NamedTuple):
    """A row of OFFSETS, with the columns that offsets listings have."""

    group_id: str | None
    topic: str
    partition: int
    committed_offset: int | None
    end_offset: int | None
    listed_lag: int | None
    leader_epoch: int | None
    member_id: str | None
    client_id: str | None
    host: str | None
    group_type: str | None = None


def read(text: str, layout: Layout, group_id: str | None) -> OffsetRow | dict:
    """Return the row in a line: a row of OFFSETS, or a row of MEMBERS if the line is a member
    without partitions.

    Raises
    ------
    Unreadable
        If the line is not a row, or can be read as two different rows.
    """
    if layout.separator in "|\t":
        return row_of(_exactly(cells_between(text, layout.separator), layout), layout, group_id)
    words = words_of(text, layout.separator)
    reason = Unreadable(
        f"{counted(len(words), 'word')}, expected {len(layout.words)} columns:"
        f" {' '.join(layout.words)}"
    )
    for cells in _certain(text, words, layout):
        try:
            return row_of(cells, layout, group_id)
        except Unreadable as unreadable:
            reason = unreadable
    return _only(_readable(splits(text, words, layout), layout, group_id), reason, layout)


def _certain(text, words, layout):
    """Yield the cells of a line, cut in ways that stay right if names contain blanks: one word for
    each column, or where the header's columns start.
    """
    if len(words) == len(layout.words) and host_in_place(
        cells := [word[0] for word in words], layout
    ):
        yield cells
    cells = cells_at(text, layout.starts) if layout.separator == " " else None
    if cells is not None:
        yield cells


def _readable(ways, layout, group_id):
    for cells in ways:
        try:
            yield row_of(cells, layout, group_id)
        except Unreadable:
            continue


def _only(rows, reason: Unreadable, layout: Layout) -> OffsetRow | dict:
    first = next(rows, None)
    if first is None:
        raise reason
    if next(rows, None) is not None:
        raise Unreadable(
            "can be cut in several ways and is not aligned with its header, "
            f"expected {len(layout.words)} columns: {' '.join(layout.words)}"
        )
    return first


def _exactly(cells: list[str], layout: Layout) -> list[str]:
    if len(cells) != len(layout.words):
        raise Unreadable(
            f"{counted(len(cells), 'cell')}, expected {len(layout.words)} columns:"
            f" {' '.join(layout.words)}"
        )
    return cells


# Ways to cut an offsets row. Group ids and client ids may contain blanks, so some lines can be cut
# in several ways.


_NUMBER = re.compile("[-\u2212\u2013]?[0-9]+")
_MOST_WORDS = 1_000
_GLUED_FROM = 50
"""Kafka 0.10.2 to 1.0 pads CONSUMER-ID to 50 characters and prints HOST directly after it."""


def splits(text: str, words: list[re.Match], layout: Layout) -> Iterator[list[str]]:
    """Yield each way to cut a line so that its numbers are in neighbouring cells, the topic before
    them is one word, and a host is in the HOST column.
    """
    before, core = layout.columns.index("topic"), _core(layout)
    for at in range(before + 1, len(words) - len(core) if len(words) <= _MOST_WORDS else 0):
        numbers = [word[0] for word in words[at : at + len(core)]]
        if (before or at == 1) and _is_core(words[at - 1][0], numbers):
            group = [text[words[0].start() : words[at - 2].end()]] if before else []
            for tail in _tails(text, words[at + len(core) :], layout):
                yield [*group, words[at - 1][0], *numbers, *tail]


def host_in_place(cells: list[str], layout: Layout) -> bool:
    """Return whether a line with one word for each column has a host in the HOST column. If so, no
    blank has shifted the columns.
    """
    if "host" not in layout.columns:
        return True
    member_id, host, client_id = cells[-3:]
    if host.startswith("/") or is_named_address(host) and not layout.host_glued:
        return True
    return not (
        client_id.startswith("/")
        or member_id.startswith("/")
        or layout.host_glued
        and _unglued(member_id)
    )


def _core(layout: Layout) -> tuple[str, ...]:
    return layout.columns[
        layout.columns.index("partition") : layout.columns.index("listed_lag") + 1
    ]


def _is_core(topic: str, numbers: list[str]) -> bool:
    if not _NUMBER.fullmatch(numbers[0]):
        return topic in MISSING and all(number in MISSING for number in numbers)
    return all(number in MISSING or _NUMBER.fullmatch(number) for number in numbers)


def _tails(text: str, words: list[re.Match], layout: Layout) -> Iterator[list[str]]:
    if "host" not in layout.columns:
        yield [text[words[0].start() : words[-1].end()]]
        return
    if len(words) == 3 and host_in_place([word[0] for word in words], layout):
        yield [word[0] for word in words]
        return
    glued = list(_glued_tails(text, words)) if layout.host_glued else []
    for at in places_of(words, 1, len(words) - 1):
        if is_address(words[at][0]) or not layout.host_glued:
            yield [
                text[words[0].start() : words[at - 1].end()],
                words[at][0],
                text[words[at + 1].start() : words[-1].end()],
            ]
    yield from glued


def _glued_tails(text: str, words: list[re.Match]) -> Iterator[list[str]]:
    for at in range(len(words) - 1):
        parts = "/" in words[at][0] and _unglued(text[words[0].start() : words[at].end()])
        if parts:
            yield [*parts, text[words[at + 1].start() : words[-1].end()]]


def _unglued(text: str) -> tuple[str, str] | None:
    parts = before_and_address(text)
    return (
        parts
        if parts and utf16_width(parts[0]) >= _GLUED_FROM and not parts[0].endswith(" ")
        else None
    )


# Turns cells into a partition's row, or into the row of a member that owns nothing.


def owner_parts(owner: str) -> tuple[str | None, str | None]:
    """Return the client id and host in an OWNER such as `client-6_/192.168.1.13`, (None, None) if
    OWNER has another form.
    """
    client_id, mark, host = owner.rpartition("_/")
    return (client_id, f"/{host}") if mark and client_id and host else (None, None)


def row_of(cells: list[str], layout: Layout, group_id: str | None) -> OffsetRow | dict:
    """Make a row from these cells: a row of OFFSETS, or a row of MEMBERS if the cells are a member
    without partitions.

    Raises
    ------
    Unreadable
        If a number cannot be read, or LAG contradicts the offsets.
    """
    cell = dict(zip(layout.columns, map(unquoted, cells), strict=False))
    owner = _owner(cell)
    group_id = cell.get("group_id", group_id)
    if cell["topic"] in MISSING and cell["partition"] in MISSING:
        return _idle(group_id, owner, layout)
    name = dict(zip(layout.columns, layout.words, strict=False))
    partition = numbers.partition_number(cell["partition"], name["partition"])
    committed, end = (
        numbers.offset(cell[column], name[column]) for column in ("committed_offset", "end_offset")
    )
    # Kafka prints a negative LAG if the commit is after the end offset.
    lag = numbers.whole_or_none(cell["listed_lag"], name["listed_lag"], -INT64 - 1, INT64)
    # This check also rejects cuts of a line that shift a column.
    if None not in (committed, end, lag) and lag != end - committed:
        raise Unreadable(
            f"{name['listed_lag']} is {lag}, expected {name['end_offset']} -"
            f" {name['committed_offset']} = {end - committed}"
        )
    epoch = numbers.whole_or_none(cell.get("leader_epoch", "-"), "LEADER-EPOCH", -1, INT32)
    return OffsetRow(
        _named(group_id, "GROUP"),
        _named(cell["topic"], "TOPIC"),
        partition,
        committed,
        end,
        lag,
        None if epoch == -1 else epoch,
        **owner,
    )


def _owner(cell: dict[str, str]) -> dict[str, str | None]:
    if "owner" in cell:
        member_id = None if cell["owner"] in MISSING else cell["owner"] or None
        client_id, host = owner_parts(member_id or "")
        return {"member_id": member_id, "client_id": client_id, "host": host}
    return {
        column: printed_or_none(cell.get(column, "-"))
        for column in ("member_id", "client_id", "host")
    }


def _idle(group_id: str | None, owner: dict, layout: Layout) -> dict:
    if owner["member_id"] is None:
        raise Unreadable(
            f"no topic and no member, expected {', '.join(layout.words[:3])} or a member"
        )
    return {"group_id": group_id, **owner, "owned": [], "partition_count": 0}


def _named(text: str | None, name: str) -> str | None:
    if text == "":
        raise Unreadable(f"{name} is empty, expected a name")
    return text
