"""Collects the facts about groups that tools print, as rows of the tables. It reads each tool's
word for an unknown value, drops impossible lags, and names members without an id.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.parsed import ParsedTables, rows_table
from evenkeel.data.group.tables.row_lag import lag_of_row
from evenkeel.data.sources.numbers import INT64, MAX_PARTITION, plain_dashes
from evenkeel.data.sources.separated.values import (
    Style,
    assignor_of,
    digits,
    names_no_zone,
    state_of,
    style_of,
    word,
)
from evenkeel.data.sources.separated.values import time as time_in
from evenkeel.data.sources.source import Context, OtherLines

OFFSETS = ("begin_offset", "committed_offset", "end_offset")
MEMBER = ("member_id", "instance_id", "client_id", "host")

_WHOLE = re.compile(r"[+-]?\d{1,19}")
_DECIMAL = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")
_MARKS = ",.'_ "


class NoNumber(ValueError):
    """A cell in a column of numbers is not a number. The error's text is the cell."""


def whole(value: Any, style: Style | None = None) -> int | None:
    """Return a whole number, None if unknown.

    Raises
    ------
    NoNumber
        For every other value, also for a number with a fraction.
    """
    if isinstance(value, bool):
        raise NoNumber(str(value))
    if isinstance(value, int):
        return value if abs(value) <= INT64 else None
    text = word(value)
    if text is None:
        return None
    text = plain_dashes(text)
    if style is not None:
        text = digits(text, style) or text
    if _WHOLE.fullmatch(text) and abs(int(text)) <= INT64:
        return int(text)
    if _DECIMAL.fullmatch(text) and float(text).is_integer() and abs(float(text)) < 2**53:
        return int(float(text))
    raise NoNumber(text[:80])


def style_in(cells: Iterable[Any]) -> Style | None:
    """Return the number style of a column. None if no cell has separators, or if the style is
    unclear.
    """
    texts = [text for text in map(word, cells) if text is not None]
    if not any(mark in text for text in texts for mark in _MARKS):
        return None
    return style_of(texts)


def time_of(value: Any, zone: tzinfo | None = None) -> datetime | None:
    """Return a time, None if the value is not a time. `zone`: the zone in which a time without a
    zone is read."""
    text = word(value)
    try:
        return time_in(text, "time", zone) if text else None
    except ValueError:
        return None


_ASSIGNMENT = re.compile(
    r"(?<![A-Za-z0-9._-])([A-Za-z0-9._-]+)\s*(?:\(([\d,\s-]*)\)|:\s*\[?([\d,\s-]+)\]?)"
)
_RANGES = re.compile(r"\[?[\d,\s-]*\d\]?|\[\]")


def assignment_in(value: Any, topic: str | None = None) -> dict[str, list[int]] | None:
    """Return the partitions by topic in a printed assignment, such as `t(0,1), u(2)` or
    `t:0,1;u:2`; None for other values. If `topic` is given, only its numbers are read, such as
    `[0 1]`, `0,1` or `0-2`.
    """
    text = word(value)
    if text is None:
        return {}
    if topic is not None and _RANGES.fullmatch(text):
        return {topic: _numbers(text)}
    if topic is None and not _ASSIGNMENT.sub("", text).strip(" ,;"):
        held: dict[str, list[int]] = {}
        for match in _ASSIGNMENT.finditer(text):
            held.setdefault(match[1], []).extend(_numbers(match[2] or match[3] or ""))
        return held
    return None


def _numbers(text: str) -> list[int]:
    numbers: list[int] = []
    for part in re.split(r"[,\s]+", text.strip(" []")):
        first, _, last = part.partition("-")
        if first.isdigit() and int(first) <= MAX_PARTITION:
            stop = int(last) if last.isdigit() else int(first)
            numbers += range(int(first), min(stop, MAX_PARTITION) + 1)
    return numbers


