"""Changes of a cluster's verdicts, stored as a chain of files.

The name of a file is a time. The file contains all changes after this time, up to the time `until`.
The next file of the chain has the name `until`. So the next name is known in advance, and only one
process can create the file. The files of a finished day are joined: the joined file overwrites the
first file of the day, then the other files are deleted.
"""

import hashlib
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.data.group.tables.history_schemas import HISTORY
from evenkeel.data.lake.manifest import named_damage
from evenkeel.data.lake.place import Place, StoredObject
from evenkeel.data.lake.slots.slot_batches import slug_of
from evenkeel.data.lake.writing import parquet_styles, write_table
from evenkeel.data.threads import in_threads

TABLES = ("GROUP_VERDICT", "MEMBER_VERDICT")

_BEGIN = "00000000T000000Z"
_TIME = "%Y%m%dT%H%M%SZ"
_REMEMBERED: dict[str, dict[StoredObject, "Link"]] = {}


class Link(NamedTuple):
    """A file of a chain. It has the changes from slot `since` to slot `until`, both included."""

    since: datetime
    until: datetime
    rows: pa.Table
    file: StoredObject | None = None


def append(lake: Place, name: str, cluster: str, after: datetime | None, link: Link) -> bool:
    """Store the next file of the chain: the changes after the time `after`. If `after` is None,
    this file is the first. Return False if another process has created this file already.
    """
    return lake.create(
        f"{folder_of(name, slug_of(cluster))}/{_name(after)}.parquet", _encoded(name, link)
    )


def chain(lake: Place, name: str, slug: str) -> list[Link]:
    """Return the files of a chain, oldest first."""
    return _chain(lambda: _links(lake, name, slug, {}, lambda rows: rows))


def last_changes(lake: Place, name: str, slug: str) -> list[Link]:
    """Return the files of a chain, each reduced to the latest change of each group in the file.
    Rows of members are left out. A file that was read before is not read again.
    """
    place = f"{lake}/{folder_of(name, slug)}"

    def links() -> dict[str, Link | None]:
        links = _links(
            lake,
            name,
            slug,
            _REMEMBERED.get(place, {}),
            _last_of_groups if name == "GROUP_VERDICT" else _none,
        )
        _REMEMBERED[place] = {link.file: link for link in links.values() if link and link.file}
        return links

    return _chain(links)


def _chain(look: Callable[[], dict[str, Link | None]]) -> list[Link]:
    while True:
        links = look()
        chain: list[Link] = []
        after = min(links, default="")
        while link := links.get(after):
            chain.append(link)
            after = _name(link.until)
        # The chain ends at a file that was listed but is gone: another process joined it into a
        # larger file. List the files again.
        if after not in links:
            return chain


def tidy_changes(lake: Place, now: datetime, keep: timedelta) -> None:
    """Join the files of each finished day into one file, and delete changes older than `keep`."""
    for name in TABLES:
        for slug in lake.names(f"{FOLDER}/{name}"):
            for links in _days(chain(lake, name, slug)):
                if links[0].until < now - keep - timedelta(days=1):
                    lake.delete(_keys(links))
                elif len(links) > 1:
                    _join(lake, name, links)


def folder_of(name: str, slug: str) -> str:
    """Return the folder of a cluster's changes of verdicts."""
    return f"{FOLDER}/{name}/{slug}/changes"


def _days(links: list[Link]) -> Iterator[list[Link]]:
    days: dict[date, list[Link]] = {}
    for link in links:
        days.setdefault(link.until.date(), []).append(link)
    yield from list(days.values())[:-1]


def _join(lake: Place, name: str, links: list[Link]) -> None:
    rows = pa.concat_tables(link.rows for link in links).sort_by(
        [("group_id", "ascending"), ("taken_at", "ascending")]
    )
    first, *others = _keys(links)
    lake.write(first, _encoded(name, Link(links[0].since, links[-1].until, rows)))
    lake.delete(others)


def _keys(links: list[Link]) -> list[str]:
    return [link.file.key for link in links if link.file]


