"""Brokers' logs on Spark. Tasks read ranges of files and find messages about groups. Then a task
gets all messages of a group and stores the group's rebalances in the lake.

    done = ingest_logs(inputs, lake, spark, cluster="production", zone="Europe/Berlin")
    done.new  # rebalances that the lake did not have
"""

import gzip
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from io import BufferedReader, RawIOBase
from itertools import groupby, islice
from typing import IO, Any, NamedTuple

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from evenkeel.data.lake.place import Place
from evenkeel.data.pipeline.faults import named_errors
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.rebalances.reading.from_log import LogCauses
from evenkeel.data.rebalances.store import add_to_lake
from evenkeel.data.sources.coordinator_log import HEAD_BYTES, Counts, LogMessage, messages_of
from evenkeel.data.sources.detection import BROKER_LOG, log_kind

TASK_BYTES = 32 * 2**20
_PIECE_BYTES, _BATCH_ROWS = 2**20, 10_000
_PACKED = b"\x1f\x8b"

_COUNTED = ("lines", "used", "undated", "cut")
MESSAGES = pa.schema(
    [
        ("ordered_at", "int64"),
        ("file", "int32"),
        ("line", "int64"),
        ("at", "int64"),
        ("broker", "int64"),
        *((name, "string") for name in ("kind", "group", "place", "text")),
        ("number", "int64"),
        ("member", "string"),
        ("instance", "string"),
        ("count", "int64"),
        *((name, "string") for name in ("reason", "state", "client")),
        ("session_ms", "int64"),
        *((name, "int64") for name in _COUNTED),
        ("is_naive", "bool"),
    ]
)
"""Messages that are not grouped yet. A row without a kind has the counts of a range's lines."""
_STORED = pa.schema([("rebalances", "int64"), ("new", "int64")])


