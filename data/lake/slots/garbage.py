"""Files that are deleted later: a reader that has just looked up a batch still finds them.

`garbage/<name>.json` lists files by batch. After the grace time those that no manifest names are deleted. A writer lists its files here
before it writes them: what it leaves when it is killed is deleted the same way.
"""

import secrets
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec

from evenkeel.data.lake import lease, manifest
from evenkeel.data.lake.place import Found, Place

GRACE = timedelta(hours=1)

_FOLDER = "garbage"


class Garbage(msgspec.Struct, frozen=True):
    """Files by batch."""

    files: dict[str, tuple[str, ...]]


def list_garbage(lake: Place, files: Mapping[str, Iterable[str]], key: str | None = None) -> str:
    """List files for deletion after the grace time, which begins now; return the key of the list. `key`: a list whose time begins anew."""
    key = key or f"{_FOLDER}/{secrets.token_hex(8)}.json"
    lake.write(key, msgspec.json.encode(Garbage({batch: tuple(some) for batch, some in files.items()})))
    return key


def is_safe(lake: Place, key: str) -> bool:
    """Tell whether the files of a list will be there for a while."""
    try:
        return lease.now(lake) - lake.written_at(key) < GRACE / 2
    except FileNotFoundError:
        return False


def delete_garbage(lake: Place, now: datetime) -> int:
    """Delete the listed files whose grace time is over at `now`; return how many."""
    lists = {one: _read(lake, one) for one in lake.found(_FOLDER)}
    young = {batch for one, garbage in lists.items() if not _is_old(one, now) for batch in garbage.files}
    old = {one: garbage for one, garbage in lists.items() if _is_old(one, now)}
    published = set(lake.names(manifest.FOLDER)) if old else set()
    count = 0
    for one, garbage in old.items():
        doomed = [file for batch, files in garbage.files.items() if batch not in young for file in _unnamed(lake, batch, files, published)]
        lake.delete(doomed)
        count += len(doomed)
        # A batch with a younger list waits for the end of that one's time.
        if young.isdisjoint(garbage.files):
            lake.delete([one.key])
    return count


def _is_old(one: Found, now: datetime) -> bool:
    return now - one.written_at >= GRACE


def _read(lake: Place, one: Found) -> Garbage:
    # Another process may have deleted it meanwhile.
    with suppress(FileNotFoundError):
        return msgspec.json.decode(lake.read(one.key), type=Garbage)
    return Garbage({})


def _unnamed(lake: Place, batch: str, files: Iterable[str], published: Container[str]) -> list[str]:
    if f"{batch}.json" not in published:
        return list(files)
    named = manifest.named_files(lake, batch)
    return [file for file in files if file not in named]
