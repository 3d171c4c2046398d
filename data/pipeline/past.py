"""History of a whole cluster in a metrics store, copied into the lake. Each Spark task copies some
hours.
"""

from collections.abc import Iterator
from contextlib import closing

import msgspec
import pyarrow as pa
from pyspark.sql import SparkSession

from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.configuration.handover import take_over
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import Place
from evenkeel.data.pipeline.ingest.on_spark import numbers
from evenkeel.data.prometheus.copy import CopyCounts, Range, copied, gaps_between
from evenkeel.data.prometheus.past import Past

AT_ONCE = 2
"""Number of tasks at the same time. Each task sends one request at a time, because the store has
other readers.
"""


def copy_past(spark: SparkSession, lake: Place, cluster: str, over: Range) -> CopyCounts:
    """Copy the slots of all groups of a cluster, except slots that the lake already has. If an hour
    fails, the hours before it stay in the lake.

    Raises
    ------
    SnapshotError
        If the store refuses or has no data in this range, or if the lake cannot be written.
    """
    profile = profile_of(cluster)
    past = Past(profile)
    with closing(past):
        reading = past.reading(None, *over.milliseconds)
    if reading is None:
        raise SnapshotError(
            f"{past.store}: no offset of a group of {cluster} from {over.since:%Y-%m-%dT%H:%M:%SZ} "
            f"to {over.until:%Y-%m-%dT%H:%M:%SZ}"
        )
    hours = over.hours()

    def answers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        take_over()
        with closing(Past(profile, at_once=1)) as own:
            done = [copied(lake, own, reading, hours[number]) for number in numbers(batches)]
        yield pa.RecordBatch.from_pydict(
            {"answer": [msgspec.json.encode(answer) for answer in done]}
        )

    rows = (
        spark.range(0, len(hours), 1, min(AT_ONCE, len(hours)))
        .mapInArrow(answers, "answer binary")
        .collect()
    )
    total = sum((msgspec.json.decode(row.answer, type=CopyCounts) for row in rows), CopyCounts())
    if total.problem:
        raise SnapshotError(f"{total.problem}; {total.slots:,} slots are in {lake}")
    return total + CopyCounts(gaps=gaps_between(lake, past, reading, over))