def _links(
    lake: Place,
    name: str,
    slug: str,
    known: dict[StoredObject, Link],
    keep: Callable[[pa.Table], pa.Table],
) -> dict[str, Link | None]:
    """Return the files of a folder by name. The value is None if a file was deleted meanwhile.
    `known`: files that were read before. `keep` selects rows of a file.
    """
    files = lake.found(folder_of(name, slug))
    new = [file for file in files if file not in known]
    links = in_threads(partial(_read, lake, name, keep), new)
    read = known | dict(zip(new, links, strict=True))
    return {file.key.rpartition("/")[2].removesuffix(".parquet"): read[file] for file in files}


def _read(
    lake: Place, name: str, keep: Callable[[pa.Table], pa.Table], stored_file: StoredObject
) -> Link | None:
    try:
        data = lake.read(stored_file.key)
    except FileNotFoundError:
        return None
    with named_damage(lake, [stored_file.key]):
        return _decoded(data, name, keep, stored_file)


def _decoded(
    data: bytes, name: str, keep: Callable[[pa.Table], pa.Table], stored_file: StoredObject
) -> Link:
    file = pq.ParquetFile(pa.BufferReader(data))
    since, until = (
        datetime.strptime(file.metadata.metadata[key].decode(), _TIME).replace(tzinfo=UTC)
        for key in (b"since", b"until")
    )
    return Link(
        since, until, keep(_of_now(file.read(use_threads=False), HISTORY[name])), stored_file
    )


def _of_now(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    """Add the columns that an older version of Evenkeel did not store."""
    for place, field in enumerate(schema):
        if field.name not in rows.column_names:
            rows = rows.add_column(place, field, pa.nulls(rows.num_rows, field.type))
    return rows.cast(schema)


def _last_of_groups(rows: pa.Table) -> pa.Table:
    last_rows = rows.select(
        ["group_id", "taken_at", "lasting_verdict", "verdict_is_older"]
    ).sort_by("taken_at")
    return last_rows.group_by("group_id", use_threads=False).aggregate(
        [(name, "last") for name in last_rows.column_names[1:]]
    )


def _none(rows: pa.Table) -> pa.Table:
    return rows.slice(0, 0)


def _encoded(name: str, link: Link) -> bytes:
    with pa.BufferOutputStream() as file:
        with pq.ParquetWriter(file, HISTORY[name], **parquet_styles(HISTORY[name])) as writer:
            writer.write_table(link.rows.cast(HISTORY[name]))
            writer.add_key_value_metadata({"since": _name(link.since), "until": _name(link.until)})
        return file.getvalue().to_pybytes()


def _name(moment: datetime | None) -> str:
    return _BEGIN if moment is None else f"{moment:{_TIME}}"


# Results computed from histories, stored next to the batches. Each table has one file for each
# cluster or group, and a new result overwrites the file.


FOLDER = "history"


def store_history(
    lake: Place, name: str, table: pa.Table, cluster: str | None, group_id: str | None = None
) -> str:
    """Write a result table of a cluster or of a group; return the file's key."""
    key = _key(name, cluster, group_id)
    write_table(table, HISTORY[name], lake, key)
    return key


def stored_history(
    lake: Place, name: str, cluster: str | None, group_id: str | None = None
) -> pa.Table:
    """Return a result table of a cluster or of a group. The table is empty if none is stored."""
    key = _key(name, cluster, group_id)
    try:
        data = lake.read(key)
    except FileNotFoundError:
        return HISTORY[name].empty_table()
    with named_damage(lake, [key]):
        return pq.read_table(pa.BufferReader(data), schema=HISTORY[name])


def _key(name: str, cluster: str | None, group_id: str | None) -> str:
    # The name of a group may contain any character.
    group = "all" if group_id is None else hashlib.sha256(group_id.encode()).hexdigest()[:32]
    return f"{FOLDER}/{name}/{slug_of(cluster) if cluster else 'files'}/{group}.parquet"
