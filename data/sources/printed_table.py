"""Reads tables that tools print, with any separator and order of columns, and the text around them:
names of groups, frames, prompts.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables.parsed import ParsedTables, header_kind, kind_of
from evenkeel.data.sources.clean import group_in, is_noise, plain_line
from evenkeel.data.sources.console import listing
from evenkeel.data.sources.console.exact.lines import is_note
from evenkeel.data.sources.console.times import time_of
from evenkeel.data.sources.facts import OFFSETS, Facts, NoNumber, assignment_in, style_in, whole
from evenkeel.data.sources.keys_above import (
    COLUMN_OF_KEY,
    GROUP_KEYS,
    OTHER_KEYS,
    SUMS,
    key_and_value,
)
from evenkeel.data.sources.loose_lines import (
    LooseLines,
    is_headerless,
    is_of_kcat,
    is_of_partition,
)
from evenkeel.data.sources.printed_header import BOX, Header, cells_of, header_in, proven, unwrapped
from evenkeel.data.sources.printing_tool import tool_of
from evenkeel.data.sources.separated.header import columns_option
from evenkeel.data.sources.separated.values import Style, proven_styles, word
from evenkeel.data.sources.source import START, Context, labels
from evenkeel.data.sources.synonyms import column_of, plain

NAME = "evenkeel-printed-table"
NO_TOPIC = "a topic column, the topic's name above the table, or --topic"
FORMAT = "a table"

_LINES = set("-=") | set(map(chr, range(0x2500, 0x2580)))
_OF_RULES = _LINES | set(" \t+|:.")
_TYPES = re.compile(r"(?:\W*\b(?:varchar|u?int\d+|u?bigint|double|float|text|string)\b\W*)+", re.I)
_HEADING = re.compile(r"#{2,6}\s+[*`]*([A-Za-z0-9._-]+)[*`]*\s*")
_OPENS = re.compile(r"(\s*)(\S.*?):\s*")
_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")


def recognises(head: bytes, file: str) -> bool:
    """Return whether a text has a header of a printed table, or lines that need no header."""
    lines = head.decode("utf-8", "replace").split("\n")
    lines = [plain_line(line) for line in (lines[:-1] or lines)[:2000]]
    if listing.recognises("\n".join(lines).encode(), file):
        return True
    filled = [line for line in lines if line.strip() and not is_noise(line)]
    places = [place for place, line in enumerate(filled) if is_headerless(line)]
    is_one_run = len(places) > 1 and places[-1] - places[0] == len(places) - 1
    if places and (is_one_run or 2 * len(places) >= len(filled)):
        return True
    return any(header_in(line, 0) or is_of_kcat(line) for line in lines)


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Parse tables. Each line becomes a row, a note, or a rejected line with a reason.

    Raises
    ------
    SnapshotError
        If no table has a row of a partition.
    """
    lines = [
        plain_line(line) for line in data.removesuffix(b"\n").decode("utf-8", "replace").split("\n")
    ]
    lines = unwrapped(lines)
    text = "\n".join(lines).encode()
    if listing.recognises(text, file) and not any(map(is_of_kcat, lines)):
        return listing.parse(text, file, context)
    walk = _Walk(Facts(file, context, len(lines)))
    facts = walk.over(list(enumerate(lines)), context.first_line)
    return facts.parsed(FORMAT, tool_of(text.decode()))


def _is_rule(line: str) -> bool:
    marks = set(line)
    return marks <= _OF_RULES and bool(marks & _LINES)