@dataclass
class Facts:
    """Rows about groups in one file, in input order.

    `line_count`: number of lines, or of records in JSON. Each row has the number of its line.
    """

    file: str
    context: Context
    line_count: int = 0
    other: OtherLines = field(default_factory=OtherLines)
    offsets: list[dict[str, Any]] = field(default_factory=list)
    topics: list[dict[str, Any]] = field(default_factory=list)
    groups: dict[str | None, dict[str, Any]] = field(default_factory=dict)
    members: dict[tuple, dict[str, Any]] = field(default_factory=dict)
    remarks: dict[tuple[str, str | None], list[tuple[int, str]]] = field(default_factory=dict)
    _named: set[tuple[str | None, str]] = field(default_factory=set)

    def remark(self, code: str, group_id: str | None, line: int, detail: str = "") -> None:
        """Add a remark about a group, or about a partition or member of it."""
        self.remarks.setdefault((code, group_id), []).append((line, detail))

    def check_total(
        self, line: int, printed: int | None, rows: Sequence[Mapping[str, Any]]
    ) -> None:
        """Add a remark if a printed total lag differs from the sum of the lags of `rows`. If a
        row's lag is unknown, the total is not checked.
        """
        lags = [lag_of_row(row) for row in rows]
        known = [lag for lag in lags if lag is not None]
        if printed is None or not known or len(known) < len(lags) or sum(known) == printed:
            return
        detail = f"{printed:,} printed, {sum(known):,} in the rows"
        self.remark("total_differs", rows[0]["group_id"], line, detail)

    def add_partition(self, line: int, values: Mapping[str, Any]) -> None:
        """Add a row with topic, partition and further values, as printed.

        Raises
        ------
        NoNumber
            If a column of numbers contains another value, or topic or partition is missing.
        """
        row: dict[str, Any] = {"source_line": line, "topic": word(values.get("topic"))}
        row["group_id"] = self._group(values)
        row["partition"] = whole(values.get("partition"))
        if row["topic"] is None or row["partition"] is None:
            raise NoNumber("nothing")
        if not 0 <= row["partition"] <= MAX_PARTITION:
            raise NoNumber(str(row["partition"]))
        for column in OFFSETS:
            offset = whole(values.get(column))
            row[column] = None if offset is None or offset < 0 else offset
        row["listed_lag"] = _lag(row, values)
        if _differs(row, values):
            self.remark("lag_differs", row["group_id"], line)
        row |= self._member(values, line)
        zone = self.context.zone
        row["taken_at"] = time_of(values.get("taken_at"), zone) or self.context.taken_at
        if zone is None and names_no_zone(word(values.get("taken_at")) or ""):
            self.remark("zone_assumed", row["group_id"], line)
        self.offsets.append(row)
        self.add_group(line, values)

    def add_group(self, line: int, values: Mapping[str, Any]) -> None:
        """Add a group's state, assignor and type."""
        row = {
            "group_state": state_of(values.get("group_state")),
            "assignor": assignor_of(values.get("assignor")),
            "group_type": word(values.get("group_type")),
        }
        row = {column: value for column, value in row.items() if value is not None}
        group_id = self._group(values)
        if row:
            head = self.groups.setdefault(group_id, {"source_line": line, "group_id": group_id})
            head |= row | {"source_line": line}

    def add_member(
        self, line: int, values: Mapping[str, Any], held: Mapping[str, Iterable[int]] | None = None
    ) -> None:
        """Add a member. `held`: its partitions by topic, None if unknown."""
        named = self._member(values, line)
        if named.get("member_id") is None:
            return
        group_id = self._group(values)
        member = self.members.setdefault(
            (group_id, named["member_id"]),
            named | {"source_line": line, "group_id": group_id, "owned": None},
        )
        for topic, partitions in (held or {}).items():
            member["owned"] = member["owned"] or {}
            member["owned"].setdefault(topic, []).extend(partitions)
        if held is not None and member["owned"] is None:
            member["owned"] = {}
        self.add_group(line, values)

    def add_topic(self, line: int, topic: str, count: int | None = None) -> None:
        """Add a topic and its partition count."""
        self.topics.append({"source_line": line, "topic": topic, "partition_count": count})

    def has_rows(self) -> bool:
        """Return whether there is any row about a group or topic."""
        return bool(self.offsets or self.members or self.groups or self.topics)

    def parsed(self, source_format: str, tool: str | None = None) -> ParsedTables:
        """Return the tables. A line that is neither a row nor rejected counts as a note. `tool`:
        the tool that printed the text, if known.
        """
        given = {
            "cluster": self.context.cluster,
            "source_file": self.file,
        }
        named = given | {"source_format": source_format}
        times = {row["taken_at"] for row in self.offsets}
        time_of_all = times.pop() if len(times) == 1 else self.context.taken_at
        timed = named | {"taken_at": time_of_all}
        for row in self.offsets:
            row.setdefault("source_format", source_format)
        self._drop_lags_of_no_commit()
        self._settle_owners()
        self._name_head()
        for (code, group_id), places in self.remarks.items():
            (line, detail), *_ = places
            self.other.remark(code, group_id, len(places), line, detail)
        rows = self.offsets + self.topics + list(self.groups.values()) + list(self.members.values())
        row_count = len({row["source_line"] for row in rows})
        other = self.other.parsed(self.file)
        return replace(
            other,
            offsets=rows_table(self.offsets, schemas.OFFSETS, given),
            members=rows_table(self._members(), schemas.MEMBERS, timed),
            topics=rows_table(self.topics, schemas.TOPICS, timed),
            line_count=self.line_count,
            row_count=row_count,
            note_count=self.line_count - row_count - other.rejected.num_rows,
            formats=(tool or source_format,) if rows else (),
        )

    def _name_head(self) -> None:
        """Add the state and assignor of a group without an id to the group of the rows, if the rows
        contain only one group.
        """
        groups = {row["group_id"] for row in self.offsets}
        if None in groups or len(groups) != 1 or None not in self.groups:
            return
        (group_id,) = groups
        own = self.groups.get(group_id, {})
        self.groups[group_id] = self.groups.pop(None) | {"group_id": group_id} | own

    def _settle_owners(self) -> None:
        """If a partition's row and the list of members name different owners, use the owner of the
        row.
        """
        owners = {
            (row["group_id"], row["topic"], row["partition"]): row["member_id"]
            for row in self.offsets
            if (row["group_id"], row["member_id"]) in self.members
        }
        for (group_id, member_id), member in self.members.items():
            for topic, partitions in (member["owned"] or {}).items() if owners else ():
                for partition in set(partitions):
                    owner = owners.get((group_id, topic, partition), member_id)
                    if owner != member_id:
                        partitions[:] = [number for number in partitions if number != partition]
                        self.remark("owners_differ", group_id, member["source_line"])
                        self._hand_over(group_id, owner, topic, partition)

    def _hand_over(self, group_id: str | None, owner: str, topic: str, partition: int) -> None:
        owned = self.members[group_id, owner]["owned"]
        if owned is not None and partition not in owned.setdefault(topic, []):
            owned[topic].append(partition)

    def _drop_lags_of_no_commit(self) -> None:
        """Set lags to unknown that a tool computed without a commit, if other rows of the same
        format have a commit.
        """
        formats = {
            row["source_format"] for row in self.offsets if row["committed_offset"] is not None
        }
        for row in self.offsets:
            end, lag = row["end_offset"], row["listed_lag"]
            is_known = row["committed_offset"] is not None or None in (end, lag)
            if is_known or row["source_format"] not in formats:
                continue
            if _is_of_no_commit(lag, row["begin_offset"] or 0, end):
                row["listed_lag"] = None

    def _members(self) -> list[dict[str, Any]]:
        heads = list(self.groups.values())
        return heads + [
            member | {"member_order": order, "owned": _held(member["owned"])}
            for order, member in enumerate(self.members.values())
        ]

    def _group(self, values: Mapping[str, Any]) -> str | None:
        return word(values.get("group_id")) or self.context.group_id

    def _member(self, values: Mapping[str, Any], line: int) -> dict[str, str | None]:
        named = {column: word(values.get(column)) for column in MEMBER}
        if named["member_id"] is None:
            client, host = named["client_id"], named["host"]
            of_both = f"{client}@{host}" if client and host else client
            named["member_id"] = named["instance_id"] or of_both
            group_id = self._group(values)
            if named["member_id"] and (group_id, named["member_id"]) not in self._named:
                self._named.add((group_id, named["member_id"]))
                self.remark("guessed_member_ids", group_id, line)
        return named