@dataclass(frozen=True)
class LogRange:
    """A range of bytes of a log file. It starts and ends between two lines. `first_line`: number of
    the range's first line.
    """

    input_file: Input
    file: int
    start: int
    stop: int
    first_line: int
    is_packed: bool = False

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Yield the text of the range as a file."""
        with self.input_file.place.opened(self.input_file.key) as file:
            if self.is_packed:
                with gzip.open(file) as text:
                    yield text
            else:
                file.seek(self.start)
                yield BufferedReader(_Within(file, self.stop - self.start))


class _Within(RawIOBase):
    """A file that ends `size` bytes after the present position of `file`."""

    def __init__(self, file: IO[bytes], size: int):
        self._file, self._left = file, size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._file.read(min(len(buffer), self._left))
        self._left -= len(data)
        buffer[: len(data)] = data
        return len(data)


class Done(NamedTuple):
    """Counts of lines, of rebalances, and of rebalances that the lake did not have.

    `used`: lines with a message about a group. `undated`: messages without a time. `cut`: messages
    that are cut off.
    """

    lines: int
    used: int
    undated: int
    cut: int
    rebalances: int
    new: int


def is_log(input_file: Input) -> bool:
    """Return whether a file is a broker's log, plain or compressed. The first 16 MB of the text
    decide.
    """
    try:
        with input_file.place.opened(input_file.key) as file:
            return log_kind(file.read(HEAD_BYTES)) == BROKER_LOG
    except FileNotFoundError:
        return False


def ingest_logs(
    inputs: Sequence[Input],
    lake: Place,
    spark: Callable[[], SparkSession],
    cluster: str | None = None,
    zone: str | None = None,
) -> Done:
    """Read several logs as one log, and add the rebalances to the lake. If a log was read before,
    nothing is added twice.

    Raises
    ------
    SnapshotError
        If a file cannot be read, or the lake cannot be written.
    """
    ranges = [part for number, file in enumerate(inputs) for part in ranges_of(file, number)]
    names = _names(inputs)
    with named_errors([file.name for file in inputs], lake):
        session = spark()
        messages = (
            session.range(0, len(ranges), 1, len(ranges))
            .mapInArrow(_reader(ranges, names, zone), from_arrow_schema(MESSAGES))
            .cache()
        )
        counts = messages.filter("kind is null").select(*_COUNTED, "is_naive").toArrow()
        zone_assumed = zone is None and any(counts["is_naive"].to_pylist())
        # With an explicit number of partitions, Spark does not merge these tasks.
        messages_known = messages.filter("kind is not null").repartition(
            max(2 * len(ranges), 1), "group"
        )
        in_order = messages_known.sortWithinPartitions("group", "ordered_at", "file", "line")
        stored = in_order.mapInArrow(
            _storing(lake, cluster, zone_assumed), from_arrow_schema(_STORED)
        ).toArrow()
        messages.unpersist()
    totals = {name: sum(counts[name].to_pylist()) for name in _COUNTED}
    return Done(**totals, **{name: sum(stored[name].to_pylist()) for name in _STORED.names})


def ranges_of(input_file: Input, file: int) -> list[LogRange]:
    """Return the ranges of a file. A compressed file has one range."""
    ranges: list[LogRange] = []
    with input_file.place.opened(input_file.key) as opened:
        start, line = 0, 1
        while block := opened.read(TASK_BYTES):
            if start == 0 and block.startswith(_PACKED):
                return [LogRange(input_file, file, 0, 0, 1, is_packed=True)]
            rest = 0 if block.endswith(b"\n") else _to_line_end(opened)
            stop = start + len(block) + rest
            ranges.append(LogRange(input_file, file, start, stop, line))
            start, line = stop, line + block.count(b"\n") + (rest > 0)
    return ranges


def _to_line_end(opened: IO[bytes]) -> int:
    """Read to the end of the line; return the number of bytes. The line is read in pieces, because
    it may be larger than the memory.
    """
    length = 0
    while piece := opened.readline(_PIECE_BYTES):
        length += len(piece)
        if piece.endswith(b"\n"):
            break
    return length


def _names(inputs: Sequence[Input]) -> list[str]:
    """Return the file names that are quoted as evidence. They are without folders, unless two files
    have the same name.
    """
    short = [file.name.rpartition("/")[2] for file in inputs]
    return [
        name if short.count(name) == 1 else file.name
        for name, file in zip(short, inputs, strict=True)
    ]


def _reader(ranges: Sequence[LogRange], names: Sequence[str], zone: str | None) -> Callable:
    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch["id"].to_pylist():
                yield from messages_in(ranges[number], names[ranges[number].file], zone)

    return read


def messages_in(part: LogRange, name: str, zone: str | None) -> Iterator[pa.RecordBatch]:
    """Yield the messages of a range as rows of MESSAGES, then a row with the counts. Only one batch
    of rows is in memory at a time.
    """
    counts = Counts()
    with part.opened() as file:
        rows = (
            message._asdict()
            | {
                "ordered_at": ordered_at,
                "file": part.file,
                "line": int(message.place.rpartition(":")[2]),
            }
            for ordered_at, message in messages_of(file, name, zone, counts, part.first_line)
        )
        while batch := list(islice(rows, _BATCH_ROWS)):
            yield pa.RecordBatch.from_pylist(batch, schema=MESSAGES)
    count_values = asdict(counts)
    yield pa.RecordBatch.from_pylist(
        [{column: count_values[column] for column in (*_COUNTED, "is_naive")}], schema=MESSAGES
    )


def _storing(lake: Place, cluster: str | None, zone_assumed: bool) -> Callable:
    """Return the function that each Spark task runs. It stores one group after the other, so that
    the task has only one group in memory.
    """

    def stored(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows = (row for batch in batches for row in batch.to_pylist())
        for _, group_messages in groupby(_once(rows), key=lambda message: message.group):
            causes = LogCauses()
            for message in group_messages:
                causes.take(message)
            events = causes.events()
            for event in events:
                event.zone_assumed = zone_assumed
            counts = {"rebalances": len(events), "new": add_to_lake(lake, events, cluster)}
            yield pa.RecordBatch.from_pylist([counts], schema=_STORED)

    return stored


def _once(rows: Iterator[dict]) -> Iterator[LogMessage]:
    """Yield the messages in order. If several files have the same message, with the same time and
    broker, it is yielded once.
    """
    seen: dict[tuple, int] = {}
    latest = None
    for row in rows:
        if (moment := (row["group"], row["ordered_at"])) != latest:
            latest, seen = moment, {}
        key = (row["broker"], row["at"], row["text"])
        if seen.setdefault(key, row["file"]) == row["file"]:
            yield LogMessage(*(row[name] for name in LogMessage._fields))