class _Walk:
    """Reads the lines in order. A header or a name changes the meaning of the lines below it."""

    def __init__(self, facts: Facts):
        self._facts = facts
        self._header: Header | None = None
        self._header_note: dict[str, Any] = {}
        self._above: dict[str, Any] = {}
        self._member: dict[str, str] = {}
        self._section = ""
        self._time: str | None = None
        self._rows: list[tuple[int, str, dict[str, Any]]] = []
        self._totals: list[tuple[int, Any]] = []
        self._heading: str | None = None
        self._line_above: str | None = None
        self._topic: str | None = None
        self._waiting: list[tuple[int, str, str]] = []
        self._loose = LooseLines(facts)

    def over(self, lines: Sequence[tuple[int, str]], first_line: int) -> Facts:
        """Read all lines and return the facts."""
        for place, line in lines:
            self._read(first_line + place, line)
        self._close()
        self._loose.add_rows()
        if not (self._facts.has_rows() or self._loose.has_commits or self._facts.other.rejected):
            raise SnapshotError(
                f"{self._facts.file}: no row of a partition in this table, expected a header with "
                "columns for topic and partition"
            )
        return self._facts

    def _read(self, number: int, line: str) -> None:
        if not line.strip() or _is_rule(line) or _TYPES.fullmatch(line):
            return
        self._line_above, self._heading = self._heading, None
        if match := _HEADING.fullmatch(line):
            self._heading = match[1]
            self._note(number, line)
            return
        steps: tuple[Callable[[int, str], bool], ...] = (
            self._name,
            self._start,
            self._without_header,
            self._noise,
            self._row,
        )
        for step in steps:
            if step(number, line):
                return
        self._waiting.append((number, line, "cells do not match the header above"))

    # Names above a table, and sections that kaf prints.

    def _name(self, number: int, line: str) -> bool:
        opened = _OPENS.fullmatch(line)
        if opened and self._open(opened[1], opened[2]):
            self._note(number, line)
            return True
        text = line.translate(BOX).strip("|").rstrip()
        match = key_and_value(text)
        if match is None:
            return False
        if self._section == "members" and match[1]:
            return self._of_member(number, line, match)
        key, value = plain(match[2]), match[3].strip(" |*`")
        is_pair = "  " not in value and "|" not in value and "\t" not in value
        if not is_pair or header_in(line, number):
            return False
        if key in GROUP_KEYS and column_of(value) is None and word(value):
            self._close()
            self._above, self._section = {"group_id": word(value)}, ""
            self._totals = []
        elif key in COLUMN_OF_KEY and column_of(value) is None:
            self._above[COLUMN_OF_KEY[key]] = word(value)
        elif key not in OTHER_KEYS:
            return False
        elif key in SUMS:
            self._totals.append((number, value))
        if self._above.get("group_id") and COLUMN_OF_KEY.get(key) in ("group_state", "assignor"):
            self._facts.add_group(number, self._above)
        self._note(number, line)
        return True

    def _open(self, indent: str, name: str) -> bool:
        """If a line starts a section, or a topic or member in a section, start it and return True;
        else return False.
        """
        key = plain(name)
        if key in ("offsets", "members"):
            self._close()
            self._section = key
            self._above.pop("topic", None)
            return True
        if not self._section or not indent or key in ("assignments", "metadata"):
            return bool(self._section) and key in ("assignments", "metadata")
        self._close()
        if self._section == "offsets":
            self._above["topic"] = name
        else:
            self._member = {"client_id": name}
        return True

    def _of_member(self, number: int, line: str, match: re.Match) -> bool:
        column = column_of(match[2])
        if column not in ("host", "client_id", "member_id", "instance_id") or not match[3].strip():
            return False
        if "  " in match[3].strip():
            return False
        self._member[column] = match[3].strip()
        self._note(number, line)
        return True

    # Headers and rows.

    def _start(self, number: int, line: str) -> bool:
        header = header_in(line, number)
        if header is None:
            return False
        self._close()
        header.name(self._facts.context.named_columns)
        self._header, self._topic = header, self._line_above
        self._facts.other.note(number, line.encode(), FORMAT, header_kind(header.not_used()))
        self._header_note = self._facts.other.notes[-1]
        return True

    def _row(self, number: int, line: str) -> bool:
        header = self._header
        if header is None:
            return False
        cells = cells_of(line, header)
        if cells is None:
            return False
        places = header.guess | header.columns
        row = {column: cells[place] for column, place in places.items()}
        names = [plain(name) for name in header.cells]
        if "error" in names:
            row["error"] = cells[names.index("error")]
        first = word(cells[0]) or word(row.get("partition")) or ""
        if plain(first) in SUMS or plain(row.get("partition", "")) in SUMS:
            self._totals.append((number, row.get("listed_lag")))
            self._note(number, line)
            return True
        topic = word(row.get("topic"))
        if topic is not None and not _TOPIC.fullmatch(topic):
            return False
        if "partition" in row and word(row["partition"]) is not None:
            try:
                whole(row["partition"])
            except NoNumber:
                return False
        self._rows.append((number, line, row))
        self._reject_waiting()
        return True

    def _reject_waiting(self) -> None:
        """Reject the lines that do not match the header above them. Prose among them becomes notes
        when the whole file is known.
        """
        for number, line, reason in self._waiting:
            self._facts.other.reject(number, line.encode(), FORMAT, reason)
        self._waiting = []

    def _close(self) -> None:
        """Add the rows of the table above. If there is no table, unread lines become notes."""
        if self._header is None:
            for number, line, _ in self._waiting:
                self._note(number, line)
            self._waiting = []
        self._reject_waiting()
        rows, self._rows = self._rows, []
        header, self._header = self._header, None
        if header is None:
            return
        self._judge_guess(header, rows)
        numbers = [name for name in (*OFFSETS, "listed_lag") if name in header.columns]
        styles = proven_styles(
            [row for _, _, row in rows],
            {name: style_in(row[name] for _, _, row in rows) for name in numbers},
        )
        first = len(self._facts.offsets)
        for number, line, row in rows:
            plain_row = dict(row)
            for name, style in styles.items():
                if style is not None:
                    plain_row[name] = _restyled(row[name], style)
            self._add(number, line, plain_row, header)
        self._check_totals(self._facts.offsets[first:], styles.get("listed_lag"))

    def _judge_guess(self, header: Header, rows: list[tuple[int, str, dict[str, Any]]]) -> None:
        """Use the guessed columns if the figures of all rows prove the guess, else drop them."""
        if header.guess and proven([row for _, _, row in rows]):
            label = labels(header.cells)
            guess = columns_option([(name, label[place]) for name, place in header.guess.items()])
            header.columns |= header.guess
            self._header_note["reason"] = header_kind(header.not_used())
            group_id = word(rows[0][2].get("group_id")) or self._above.get("group_id")
            for number, _, _ in rows:
                self._facts.remark("guessed_columns", group_id, number, guess)
            return
        for _, _, row in rows:
            for name in header.guess:
                del row[name]

    def _check_totals(self, rows: Sequence[dict[str, Any]], style: Style | None) -> None:
        if not rows:
            return
        totals, self._totals = self._totals, []
        for number, total in totals:
            with suppress(NoNumber):
                self._facts.check_total(number, whole(total, style), rows)

    def _add(self, number: int, line: str, row: dict[str, Any], header: Header) -> None:
        row = {column: value for column, value in self._above.items() if value} | {
            column: value
            for column, value in row.items()
            if word(value) is not None or column == "committed_offset"
        }
        if "group_id" not in row and self._above.get("command_group"):
            row["group_id"] = self._above["command_group"]
        if header.kind == "members" or "partition" not in row and "assigned" in row:
            row = self._member | row
            held = assignment_in(row.get("assigned"), word(row.get("topic")))
            self._facts.add_member(number, row, held)
            return
        if "partition" not in row and "topic" not in row:
            self._facts.add_member(number, row, {} if "partition" in header.columns else None)
            return
        if self._time is not None:
            row.setdefault("taken_at", self._time)
        if "topic" not in row and self._topic is not None:
            row["topic"] = self._topic
            group_id = row.get("group_id") or self._facts.context.group_id
            self._facts.remark("guessed_topic", group_id, number, self._topic)
        elif "topic" not in row and self._facts.context.topic:
            row["topic"] = self._facts.context.topic
        try:
            self._facts.add_partition(number, row)
        except NoNumber as cell:
            reason = f"{str(cell)!r} in a column of numbers, expected a whole number"
            if "topic" not in row:
                where = "a value in the topic column" if "topic" in header.columns else NO_TOPIC
                reason = f"no topic, expected {where}"
            self._facts.other.reject(number, line.encode(), FORMAT, reason)

    def _without_header(self, number: int, line: str) -> bool:
        if is_of_partition(line):
            self._note(number, line)
            return True
        return self._loose.take(number, line.strip(), is_below_header=self._header is not None)

    # Noise.

    def _noise(self, number: int, line: str) -> bool:
        time = None if self._is_row(line) else time_of(line.strip().encode()[:400])
        if not is_noise(line) and time is None and not is_note(line):
            return False
        group_id = group_in(line)
        if group_id is not None or time is not None:
            # Earlier facts belong to the rows above this line. The table may continue without a new
            # header.
            header = self._header
            self._close()
            self._header = header
        if group_id is not None:
            self._above["command_group"] = group_id
        if time is None:
            self._note(number, line)
            return True
        time = time.within(self._facts.context.zone)
        self._time = time.time.isoformat()
        self._facts.other.note(number, line.encode(), FORMAT, time.note)
        return True

    def _is_row(self, line: str) -> bool:
        """Return whether a line is a row of the table. Then a time in the line is only a cell."""
        if (header := self._header) is None:
            return False
        cells = cells_of(line, header)
        return cells is not None and cells[header.columns.get("partition", 0)].isdigit()

    def _note(self, number: int, line: str) -> None:
        self._facts.other.note(number, line.encode(), FORMAT, kind_of(line.strip()))


def _restyled(cell: Any, style: Any) -> Any:
    try:
        return whole(cell, style)
    except NoNumber:
        return cell
