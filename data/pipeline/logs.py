"""Brokers' logs on Spark: tasks read ranges of files, the messages of a group come together, and its rebalances go into the lake.

done = ingest_logs(inputs, lake, spark, cluster="production", zone="Europe/Berlin")
done.new  # rebalances that the lake did not have
"""

import gzip
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from typing import NamedTuple

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from evenkeel.data.lake.place import Place
from evenkeel.data.pipeline.faults import named_errors
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.rebalances.from_log import LogCauses
from evenkeel.data.rebalances.store import add_to_lake
from evenkeel.data.rebalances.table import events_of, table_of
from evenkeel.data.sources.coordinator_log import Counts, Said, messages_of, recognises
from evenkeel.data.tables.schemas import REBALANCES

TASK_BYTES = 32 * 2**20
_HEAD_BYTES = 16 * 2**20
_PACKED = b"\x1f\x8b"

_COUNTED = ("lines", "used", "undated", "cut")
MESSAGES = pa.schema(
    [
        ("ordered_at", pa.int64()),
        ("file", pa.int32()),
        ("line", pa.int64()),
        ("at", pa.int64()),
        ("broker", pa.int64()),
        *((name, pa.string()) for name in ("kind", "group", "place", "text")),
        ("number", pa.int64()),
        ("member", pa.string()),
        ("instance", pa.string()),
        ("count", pa.int64()),
        *((name, pa.string()) for name in ("reason", "state", "client")),
        ("session_ms", pa.int64()),
        *((name, pa.int64()) for name in _COUNTED),
    ]
)
"""Messages on their way to their group; a row without a kind has what became of the lines of a range."""


@dataclass(frozen=True)
class LogRange:
    """Bytes of a file, cut at line ends; `first_line`: the number of the first line."""

    one: Input
    file: int
    start: int
    stop: int
    first_line: int
    is_packed: bool = False

    def read(self) -> bytes:
        """Return the text."""
        with self.one.place.opened(self.one.key) as file:
            if self.is_packed:
                return gzip.open(file).read()
            file.seek(self.start)
            return file.read(self.stop - self.start)


class Done(NamedTuple):
    """What became of the lines, and how many rebalances they tell and are new in the lake."""

    lines: int
    used: int
    undated: int
    cut: int
    rebalances: int
    new: int


def is_log(one: Input) -> bool:
    """Tell whether a file holds a message of a group coordinator in its first 16 MB."""
    try:
        with one.place.opened(one.key) as file:
            return recognises(file.read(_HEAD_BYTES))
    except FileNotFoundError:
        return False


def ingest_logs(
    inputs: Sequence[Input], lake: Place, spark: Callable[[], SparkSession], cluster: str | None = None, zone: str | None = None
) -> Done:
    """Read logs as one history and store their rebalances beside those that the lake has; a log that is read twice adds nothing.

    Raises
    ------
    SnapshotError
        When a file cannot be read, or the lake cannot be written.
    """
    ranges = [part for number, one in enumerate(inputs) for part in ranges_of(one, number)]
    names = _names(inputs)
    with named_errors([one.name for one in inputs], lake):
        session = spark()
        messages = (
            session.range(0, len(ranges), 1, len(ranges)).mapInArrow(_reader(ranges, names, zone), from_arrow_schema(MESSAGES)).cache()
        )
        told = messages.filter("kind is not null")
        in_order = told.repartition("group").sortWithinPartitions("group", "ordered_at", "file", "line")
        table = in_order.mapInArrow(_told(cluster), from_arrow_schema(REBALANCES)).toArrow()
        counts = messages.filter("kind is null").select(*_COUNTED).toArrow()
        messages.unpersist()
    events = events_of(table.cast(REBALANCES))
    totals = {name: sum(counts[name].to_pylist()) for name in _COUNTED}
    return Done(**totals, rebalances=len(events), new=add_to_lake(lake, events, cluster))


def ranges_of(one: Input, file: int) -> list[LogRange]:
    """Return the ranges of a file; a packed one is whole."""
    found: list[LogRange] = []
    with one.place.opened(one.key) as opened:
        start, line = 0, 1
        while block := opened.read(TASK_BYTES):
            if start == 0 and block.startswith(_PACKED):
                return [LogRange(one, file, 0, 0, 1, is_packed=True)]
            block += opened.readline() if not block.endswith(b"\n") else b""
            found.append(LogRange(one, file, start, start + len(block), line))
            start, line = start + len(block), line + block.count(b"\n")
    return found


def _names(inputs: Sequence[Input]) -> list[str]:
    """Return the names of files in places of evidence: without their folders, where that is enough."""
    short = [one.name.rpartition("/")[2] for one in inputs]
    return [name if short.count(name) == 1 else one.name for name, one in zip(short, inputs, strict=True)]


def _reader(ranges: Sequence[LogRange], names: Sequence[str], zone: str | None) -> Callable:
    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch["id"].to_pylist():
                yield from messages_table(ranges[number], names[ranges[number].file], zone).to_batches()

    return read


def messages_table(part: LogRange, name: str, zone: str | None) -> pa.Table:
    """Return the messages of a range as rows of MESSAGES, and one row of counts."""
    counts = Counts()
    rows = [
        said._asdict() | {"ordered_at": ordered_at, "file": part.file, "line": int(said.place.rpartition(":")[2])}
        for ordered_at, said in messages_of(BytesIO(part.read()), name, zone, counts, part.first_line)
    ]
    told = asdict(counts)
    return pa.Table.from_pylist([*rows, {column: told[column] for column in _COUNTED}], schema=MESSAGES)


def _told(cluster: str | None) -> Callable:
    def told(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        causes = LogCauses()
        for said in _once(row for batch in batches for row in batch.to_pylist()):
            causes.take(said)
        yield from table_of(causes.events(), cluster).to_batches()

    return told


def _once(rows: Iterator[dict]) -> Iterator[Said]:
    """Yield messages in order; one that another file has at the same time from the same broker comes once."""
    seen: dict[tuple, int] = {}
    latest = None
    for row in rows:
        if (moment := (row["group"], row["ordered_at"])) != latest:
            latest, seen = moment, {}
        key = (row["broker"], row["at"], row["text"])
        if seen.setdefault(key, row["file"]) == row["file"]:
            yield Said(*(row[name] for name in Said._fields))
