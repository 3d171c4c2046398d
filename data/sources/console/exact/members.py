"""Reads a line below the header of `--members`."""

import re
from collections.abc import Iterator
from itertools import chain

from evenkeel.assignors.protocol import CONSUMER, SHARE
from evenkeel.data.sources.console.exact.cells import cells_at, cells_between, places_of, words_of
from evenkeel.data.sources.console.headers import Layout
from evenkeel.data.sources.numbers import (
    INT32,
    MISSING,
    Unreadable,
    partition_number,
    printed_or_none,
    unquoted,
    whole,
    whole_or_none,
)


def read(text: str, layout: Layout, group_id: str | None) -> dict:
    """Return the row of MEMBERS in a line.

    Raises
    ------
    Unreadable
        If the line is not a row, or can be read as two different rows.
    """
    if layout.separator in "|\t":
        ways = [cells_between(text, layout.separator)]
    else:
        at = cells_at(text, layout.starts)
        ways = (
            [at]
            if at and _fits(at, layout, group_id)
            else list(splits(text, words_of(text), layout))
        )
    return _row_of(_only(ways, layout, group_id), layout, group_id)


def _only(ways: list[list[str]], layout: Layout, group_id: str | None) -> list[str]:
    expected = f"expected {len(layout.words)} columns: {' '.join(layout.words)}"
    readable = [
        cells
        for cells in ways
        if len(cells) == len(layout.words) and _fits(cells, layout, group_id)
    ]
    if len(readable) > 1:
        raise Unreadable(
            f"can be cut in several ways and is not aligned with its header, {expected}"
        )
    if not readable and len(ways) == 1 and len(ways[0]) == len(layout.words):
        return ways[0]
    if not readable:
        raise Unreadable(f"not a row of this listing, {expected}")
    return readable[0]


def _fits(cells: list[str], layout: Layout, group_id: str | None) -> bool:
    try:
        return bool(_row_of(cells, layout, group_id))
    except Unreadable:
        return False


def _row_of(cells: list[str], layout: Layout, group_id: str | None) -> dict:
    cell = dict(zip(layout.columns, map(unquoted, cells), strict=False))
    count = whole(cell["partition_count"], "#PARTITIONS", 0, INT32)
    row = {"group_id": cell.get("group_id", group_id), "partition_count": count}
    row |= {
        column: printed_or_none(cell.get(column, ""))
        for column in ("member_id", "instance_id", "client_id", "host")
    }
    if row["member_id"] is None or row["group_id"] == "":
        raise Unreadable(f"a name is missing, expected {' '.join(layout.words)}")
    if "target_assignment" in cell:
        return row | _broker_row(cell, count)
    if "assignment" in cell:
        # Only the share group tool prints ASSIGNMENT as topic:0,1.
        if _OF_SHARES.fullmatch(cell["assignment"]):
            owned = _counted(target_of(cell["assignment"]), count, cell["assignment"])
            return row | {"owned": owned, "group_type": SHARE}
        return row | {"owned": owned_of(cell["assignment"], count)}
    # Without --verbose, Kafka prints only the number of owned partitions.
    return row | {"owned": None if count else []}


def _broker_row(cell: dict[str, str], count: int) -> dict:
    """Read the assignment columns of Kafka 4.x. A classic member has no target assignment, so
    `owned` is its current assignment.
    """
    current = current_of(cell["current_assignment"], count)
    epoch, target_epoch = (
        # KIP-848: -2 is the epoch of a static member that has left and may come back.
        whole_or_none(cell["epoch"], "CURRENT-EPOCH", -2, INT32),
        whole_or_none(cell["assignment_epoch"], "TARGET-EPOCH", -2, INT32),
    )
    if target_epoch is None:
        return {"owned": current, "epoch": epoch}
    target = target_of(cell["target_assignment"])
    return {
        "owned": target,
        "current": None if current == target else current,
        "epoch": epoch,
        "assignment_epoch": target_epoch,
        "group_type": CONSUMER,
    }


# Ways to cut a members row that is not aligned with its header.


