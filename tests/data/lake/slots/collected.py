"""Slots of a collector, stored as `evenkeel collect` stores them, and everything that a reader sees
of a lake.
"""

from datetime import UTC, datetime, timedelta

import pyarrow as pa

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.lake import manifest, store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slot_batch
from evenkeel.data.lake.writing import write_table

DAY = datetime(2026, 11, 10, tzinfo=UTC)


def snapshot(
    lake: Place,
    at: datetime,
    groups=("billing", "payments"),
    partitions: int = 3,
    cluster: str = "c",
) -> Manifest:
    """Publish a slot: every group has this number of partitions, and a line that could not
    be read.
    """
    batch, taken_at = slot_batch(cluster, int(at.timestamp())), at + timedelta(milliseconds=700)
    head = {"taken_at": taken_at, "cluster": cluster}
    minute = int((at - DAY).total_seconds() / 60)
    offsets = [
        head
        | {
            "group_id": group,
            "topic": "orders",
            "partition": number,
            "committed_offset": minute,
            "end_offset": minute + number,
        }
        for group in groups
        for number in range(partitions)
    ]
    loads = [
        head | {"group_id": group, "lag": partitions * minute, "partition_count": partitions}
        for group in groups
    ]
    rejected = [
        {"source_file": f"cluster {cluster}", "source_line": 9, "text": batch, "reason": "no right"}
    ]
    files = {}
    for name, rows in {"OFFSETS": offsets, "GROUP_LOAD": loads, "REJECTED": rejected}.items():
        files[name] = (f"{name}/{batch}/0.parquet",)
        write_table(
            pa.Table.from_pylist(rows, schema=schemas.STORED[name]),
            schemas.STORED[name],
            lake,
            files[name][0],
        )
    counts = Counts(lines=len(groups) + 1, rows=len(groups), rejected=1)
    one = Manifest(
        batch=batch,
        ingested_at=taken_at + timedelta(seconds=1),
        taken_at=taken_at,
        formats=("evenkeel.group/1",),
        sources=(SourceFile(f"cluster {cluster}", "", 0, counts),),
        counts=counts,
        tables={name: files.get(name, ()) for name in schemas.STORED},
        cluster=cluster,
    )
    manifest.publish(lake, one)
    return one


def gap(lake: Place, first: datetime, last: datetime, cluster: str = "c") -> Manifest:
    """Publish slots without a snapshot."""
    batch = slot_batch(cluster, int(last.timestamp()))
    one = Manifest(
        batch=batch,
        ingested_at=last,
        taken_at=first,
        gap_until=last,
        cluster=cluster,
        gap="the collector did not run",
    )
    manifest.publish(lake, one)
    return one


def seen(lake: Place) -> dict[str, list]:
    """Return what a reader sees of each batch: the manifest without its files, and all rows."""
    found = {}
    for one in store.batches(lake):
        rows = [
            row for name in schemas.STORED for row in store.table(lake, one.batch, name).to_pylist()
        ]
        found[one.batch] = [
            one.taken_at,
            one.gap,
            one.gap_until,
            one.counts,
            one.sources,
            one.holds_groups,
            rows,
        ]
    return found
