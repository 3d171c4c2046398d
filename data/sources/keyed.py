"""Reads JSON and YAML of any tool by their keys. An object with a partition is a row; its topic,
group, state and member may come from the nearest enclosing object.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import FORMAT as GROUP_FORMAT
from evenkeel.data.group.document import STREAMS_FORMAT
from evenkeel.data.group.tables.parsed import HEADER, ParsedTables
from evenkeel.data.sources import useless
from evenkeel.data.sources.clean import BLANKS, group_in
from evenkeel.data.sources.facts import MEMBER, OFFSETS, Facts, NoNumber, time_of, whole
from evenkeel.data.sources.keyed_object import (
    assigned_numbers,
    frame_fields,
    held,
    member_in,
    own_columns,
    ring,
    rows_by_place,
)
from evenkeel.data.sources.keyed_text import (
    MOST_LEVELS,
    SURROGATE,
    encodable,
    is_yaml,
    json_in,
    names_in,
    start_of,
    values_in,
)
from evenkeel.data.sources.keyed_times import FIGURES, Series, set_times, two_readings
from evenkeel.data.sources.metrics import Sample, add_samples
from evenkeel.data.sources.printing_tool import tool_of
from evenkeel.data.sources.separated.values import word
from evenkeel.data.sources.source import START, Context
from evenkeel.data.sources.synonyms import column_of, plain

NAME = "evenkeel-keyed"
FORMAT = "JSON with offsets of groups"

_INHERITED = ("group_id", "group_state", "assignor", "topic", *MEMBER, "taken_at")
_NOT_THESE = {
    "coordinator",
    "maxlag",
    "coordinatornode",
    "start",
    "request",
    "agent",
    "ecs",
    "cgrp",
}
"""Keys of objects without facts about partitions and members, or with repeated facts."""

_STRUCTURE = {"partitions", "offsets", "lags", "lag", "partitionoffsets", "topics", "members"}
_BY_TOPIC = {"topics", "topicpartitions", "topicoffsets", "topicmap"}
_BY_GROUP = {"consumergroups", "groups"}
_TOTALS = {"totallag", "summedlag"}
_TIME = "@timestamp"
"""The time of an event in Elasticsearch."""

_FIGURE = "figure"
"""Key of a scope: the column of plain numbers below a key that names lag or offsets."""

_URL = re.compile(r"/consumer(?:-group)?s?/([^/\"?\s]+)(?=/(?:lags?|status|offsets)\b|[\"?\s])")


def recognises(head: bytes, file: str) -> bool:
    """Return whether this is JSON with known keys or YAML with a partition, but no own document."""
    text = head.decode("utf-8", "replace").translate(BLANKS)
    is_journal = '"request"' in text[:40] and '"url"' not in text[:400]
    if GROUP_FORMAT in text or STREAMS_FORMAT in text or is_journal:
        return False
    if start_of(text) is None:
        return is_yaml(text)
    names = names_in(text)
    columns = {"partition", "topic", "group_id", "assigned", "member_id"}
    return bool(
        names & (_BY_TOPIC | _BY_GROUP | {"partitionoffsets"})
        or columns & set(map(column_of, names))
    )


def is_about_partitions(text: str) -> bool:
    """Return whether a text has keys about partitions."""
    names = names_in(text)
    columns = {*map(column_of, names)}
    return bool(columns & {"partition", "assigned"} or names & {*_BY_TOPIC, "partitionoffsets"})


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Parse a text with JSON values, or YAML. Each value is one record; all other lines are notes.

    Raises
    ------
    SnapshotError
        If JSON is truncated or invalid, or no value has a partition or member.
    """
    text = data.decode("utf-8", "replace").translate(BLANKS)
    facts = Facts(file, context)
    values = list(values_in(text, file, context.first_line))
    end = context.first_line - 1
    group_in_url = _URL.search(text) if len(values) == 1 else None
    group_id = group_in_url[1] if group_in_url else _group_above(text)
    commits: dict[tuple, tuple[int, dict]] = {}
    has_surrogates = SURROGATE.search(text) is not None
    for number, value in enumerate(values):
        facts.line_count += value.line - end
        end = value.line + value.line_count - 1
        if value.cut is not None:
            _reject_cut(facts, text, value.cut)
        if number:
            facts.other.note(value.line, b"", FORMAT, HEADER)
        content = encodable(value.content) if has_surrogates else value.content
        if _is_commit(content):
            _add_commit(content, value.line, commits)
            continue
        scope = {} if group_id is None else {"group_id": group_id}
        _Reader(facts, value.line).read(content, scope, "", 0)
    facts.line_count += (
        text.count("\n") + (not text.endswith("\n")) - (end - context.first_line + 1)
    )
    for line, row in commits.values():
        facts.add_partition(line, row)
    has_owned = any(member["owned"] for member in facts.members.values())
    if not facts.offsets and not facts.topics and not has_owned:
        useless.refuse(file, data)
    if not facts.has_rows() and not commits:
        raise SnapshotError(
            f"{file}: JSON without a partition of a topic and without members, expected objects "
            "with topic, partition and offsets or lag"
        )
    return facts.parsed(FORMAT, tool_of(text))


