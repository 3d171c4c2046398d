"""Store of what is computed from histories, beside the batches: one file for each table, cluster and group, written over the one before."""

import hashlib

import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.lake.damage import named_damage
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.slot_batches import slug_of
from evenkeel.data.lake.writing import write_table
from evenkeel.data.tables.schemas import HISTORY

FOLDER = "history"


def store_history(lake: Place, name: str, table: pa.Table, cluster: str | None, group_id: str | None = None) -> str:
    """Write a table of a cluster, or of one group; return its key."""
    key = _key(name, cluster, group_id)
    write_table(table, HISTORY[name], lake, key)
    return key


def stored_history(lake: Place, name: str, cluster: str | None, group_id: str | None = None) -> pa.Table:
    """Return a table of a cluster, or of one group; empty where none is stored."""
    key = _key(name, cluster, group_id)
    try:
        data = lake.read(key)
    except FileNotFoundError:
        return HISTORY[name].empty_table()
    with named_damage(lake, [key]):
        return pq.read_table(pa.BufferReader(data), schema=HISTORY[name])


def _key(name: str, cluster: str | None, group_id: str | None) -> str:
    # A group's name may hold any character.
    group = "all" if group_id is None else hashlib.sha256(group_id.encode()).hexdigest()[:32]
    return f"{FOLDER}/{name}/{slug_of(cluster) if cluster else 'files'}/{group}.parquet"
