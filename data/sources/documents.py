"""Reads group documents and streams documents. A file contains one document, or a document on each
line (JSON Lines). Each document counts as one line.

A line in a journal of Evenkeel's own assignors contains a group and its leader's assignment. It is
read as the group with this assignment.

If a file starts like JSON but is not valid JSON, for example a truncated document, each line of its
text counts as one line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import msgspec

from evenkeel.assignors.protocol import STREAMS
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import (
    FORMAT,
    STABLE,
    STREAMS_FORMAT,
    Application,
    Document,
    Held,
    JoinedWith,
    decode,
    decode_application,
)
from evenkeel.data.group.document.application import Process, StreamsConsumer
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.load import STREAM
from evenkeel.data.group.tables.parsed import ParsedTables, joined, rows_table
from evenkeel.data.sources.document_rows import rows_of as group_rows_of
from evenkeel.data.sources.source import START, Context, OtherLines

NAME = "evenkeel-document"

_STREAMS = STREAMS_FORMAT.encode()
# Not every bracket starts JSON: log lines can start with a bracket and a time, and tickets with
# {noformat}.
_JOURNAL = re.compile(rb'\s*\{\s*"request"\s*:')
_JSON = re.compile(rb"\s*(\{(?!(?:code|noformat|quote)[}:])|\[\s*([{\],]|-?\d+\s*[,\]]))")


class _Envelope(msgspec.Struct):
    """A record of which only `format` is read."""

    format: str


def recognises(head: bytes, file: str) -> bool:
    """Return whether a file starts like JSON."""
    return _JSON.match(head) is not None


def parse(data: bytes, file: str, context: Context = START) -> ParsedTables:
    """Read all records. An invalid record becomes a rejected line. Its reason says where the record
    is invalid.
    """
    refused, records = OtherLines(), _records(data, context.first_line)
    if records is None:
        return _lines_of_no_json(data, context.first_line).parsed(file)
    runs = groupby(records, lambda record: _is_application(record[1]))
    parts = [
        _READ[is_application](_decoded(run, is_application, refused), file, context)
        for is_application, run in runs
    ]
    return joined([*parts, refused.parsed(file)])


def _is_application(text: bytes) -> bool:
    return _STREAMS in text and _format_of(text) == STREAMS_FORMAT


def _decoded(
    records: Iterable[tuple[int, bytes]], is_application: bool, refused: OtherLines
) -> Iterator[tuple[int, Document | Application]]:
    for number, text in records:
        try:
            yield number, (decode_application if is_application else _decoded_group)(text)
        except SnapshotError as reason:
            refused.reject(number, text, STREAMS_FORMAT if is_application else FORMAT, str(reason))


class _Request(msgspec.Struct):
    group: msgspec.Raw


class _JournalLine(msgspec.Struct):
    """A line of a journal. `sent`: each member's partitions in the first round of a cooperative
    rebalance, else null.
    """

    request: _Request
    assignment: dict[str, Held]
    sent: dict[str, Held] | None = None


def _decoded_group(text: bytes) -> Document:
    """Decode a group document, or a line of a journal.

    Raises
    ------
    SnapshotError
        If the text is neither.
    """
    if not _JOURNAL.match(text):
        return decode(text)
    try:
        line = msgspec.json.decode(text, type=_JournalLine)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"invalid line of a journal: {error}") from None
    group, given = (
        decode(bytes(line.request.group)),
        line.assignment if line.sent is None else line.sent,
    )
    generation = (
        max(
            (
                -1 if member.generation is None else member.generation
                for member in group.members or ()
            ),
            default=-1,
        )
        + 1
    )
    members = [
        msgspec.structs.replace(
            member,
            owned=given.get(member.member_id, {}),
            generation=generation,
            joined_with=JoinedWith(member.owned or {}, member.generation),
        )
        for member in group.members or ()
    ]
    return msgspec.structs.replace(group, members=members, state=STABLE)


def _records(data: bytes, first_line: int) -> list[tuple[int, bytes]] | None:
    """Return (line number, text) of each record. Either the whole file is one record, or each line
    is a record. Return None if the file is not JSON.
    """
    lines = [
        (number, line) for number, line in enumerate(data.split(b"\n"), first_line) if line.strip()
    ]
    if any(_format_of(line) is not None for _, line in lines):
        return lines
    if _fault_of(data) is None:
        return [(first_line, data)]
    return lines if all(_fault_of(line) is None for _, line in lines) else None


def _lines_of_no_json(data: bytes, first_line: int) -> OtherLines:
    """Reject each line of a file that is not JSON, with the file's fault as the reason. Blank lines
    only count as notes."""
    lines, reason = OtherLines(), f"the file begins like JSON but is not JSON: {_fault_of(data)}"
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), first_line):
        if line.strip():
            lines.reject(number, line, None, reason)
        else:
            lines.note_count += 1
    return lines


def _fault_of(text: bytes) -> str | None:
    """Return why a text is not JSON, None if it is JSON."""
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


def _format_of(text: bytes) -> str | None:
    """Return the format of a record, None if it is not JSON or has no format."""
    try:
        return msgspec.json.decode(text, type=_Envelope).format
    except (ValueError, RecursionError):
        return None


# Rows of streams documents, from which `data/group/columns` reads the same applications.


_PROCESS = ("process_id", "client_id", "host", "rack")
_TASK = ("task_id", "stateful", "end_offset_sum", "source_racks", "changelog_racks")


def application_rows_of(
    documents: Iterable[tuple[int, Application]], file: str, context: Context
) -> ParsedTables:
    """Return rows of TASKS, CONSUMERS and MEMBERS from (line number, document) pairs."""
    return joined(_parsed(document, file, line, context) for line, document in documents)


def _parsed(document: Application, file: str, line: int, context: Context) -> ParsedTables:
    group_id = document.application_id if document.application_id is not None else context.group_id
    group = {
        "taken_at": document.taken_at or context.taken_at,
        "cluster": context.cluster,
        "group_id": group_id,
    }
    source = {"source_format": STREAMS_FORMAT, "source_file": file, "source_line": line}
    given = group | source | {"group_type": document.type}
    members = given | {"assignor": None if document.type == STREAMS else STREAM}
    return ParsedTables(
        offsets=schemas.OFFSETS.empty_table(),
        members=rows_table(_members(document), schemas.MEMBERS, members),
        topics=schemas.TOPICS.empty_table(),
        rejected=schemas.REJECTED.empty_table(),
        line_count=1,
        row_count=1,
        note_count=0,
        formats=(STREAMS_FORMAT,),
        tasks=rows_table(_tasks(document), schemas.TASKS, group | source),
        consumers=rows_table(_consumers(document), schemas.CONSUMERS, given),
    )


def _tasks(document: Application) -> list[dict[str, Any]]:
    return [
        {column: getattr(task, column) for column in _TASK}
        | {"task_order": order, "input_partitions": _held(task.input_partitions)}
        for order, task in enumerate(document.tasks or ())
    ]


def _held(held: Held | None) -> list[dict[str, Any]] | None:
    return (
        None
        if held is None
        else [{"topic": topic, "partitions": partitions} for topic, partitions in held.items()]
    )


def _consumers(document: Application) -> list[dict[str, Any]]:
    """Return a row about the application, then a row for each consumer."""
    head = {
        "settings": None
        if document.settings is None
        else msgspec.json.encode(document.settings).decode(),
        "restore_rates": _pairs(document.restore_rates, "name", "rate"),
        "end_offset_rates": _pairs(document.end_offset_rates, "name", "rate"),
        "assumed": document.assumed,
    }
    return [
        head,
        *(
            _row(process, consumer) | {"member_order": order}
            for order, (process, consumer) in enumerate(_threads(document))
        ),
    ]


def _row(process: Process, consumer: StreamsConsumer) -> dict[str, Any]:
    return {column: getattr(process, column) for column in _PROCESS} | {
        "member_id": consumer.member_id,
        "list_order": consumer.order,
        "client_tags": _pairs(process.client_tags, "key", "value"),
        "owned": consumer.owned,
        "standby": consumer.standby,
        "task_offset_sums": _pairs(consumer.task_offset_sums, "task_id", "offset_sum"),
    }


def _pairs(given: Mapping[str, Any] | None, key: str, value: str) -> list[dict[str, Any]] | None:
    return None if given is None else [{key: name, value: each} for name, each in given.items()]


def _threads(document: Application) -> Iterable[tuple[Process, StreamsConsumer]]:
    return (
        (process, consumer)
        for process in document.processes or ()
        for consumer in process.consumers
    )


def _members(document: Application) -> list[dict[str, Any]]:
    """Return an empty row for the group, then a row for each member. `owned` is unknown in all rows
    if the partitions of an owned task are unknown.
    """
    read_by = {task.task_id: task.input_partitions for task in document.tasks or ()}
    knows_all = all(
        _partitions(consumer.owned, read_by) is not None for _, consumer in _threads(document)
    )
    return [
        {},
        *(
            {column: getattr(process, column) for column in _PROCESS[1:]}
            | {
                "member_id": consumer.member_id,
                "member_order": order,
                "owned": _partitions(consumer.owned, read_by) if knows_all else None,
            }
            for order, (process, consumer) in enumerate(_threads(document))
        ),
    ]


def _partitions(
    owned: list[str] | None, read_by: Mapping[str, Held | None]
) -> list[dict[str, Any]] | None:
    if owned is None or any(read_by.get(task_id) is None for task_id in owned):
        return None
    held: dict[str, list[int]] = {}
    for task_id in owned:
        for topic, partitions in read_by[task_id].items():
            held.setdefault(topic, []).extend(partitions or ())
    return [
        {"topic": topic, "partitions": sorted(partitions)} for topic, partitions in held.items()
    ]


_READ = {False: group_rows_of, True: application_rows_of}
