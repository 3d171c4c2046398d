"""Reads records with one key and its value on each line: tables of two columns, `\\x` of psql,
`\\G` of MySQL.

Keys have the same names as table headers. A new record starts at a repeated key, or at a line with
the record's number.
"""

import re
from typing import Any

from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.sources.clean import group_in, plain_line
from evenkeel.data.sources.facts import MEMBER, OFFSETS, Facts, NoNumber
from evenkeel.data.sources.printed_header import BOX
from evenkeel.data.sources.source import START, Context
from evenkeel.data.sources.synonyms import column_of

NAME = "evenkeel-records"
FORMAT = "records of keys and values"

_PAIR = re.compile(r"\s*([A-Za-z][\w .()-]{0,40}?)(?:\s*\|\s*|:\s+|:$)(.*)")
_BEGINS = re.compile(r"\[ RECORD \d+ \]|\*+ \d+\. row \*+")
_COLUMNS = {"group_id", "topic", "partition", "listed_lag", "taken_at", *OFFSETS, *MEMBER}
_LEAST = 3
_LOOKED_AT = 200


def recognises(head: bytes, file: str) -> bool:
    """Return whether most lines are pairs, with a topic and a partition number among them."""
    lines = [plain_line(line) for line in head.decode("utf-8", "replace").split("\n")[:_LOOKED_AT]]
    pairs = [pair for line in lines if (pair := _pair(line))]
    columns = {column for column, _ in pairs}
    filled = sum(any(map(str.isalpha, line)) for line in lines)
    numbers = [value for column, value in pairs if column == "partition"]
    return (
        2 * len(pairs) >= filled
        and len(columns) >= _LEAST
        and {"topic", "partition"} <= columns
        and all(map(str.isdigit, numbers))
    )


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Parse records. The first line of a record is its row; all other lines are notes."""
    lines = data.removesuffix(b"\n").decode("utf-8", "replace").split("\n")
    facts = Facts(file, context, len(lines))
    above: dict[str, Any] = {}
    record: dict[str, Any] = {}
    start = context.first_line
    for number, line in enumerate(map(plain_line, lines), context.first_line):
        if (group_id := group_in(line)) is not None:
            above["group_id"] = group_id
        pair = _pair(line)
        if _BEGINS.search(line) or (pair and (pair[0] in record or not record)):
            _add(facts, start, lines, above | record)
            record, start = {}, number
        if pair is None:
            continue
        start = start if record else number
        record[pair[0]] = pair[1]
    _add(facts, start, lines, above | record)
    return facts.parsed(FORMAT)


def _pair(line: str) -> tuple[str, str] | None:
    """Return the column and value of a line, None if the line is not a pair with a known key."""
    match = _PAIR.fullmatch(line.translate(BOX).strip().strip("|").rstrip())
    column = column_of(match[1]) if match else None
    if match is None or column is None or column not in _COLUMNS:
        return None
    return column, match[2].strip()


def _add(facts: Facts, line: int, lines: list[str], record: dict[str, Any]) -> None:
    if not record.keys() & {*OFFSETS, *MEMBER, "listed_lag", "partition"}:
        return
    try:
        facts.add_partition(line, record)
    except NoNumber as cell:
        text = lines[line - facts.context.first_line].encode()
        reason = f"{str(cell)!r} in a record, expected a topic, a partition and whole numbers"
        facts.other.reject(line, text, FORMAT, reason)
