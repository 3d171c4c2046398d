"""Tasks of an ingest, and the transforms over their files, on Spark."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from evenkeel.data.group.tables.load import (
    GROUP,
    UNNAMED_IN,
    load_by_group,
    load_by_member,
    shares_of_members,
    shares_of_partitions,
)
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.writing import (
    SCHEMAS,
    Done,
    files_of,
    members_tell_owners,
    read_parts,
    results_of,
    write_part,
)
from evenkeel.data.pipeline.ingest.repeats import SCHEMA, Cell, applied, batch_of, cells_of, parted


@dataclass(frozen=True)
class SparkShuffle:
    """Runs functions in Spark's tasks and groups the cells by bucket. Spark does nothing before
    `collected` is called.
    """

    session: SparkSession

    def each(self, count: int, function: Callable[[int], Iterable[Cell]]) -> DataFrame:
        """Call a function for every number from 0 to `count` - 1, each in its own Spark task."""

        def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            freeze_imports()
            for number in numbers(batches):
                yield batch_of(function(number))

        return self.session.range(0, count, 1, count).mapInArrow(made, from_arrow_schema(SCHEMA))

    def together(
        self, cells: DataFrame, count: int, function: Callable[[Sequence[Cell]], Iterable[Cell]]
    ) -> DataFrame:
        """Call a function once for each bucket, in any order, with all cells of the bucket.
        `count`: number of Spark tasks. Cells with an answer are returned unchanged.
        """

        def made(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            freeze_imports()
            yield from applied(cells_of(batches), function)

        return cells.repartition(count, "bucket").mapInArrow(made, from_arrow_schema(SCHEMA))

    def collected(self, cells: DataFrame) -> tuple[list[Done], list[Cell]]:
        """Return the answers in the cells, and the cells that are not answers."""
        # Not collect(): it pickles every row, which doubles the processor time for megabytes of
        # keys.
        return parted(cells_of(cells.toArrow().to_batches()))


def numbers(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    """Yield the numbers that a worker received from `spark.range`."""
    for batch in batches:
        yield from batch["id"].to_pylist()


def freeze_imports() -> None:
    """Exclude imported modules from garbage collection. With all modules, the collection after each
    task of a Spark worker takes 40 ms.
    """
    gc.freeze()


# Transforms over the tasks' files: they write LAG, MEMBER_LOAD and GROUP_LOAD to the lake.


SMALL_ROWS = 200_000
"""The driver reads and writes a table with at most this many rows, because a Spark job would take
longer. A Spark task also has about this many rows.
"""

_Batches = Iterator[pa.RecordBatch]


@dataclass(frozen=True)
class Through:
    """Reads tables of the lake into Spark and writes tables. The driver reads and writes a small
    table. For a large table, Spark's tasks read and write one file each.
    """

    spark: SparkSession
    lake: Place
    batch: str

    def read(self, name: str, files: Sequence[str], is_small: bool) -> DataFrame:
        """Return a table of the lake."""
        schema, lake = from_arrow_schema(SCHEMAS[name]), self.lake
        if is_small:
            return self.spark.createDataFrame(read_parts(name, files, self.lake), schema)

        def rows(batches: _Batches) -> _Batches:
            for number in numbers(batches):
                yield from read_parts(name, [files[number]], lake).to_batches()

        return self.spark.range(0, len(files), 1, len(files)).mapInArrow(rows, schema)

    def write(self, name: str, frame: DataFrame, is_small: bool) -> tuple[str, ...]:
        """Store a table and return its files."""
        frame, lake, batch = frame.select(*SCHEMAS[name].names), self.lake, self.batch
        if is_small:
            return (write_part(name, frame.toArrow(), lake, batch),)

        def files(batches: _Batches) -> _Batches:
            rows = list(batches)
            if rows:
                file = write_part(name, pa.Table.from_batches(rows), lake, batch)
                yield pa.RecordBatch.from_pylist(
                    [{"task": TaskContext.get().partitionId(), "file": file}]
                )

        return tuple(
            row.file for row in sorted(frame.mapInArrow(files, "task long, file string").collect())
        )


def write_results(
    spark: SparkSession, lake: Place, batch: str, done: Sequence[Done]
) -> dict[str, tuple[str, ...]]:
    """Compute LAG, MEMBER_LOAD and GROUP_LOAD; return the files of each table. Small tables are
    computed in this process, large tables on Spark.
    """
    through, is_told = Through(spark, lake, batch), members_tell_owners(done)
    lag_rows, member_rows, share_rows = (
        sum(answer.row_counts.get(name, 0) for answer in done)
        for name in ("LAG", "MEMBERS", "SHARES")
    )
    if (lag_rows + member_rows if is_told else share_rows) <= SMALL_ROWS:
        return results_of(lake, batch, done)
    members, lag, shares = (files_of(done, name) for name in ("MEMBERS", "LAG", "SHARES"))
    if not is_told:
        return {"LAG": lag} | _large_loads(
            through, through.read("SHARES", shares, is_small=False), share_rows
        )
    lag_is_small, members_are_small = lag_rows <= SMALL_ROWS, member_rows <= SMALL_ROWS
    owned = with_owner(
        through.read("LAG", lag, lag_is_small), through.read("MEMBERS", members, members_are_small)
    )
    lag = through.write("LAG", owned, lag_is_small)
    of_partitions = _in_parts(
        through.read("LAG", lag, lag_is_small), shares_of_partitions, "LAG", "SHARES"
    )
    of_members = _in_parts(
        through.read("MEMBERS", members, members_are_small), shares_of_members, "MEMBERS", "SHARES"
    )
    return {"LAG": lag} | _large_loads(
        through, of_partitions.unionByName(of_members), lag_rows + member_rows
    )


def _large_loads(through: Through, shares: DataFrame, row_count: int) -> dict[str, tuple[str, ...]]:
    """Compute MEMBER_LOAD and GROUP_LOAD on Spark. A task has about `SMALL_ROWS` rows: all rows of
    some groups.
    """
    task_count = row_count // SMALL_ROWS + 1
    by_member = _in_parts(
        shares.repartition(task_count, *GROUP), load_by_member, "SHARES", "MEMBER_LOAD"
    )
    load = through.write("MEMBER_LOAD", by_member, is_small=False)
    members = through.read("MEMBER_LOAD", load, is_small=False)
    by_group = _in_parts(
        members.repartition(task_count, *GROUP), load_by_group, "MEMBER_LOAD", "GROUP_LOAD"
    )
    return {
        "MEMBER_LOAD": load,
        "GROUP_LOAD": through.write("GROUP_LOAD", by_group, is_small=False),
    }


def _in_parts(
    frame: DataFrame, transform: Callable[[pa.Table], pa.Table], name: str, result: str
) -> DataFrame:
    """Return the result of a transform on Spark. In each Spark task, the transform is called once,
    with all rows of the task.
    """
    schema = SCHEMAS[name]

    def transformed(batches: _Batches) -> _Batches:
        rows = [batch.select(schema.names).cast(schema) for batch in batches]
        yield from transform(pa.Table.from_batches(rows, schema)).to_batches()

    return frame.mapInArrow(transformed, from_arrow_schema(SCHEMAS[result]))


# Owners from rows of members, if rows of offsets have no owners.


_PARTITION = (*GROUP, "topic", "partition")
_SAME = " AND ".join(f"lag.{name} <=> owners.{name}" for name in _PARTITION)

_WITH_OWNER = f"""
SELECT /*+ BROADCAST(owners) */ lag.* EXCEPT (member_id),
    coalesce(lag.member_id, claimed_by) AS member_id
FROM {{lag}} AS lag LEFT JOIN (
    SELECT {", ".join(_PARTITION)}, min(member_id) AS claimed_by
    FROM (
        SELECT {", ".join(GROUP)}, member_id, topic, explode(partitions) AS partition
        FROM (
            SELECT taken_at, cluster, group_id, {UNNAMED_IN}, member_id,
                inline(coalesce(current, owned))
            FROM {{members}}
        )
    )
    GROUP BY {", ".join(_PARTITION)}
) AS owners ON {_SAME}
"""


def with_owner(lag: DataFrame, members: DataFrame) -> DataFrame:
    """(LAG, MEMBERS) -> LAG.

    If `member_id` is null, the owner is searched in rows of MEMBERS with the same `taken_at`: a
    member with the partition in `current`, or in `owned` if `current` is null. If several members
    have the partition, the smallest member id is used.
    """
    return lag.sparkSession.sql(_WITH_OWNER, lag=lag, members=members).select(lag.columns)