def _group_above(text: str) -> str | None:
    """Return the group id in commands above the first value; None if they name none or several."""
    lines = text[: start_of(text) or 0].split("\n")
    names = {group_id for line in lines if (group_id := group_in(line)) is not None}
    return names.pop() if len(names) == 1 else None


def _reject_cut(facts: Facts, text: str, line: int) -> None:
    """Reject the truncated part of a value, as one additional line."""
    facts.line_count += 1
    first = text.split("\n")[line - facts.context.first_line].encode()
    facts.other.reject(line, first, FORMAT, "truncated or invalid JSON, expected a complete value")


# Records of __consumer_offsets, as printed by Kafka's formatter.


def _is_commit(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("key"), dict)
        and isinstance(value["key"].get("data"), dict)
        and "value" in value
    )


def _add_commit(record: dict, line: int, commits: dict[tuple, tuple[int, dict]]) -> None:
    """Add a record's commit to `commits`, which has the latest commit of each partition. A record
    without a value deletes the commit."""
    key = record["key"]["data"]
    place = key.get("group"), key.get("topic"), key.get("partition")
    if None in place:
        return
    data = (record["value"] or {}).get("data")
    if not isinstance(data, dict):
        commits.pop(place, None)
        return
    group_id, topic, partition = place
    row = {"group_id": group_id, "topic": topic, "partition": partition}
    commits[place] = line, row | {"committed_offset": data.get("offset")}


