"""A batch that holds the slots of a day: every row says in the column `batch` which slot it is of."""

from collections.abc import Container, Sequence

import msgspec
import pyarrow as pa

from evenkeel.data import clock
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.tables import schemas

COLUMN = "batch"
SCHEMAS = {name: schema.append(pa.field(COLUMN, pa.string(), nullable=False)) for name, schema in schemas.STORED.items()}

CODED = pa.dictionary(pa.int32(), pa.string())
"""Text as rows are held in memory: thousands have the same few names."""


def coded_schema(schema: pa.Schema, plain: Container[str] = ()) -> pa.Schema:
    """Return a schema with its text dictionary-encoded, but for columns that stay `plain`."""
    return pa.schema([field.with_type(CODED) if field.type == pa.string() and field.name not in plain else field for field in schema])


def coded_names(schema: pa.Schema) -> list[str]:
    """Return the columns that are dictionary-encoded, as readers of Parquet ask for them."""
    return [field.name for field in schema if field.type == CODED]


def manifest_of_day(
    batch: str, slots: Sequence[Manifest], tables: dict[str, tuple[str, ...]], first_groups: dict[str, tuple[str, ...]]
) -> Manifest:
    """Return the manifest of slots whose rows are stored in these files, each with the groups of a range where they are several."""
    return Manifest(
        batch=batch,
        ingested_at=clock.now(),
        taken_at=min(one.taken_at or one.ingested_at for one in slots),
        tables=tables,
        cluster=slots[0].cluster,
        slots=tuple(_without_files(one) for one in slots),
        first_groups={name: first for name, first in first_groups.items() if len(first) > 1},
    )


def slots_of(one: Manifest) -> tuple[Manifest, ...]:
    """Return the slots of a day, each with the files of the day that have its rows; any other batch alone."""
    if not one.slots:
        return (one,)
    known: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = {}
    return tuple(msgspec.structs.replace(slot, tables=_tables(slot, one, known), first_groups=one.first_groups) for slot in one.slots)


def _tables(slot: Manifest, day: Manifest, known: dict[tuple[str, ...], dict[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    # Thousands of slots that have the same tables share one dictionary.
    names = tuple(slot.tables)
    return known.setdefault(names, {name: day.tables.get(name, ()) for name in names})


def _without_files(one: Manifest) -> Manifest:
    return msgspec.structs.replace(one, tables={name: () for name, files in one.tables.items() if files}, first_groups={})