def splits(text: str, words: list[re.Match], layout: Layout) -> Iterator[list[str]]:
    """Yield each way to cut a line into cells with a host in HOST. Before HOST, only the first and
    the last cell may contain blanks.
    """
    left = layout.columns.index("host")
    for at in places_of(words, 1, len(words)):
        for before in _before(text, words[:at], layout.columns[:left]):
            for behind in _behind(text, words[at + 1 :], len(layout.columns) - left - 2, layout):
                yield [*before, words[at][0], *behind]


def _before(text: str, words: list[re.Match], columns: tuple[str, ...]) -> Iterator[list[str]]:
    if len(columns) == 1:
        yield [text[words[0].start() : words[-1].end()]]
        return
    # Kafka prints GROUP-INSTANCE-ID if any member is static. For dynamic members the cell is empty.
    if "instance_id" in columns and len(words) == len(columns) - 1:
        yield [*(word[0] for word in words), ""]
        return
    for first in range(1, len(words) - len(columns) + 2):
        last = first + len(columns) - 2
        between = (word[0] for word in words[first:last])
        yield [
            text[words[0].start() : words[first - 1].end()],
            *between,
            text[words[last].start() : words[-1].end()],
        ]


def _behind(text: str, words: list[re.Match], count: int, layout: Layout) -> Iterator[list[str]]:
    """Yield the cells after the host: the client id and `count` more. Only the client id and
    ASSIGNMENT may contain blanks.
    """
    if layout.columns[-1] != "assignment":
        if len(words) > count:
            yield [
                text[words[0].start() : words[-count - 1].end()],
                *(word[0] for word in words[-count:]),
            ]
        return
    for at in range(1, len(words) - 1):
        if words[at][0].isdigit():
            yield [
                text[words[0].start() : words[at - 1].end()],
                words[at][0],
                text[words[at + 1].start() : words[-1].end()],
            ]


# ASSIGNMENT of a members listing: the owned partitions.


_UNTIL_3_7 = re.compile(r"(.*?)\(([0-9]+(?:,[0-9]+)*)\)(?:, |$)")
_NAMES_LOST = re.compile(r"\([0-9]+(?:,[0-9]+)*\)(?:, \([0-9]+(?:,[0-9]+)*\))*")
_OF_SHARES = re.compile(r"[^\s:;]+:[0-9]+(?:,[0-9]+)*(?:;[^\s:;]+:[0-9]+(?:,[0-9]+)*)*")
_SINCE_4_0 = re.compile(r"(.+):([0-9]+(?:,[0-9]+)*)")


def owned_of(text: str, count: int) -> list[dict] | None:
    """Read an assignment that Kafka up to 3.9 printed. Return it as OWNED of
    `data/group/tables/schemas.py`, None if the topics are missing: Kafka 3.8 and 3.9 omit them.

    Raises
    ------
    Unreadable
        If the text is not an assignment of `count` partitions.
    """
    if text in MISSING:
        return _counted([], count, text)
    if _NAMES_LOST.fullmatch(text):
        _counted([{"partitions": re.findall("[0-9]+", text)}], count, text)
        return None
    return _counted(_matched(_UNTIL_3_7, text, "orders(0,1), refunds(2)"), count, text)


def target_of(text: str) -> list[dict]:
    """Read an assignment that Kafka 4.x printed. Return it as OWNED."""
    if text in MISSING:
        return []
    parts = (_matched(_SINCE_4_0, part, "orders:0,1;refunds:2") for part in text.split(";"))
    return list(chain.from_iterable(parts))


def current_of(text: str, count: int) -> list[dict]:
    """Read a current assignment that Kafka 4.x printed. `count`: its number of partitions."""
    return _counted(target_of(text), count, text)


def _matched(pattern: re.Pattern, text: str, example: str) -> list[dict]:
    owned, at = [], 0
    while at < len(text):
        match = pattern.match(text, at)
        if not match or not match[1] or match.end() == at:
            raise Unreadable(f"assignment is {text[:80]!r}, expected a list such as {example}")
        owned.append(
            {
                "topic": match[1],
                "partitions": [
                    partition_number(number, "a partition of the assignment")
                    for number in match[2].split(",")
                ],
            }
        )
        at = match.end()
    return owned


def _counted(owned: list[dict], count: int, text: str) -> list[dict]:
    total = sum(len(topic["partitions"]) for topic in owned)
    if total != count:
        raise Unreadable(
            f"#PARTITIONS is {count}, expected {total} as in the assignment {text[:80]!r}"
        )
    return owned
