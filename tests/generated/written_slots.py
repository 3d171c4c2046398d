"""Slots of a lake from literal rows: groups that are odd, of which no simulation makes any."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pyarrow as pa

from evenkeel.data.group.tables import schemas
from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slot_batch
from evenkeel.data.lake.writing import write_table

DAY = datetime(2026, 11, 10, tzinfo=UTC)


def write_slot(
    lake: Place,
    number: int,
    offsets: Sequence[dict],
    members: Sequence[dict] = (),
    cluster: str | None = "c",
    topics: Sequence[dict] = (),
) -> None:
    """Publish a slot of 30 s, or without a cluster a batch of files at its time; `topics`: rows of
    TOPICS.
    """
    at = DAY + timedelta(seconds=30 * number)
    batch = slot_batch(cluster, int(at.timestamp())) if cluster else f"files{number}"
    head = {
        "taken_at": at,
        "cluster": cluster,
        "group_type": "classic",
        "source_file": "f",
        "source_line": 1,
    }
    groups = sorted({row["group_id"] for row in (*offsets, *members)})
    files = {}
    for name, rows in {
        "OFFSETS": offsets,
        "MEMBERS": members,
        "TOPICS": topics,
        "GROUP_LOAD": [{"group_id": group} for group in groups],
    }.items():
        schema = schemas.STORED[name]
        table = pa.Table.from_pylist(
            [
                {key: one for key, one in (head | row).items() if key in schema.names}
                for row in rows
            ],
            schema=schema,
        )
        if rows:
            files[name] = (f"{name}/{batch}/0.parquet",)
            write_table(table, schema, lake, files[name][0])
    manifest.publish(
        lake, Manifest(batch=batch, ingested_at=at, taken_at=at, tables=files, cluster=cluster)
    )


def kept_up(
    group_id: str, number: int, owners: Sequence[str | None] = ("A", "B"), topic: str = "orders"
) -> list[dict]:
    """Return rows of OFFSETS of a group of four partitions that keeps up; 10 records come in a
    slot.
    """
    end = 100 + 10 * number
    return [
        {
            "group_id": group_id,
            "topic": topic,
            "partition": partition,
            "begin_offset": 0,
            "committed_offset": end - 3 * (number % 2),
            "end_offset": end,
            "member_id": owners[partition % len(owners)],
        }
        for partition in range(4)
    ]


def members_of(group_id: str, names: Sequence[str] = ("A", "B")) -> list[dict]:
    """Return rows of MEMBERS."""
    return [
        {
            "group_id": group_id,
            "member_id": name,
            "generation": 1,
            "member_order": place,
            "subscribed": ["orders"],
        }
        for place, name in enumerate(names)
    ]


def restarting(group_id: str, number: int) -> tuple[list[dict], list[dict]]:
    """Return rows of a group whose third consumer has restarted in every slot: another id each
    time, and its partition as before.
    """
    names = ("orders-0-a1", "orders-1-b1", f"orders-2-{number:08x}-0000-4000-8000-000000000000")
    who = {
        name: {"client_id": name[:8], "host": f"/10.0.0.{place}"}
        for place, name in enumerate(names)
    }
    offsets = [
        row | who[row["member_id"]] | {"assignor": "range"}
        for row in kept_up(group_id, number, names)
    ]
    return offsets, [
        row | who[row["member_id"]] | {"generation": number + 1}
        for row in members_of(group_id, names)
    ]
