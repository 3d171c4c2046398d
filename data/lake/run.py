"""A run that writes a batch, and holds its lease. At the start, it deletes files of killed runs. At
the end, it deletes its own files that are not in the manifest.

If two ingests have a file in common, the second waits for the first. This module also stores and
publishes batches that were parsed without Spark.
"""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime

import msgspec

from evenkeel.data.errors import PlaceError
from evenkeel.data.group.tables.counts import counts_of
from evenkeel.data.group.tables.parsed import ParsedTables
from evenkeel.data.lake import lease, manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place, StoredObject
from evenkeel.data.lake.service import may_be_done_late, named_as
from evenkeel.data.lake.writing import SCHEMAS, results_of, with_counts, with_tables, write

INPUTS = "inputs"
"""Folder of inputs copied into the lake: `inputs/<batch>/<number>`."""


@contextmanager
def running(lake: Place, batch: str, otherwise: Manifest | None = None) -> Iterator[None]:
    """Hold the lease of a batch while the `with` block runs. First, files of killed runs are
    deleted. At the end, files of the batch that are not in its manifest are deleted.

    `otherwise`: the manifest that is published for the batch if this run is killed.

    Raises
    ------
    SnapshotError
        If the lake cannot be written, or a living run has the lease of this batch.
    """
    with lease.leased(lake, batch, note=manifest.encoded(otherwise) if otherwise else b"") as own:
        with named_as(str(lake)):
            sweep(lake, batch)
        try:
            yield
        except PlaceError as error:
            # The service may still carry out the request: a file could appear after its deletion,
            # or a manifest after its files. So a sweep must give up the batch before it deletes
            # files.
            if may_be_done_late(error.cause):
                own.keep()
            raise
        finally:
            _tidy_now_or_later(lake, batch, own)


def sweep(lake: Place, own: str | None = None) -> None:
    """Give up every batch whose run no longer renews its lease. `own`: batch of the calling run."""
    held = {batch: last for batch, last in lease.holders(lake).items() if batch != own}
    now = lease.now(lake) if held else None
    for batch, last in held.items():
        if now and lease.is_over(lake, last, now):
            give_up(lake, batch, last, now)


def give_up(lake: Place, batch: str, last: StoredObject, now: datetime) -> None:
    """Give up the batch of a killed run and delete its files. `last`: the lease of the run. If the
    lease contains a manifest, this manifest is published instead.
    """
    # This comes first, so that a run that was only asleep cannot publish deleted files.
    manifest.abandon(lake, batch, now, lease.note_of(lake, last))
    _tidy(lake, batch)
    lake.delete(file.key for file in lake.found(f"{lease.FOLDER}/{batch}"))


def _tidy_now_or_later(lake: Place, batch: str, own: lease.Lease) -> None:
    # The batch is already published, or its error is already raised. So a failed deletion is not an
    # error; a sweep repeats it.
    try:
        if not own.is_kept:
            _tidy(lake, batch)
    except PlaceError:
        own.keep()


def _tidy(lake: Place, batch: str) -> None:
    """Delete the files of a batch that are not in its manifest."""
    named = manifest.named_files(lake, batch)
    lake.delete(
        file.key
        for table in (*SCHEMAS, INPUTS)
        for file in lake.found(f"{table}/{batch}")
        if file.key not in named
    )


# Parse, store and publish a batch in one process, without Spark.


def store_parsed(parsed: ParsedTables, ingest: Manifest, lake: Place) -> Manifest:
    """Write the tables of a batch that has one source, and compute LAG, SHARES, MEMBER_LOAD and
    GROUP_LOAD. Then publish the batch.

    Raises
    ------
    SnapshotError
        If the lake cannot be written.
    """
    with running(lake, ingest.batch):
        counts = {ingest.sources[0].name: counts_of(parsed)}
        done = [write(parsed, counts, 0, lake, ingest.batch)]
        results = results_of(lake, ingest.batch, done)
        ingest = with_tables(with_counts(ingest, done), done, results)
        manifest.publish(lake, ingest)
    return ingest


# Turns: ingests publish one after the other, so that a file read by two ingests is stored once. An
# ingest takes the next number, and lists its files in `turns/<n>`. It waits for every ingest with a
# lower number and a file in common. It publishes if none of its files was stored meanwhile. The
# last turn is never deleted, so numbers only grow.


_FOLDER = "turns"
_LOOK_SECONDS = 0.5


class _Turn(msgspec.Struct, frozen=True):
    batch: str
    files: frozenset[str]


def publish_once(lake: Place, ingest: Manifest, stored: Callable[[], Collection[str]]) -> bool:
    """Publish an ingest. If another ingest has already stored one of the files: return False and
    publish nothing.

    `stored` returns the SHA-256 of each file that is in the lake now.

    Raises
    ------
    PlaceError
        If the lake cannot be read or written.
    """
    with manifest.publishing(lake, ingest.batch):
        return _is_published(lake, ingest, stored)


def _is_published(lake: Place, ingest: Manifest, stored: Callable[[], Collection[str]]) -> bool:
    files = frozenset(source.sha256 for source in ingest.sources if source.refused is None)
    number = _taken(lake, _Turn(ingest.batch, files))
    for earlier in _earlier(lake, number):
        if earlier.files & files:
            _await(lake, earlier.batch)
    if files & set(stored()):
        # Release the turn, because the same run may publish its other files under the same name.
        lake.write(_key(number), msgspec.json.encode(_Turn(ingest.batch, frozenset())), lasts=False)
        return False
    manifest.publish(lake, ingest)
    return True


def _taken(lake: Place, turn: _Turn) -> int:
    number = _next(lake)
    while not lake.create(_key(number), msgspec.json.encode(turn), lasts=False):
        number = max(number + 1, _next(lake))
    return number


def _next(lake: Place) -> int:
    return max(map(int, lake.names(_FOLDER)), default=-1) + 1


def _earlier(lake: Place, number: int) -> list[_Turn]:
    """Return the earlier ingests that may be unfinished. Delete the `_Turn` of each finished
    ingest.
    """
    open_turns = []
    for key in (_key(int(name)) for name in lake.names(_FOLDER) if int(name) < number):
        # Another ingest may have deleted the finished turn meanwhile.
        with suppress(FileNotFoundError):
            turn = msgspec.json.decode(lake.read(key), type=_Turn)
            if turn.files and not manifest.exists(lake, turn.batch):
                open_turns.append(turn)
            else:
                lake.delete([key])
    return open_turns


def _await(lake: Place, batch: str) -> None:
    """Wait until a batch is published. If its run is gone, give the batch up."""
    while not manifest.exists(lake, batch):
        if not lease.is_held(lake, batch):
            manifest.abandon(lake, batch, lease.now(lake))
            return
        time.sleep(_LOOK_SECONDS)


def _key(number: int) -> str:
    return f"{_FOLDER}/{number:012d}"