def _held(owned: Mapping[str, list[int]] | None) -> list[dict[str, Any]] | None:
    if owned is None:
        return None
    return [
        {"topic": topic, "partitions": sorted(set(partitions))}
        for topic, partitions in owned.items()
    ]


def _whole_lag(values: Mapping[str, Any]) -> int | None:
    """Return the printed lag, None if it has a fraction: it is an average."""
    text = word(values.get("listed_lag"))
    try:
        return whole(values.get("listed_lag"))
    except NoNumber:
        if text is None or not _DECIMAL.fullmatch(text):
            raise
        return None


def _differs(row: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Return whether the printed lag differs from the lag that the offsets give. A printed lag of
    -1 means that no lag is known.
    """
    committed, end = row["committed_offset"], row["end_offset"]
    if committed is None or end is None or word(values.get("error")) is not None:
        return False
    lag = _whole_lag(values)
    return lag not in (None, -1, end - committed) and max(lag or 0, 0) != lag_of_row(row)


def _lag(row: dict[str, Any], values: Mapping[str, Any]) -> int | None:
    """Return the printed lag if an offset is missing. None if both offsets are known, or if the
    tool took a missing commit as -1.
    """
    lag = _whole_lag(values)
    committed, end = row["committed_offset"], row["end_offset"]
    begin = row["begin_offset"] or 0
    if word(values.get("error")) is not None:
        if end == 0:
            row["end_offset"] = None
        return None
    if lag is None or lag < 0 or None not in (committed, end):
        return None
    if "committed_offset" in values and committed is None and end is not None:
        return None if _is_of_no_commit(lag, begin, end) else lag
    if committed is None and end is None and whole(values.get("committed_offset")) == -1:
        return None
    return lag


def _is_of_no_commit(lag: int, begin: int, end: int) -> bool:
    """Return whether a lag is one that tools print for a partition without a commit."""
    return lag == end + 1 or lag == 0 and end > begin