class _Reader:
    def __init__(self, facts: Facts, line: int):
        self._facts, self._line = facts, line
        self._samples: list[Sample] = []
        self._series: list[Series] = []
        self._events: list[tuple[datetime, dict[str, Any]]] = []
        self._totals: list[tuple[str | None, datetime | None, Any]] = []
        self._first = len(facts.offsets)
        self._rows: dict[tuple, dict[str, Any]] = {}

    def read(self, value: Any, scope: Mapping[str, Any], key: str, level: int) -> None:
        """Read a value and everything inside. `scope`: columns from enclosing objects."""
        if level > MOST_LEVELS:
            raise SnapshotError(f"{self._facts.file}: JSON of more than {MOST_LEVELS} levels")
        if isinstance(value, list):
            self._read_list(value, scope, key, level)
        elif isinstance(value, dict):
            self._read_object(value, scope, key, level)
        elif isinstance(value, str) and (inside := json_in(value)) is not None:
            self.read(encodable(inside), scope, key, level + 1)
        if level == 0:
            set_times(self._events)
            rows = self._facts.offsets[self._first :]
            self._facts.offsets[self._first :] = [row for row in rows if not self._conflicts(row)]
            earlier, latest = two_readings(self._series)
            for samples in (earlier, latest + self._samples):
                add_samples(self._facts, [(self._line, sample) for sample in samples])
            self._check_totals()

    def _check_totals(self) -> None:
        for group_id, time, total in self._totals:
            rows = self._facts.offsets[self._first :]
            with suppress(NoNumber):
                of_group = [
                    row
                    for row in rows
                    if row["group_id"] == group_id and time in (None, row["taken_at"])
                ]
                self._facts.check_total(self._line, whole(total), of_group)

    def _read_list(self, value: list, scope: Mapping[str, Any], key: str, level: int) -> None:
        """Read a list. Below a topic, an object without a partition number gets its position."""
        objects = [item for item in value if isinstance(item, dict)]
        owns = [own_columns(item, scope) for item in objects]
        has_partitions = any("partition" in own for own in owns)
        by_place = (
            "topic" in scope
            and len(objects) == len(value)
            and plain(key) not in ("members", "assignments", "assignment")
            and not has_partitions
            and all(
                ring(item) is not None or set(own) & set(FIGURES)
                for item, own in zip(objects, owns, strict=True)
            )
        )
        for place, item in enumerate(value):
            inner = {"partition": place} if by_place else {}
            self._read_item(item, scope, inner, key, level)
        for own in owns if has_partitions else ():
            if "partition" not in own and set(own) & set(OFFSETS):
                self._reject(f"{own.get('topic')}", "an object without a partition among others")

    def _read_item(
        self, item: Any, scope: Mapping[str, Any], inner: dict[str, Any], key: str, level: int
    ) -> None:
        if inner and isinstance(item, dict):
            self._row(scope | own_columns(item, scope) | inner | (ring(item) or {}))
        else:
            self.read(item, scope, key, level + 1)

    def _read_object(
        self, value: dict[str, Any], scope: Mapping[str, Any], key: str, level: int
    ) -> None:
        if isinstance(value.get("metric"), dict) and ("value" in value or "values" in value):
            self._add_sample(value)
            return
        if fields := frame_fields(value):
            self._samples += fields
            return
        if value and all(str(name).isdigit() for name in value):
            self._read_partitions(value, scope, key, level)
            return
        if rows := rows_by_place(value):
            topic = {} if "topic" in scope else {"topic": key or self._facts.context.topic}
            for row in rows:
                self._row(dict(scope) | topic | row)
            return
        own = own_columns(value, scope)
        inner = dict(scope) | {name: own[name] for name in _INHERITED if name in own}
        if isinstance(value.get(_TIME), str):
            inner[_TIME] = value[_TIME]
        if "partition" in own and inner.get("topic") is not None:
            self._partition(own, inner, scope)
            return
        if own.get("group_state") or own.get("assignor"):
            self._facts.add_group(self._line, inner)
        totals = [total for name, total in value.items() if plain(str(name)) in _TOTALS]
        time = time_of(inner.get("taken_at"), self._facts.context.zone)
        self._totals += [(word(inner.get("group_id")), time, total) for total in totals]
        is_member = "member_id" in own or "client_id" in own or "instance_id" in own
        if is_member and "topic" not in own:
            self._facts.add_member(self._line, inner, held(value))
        elif member_in(inner) and own.get("topic") is not None:
            numbers = assigned_numbers(value)
            if numbers is not None:
                self._facts.add_member(self._line, inner, {str(own["topic"]): numbers})
                return
        if "listed_lag" in own:
            # A total lag: plain numbers by partition inside are its parts.
            inner[_FIGURE] = "listed_lag"
        if own.get("topic") is not None and isinstance(own.get("sizes"), int):
            self._facts.add_topic(self._line, str(own["topic"]), own["sizes"])
        self._read_children(value, inner, level)

    def _read_children(self, value: dict[str, Any], scope: Mapping[str, Any], level: int) -> None:
        for key, child in value.items():
            name = plain(str(key))
            is_json = isinstance(child, str) and json_in(child) is not None
            if not (is_json or isinstance(child, dict | list)) or name in _NOT_THESE:
                continue
            by = "group_id" if name in _BY_GROUP else None
            if name in _BY_TOPIC:
                by = "topic"
            parts = child.values() if isinstance(child, dict) else ()
            is_map = all(isinstance(part, dict | list) for part in parts)
            if by and is_map and parts and not all(str(name).isdigit() for name in child):
                for inner, inside in child.items():
                    self.read(inside, dict(scope) | {by: inner}, str(inner), level + 2)
            else:
                self.read(child, dict(scope) | _figure_of(str(key)), str(key), level + 1)

    def _read_partitions(
        self, value: dict[str, Any], scope: Mapping[str, Any], key: str, level: int
    ) -> None:
        """Read an object whose keys are partition numbers. The object's own key is the topic if no
        topic is known.
        """
        inner = dict(scope)
        if plain(key) not in _STRUCTURE or "topic" not in scope:
            inner["topic"] = key
        column = (dict(scope) | _figure_of(key)).get(_FIGURE, "committed_offset")
        for number, child in value.items():
            if isinstance(child, dict):
                self.read({**child, "partition": int(number)}, inner, key, level + 1)
            else:
                self._row(inner | {"partition": int(number), column: child})

    def _partition(
        self, own: dict[str, Any], inner: Mapping[str, Any], scope: Mapping[str, Any]
    ) -> None:
        has_figures = any(name in own for name in FIGURES)
        if has_figures or member_in(own) or not member_in(inner):
            self._row(dict(inner) | own)
        elif member_in(scope):
            with_number = {str(inner["topic"]): [int(own["partition"])]}
            self._facts.add_member(self._line, inner, with_number)

    def _row(self, row: Mapping[str, Any]) -> None:
        has_figures = any(word(row.get(name)) is not None for name in FIGURES)
        if not has_figures and not member_in(row) and "group_id" not in row:
            return
        try:
            self._facts.add_partition(self._line, row)
        except NoNumber as cell:
            if str(cell) not in ("nothing", str(row.get("partition"))):
                place = f"{row.get('topic')}-{row.get('partition')}"
                self._reject(place, f"{str(cell)!r}, expected a whole number")
            return
        time = time_of(row.get(_TIME), self._facts.context.zone)
        if time is not None and row.get("taken_at") is None:
            self._events.append((time, self._facts.offsets[-1]))

    def _conflicts(self, row: dict[str, Any]) -> bool:
        """Return whether a row contradicts an earlier row with the same partition and time. If so,
        reject the row; the earlier row is used.
        """
        key = row["group_id"], row["topic"], row["partition"], row["taken_at"]
        first = self._rows.setdefault(key, row)
        for column in FIGURES:
            if None not in (first[column], row[column]) and first[column] != row[column]:
                place = f"{row['topic']}-{row['partition']}"
                reason = f"{column} of {place} is {row[column]}, expected {first[column]} as before"
                self._reject(place, reason)
                self._facts.remark("conflicting_rows", row["group_id"], self._line)
                return True
        return False

    def _reject(self, place: str, reason: str) -> None:
        """Reject an object as one more line, because the rows of a value share one line number."""
        self._facts.line_count += 1
        self._facts.other.reject(self._line, place.encode(), FORMAT, reason)

    def _add_sample(self, value: dict[str, Any]) -> None:
        labels = {str(name): str(label) for name, label in value["metric"].items()}
        family = labels.pop("__name__", "lag")
        values = value.get("values", [value.get("value")])
        if not isinstance(values, list):
            return
        pairs = [pair for pair in values if isinstance(pair, list) and len(pair) == 2]
        if len(pairs) > 1:
            self._series.append(Series(family, labels, pairs))
        else:
            self._samples += [
                Sample(family, labels, str(number), time_of(time)) for time, number in pairs
            ]


def _figure_of(key: str) -> dict[str, str]:
    """Return, as a scope, the column of plain numbers below a key. It is empty if the key names
    neither a lag nor an offset.
    """
    if column_of(key) == "listed_lag":
        return {_FIGURE: "listed_lag"}
    return {_FIGURE: "committed_offset"} if "offset" in plain(key) else {}
