"""Uploads: pasted and uploaded files are stored in the lake. An upload can be opened only by its
random id, and is deleted after `keep_uploads`.

A separate process reads uploads up to `[limits] without_spark`; Spark reads larger uploads. Pages
get the state of Spark from this module, never the session.
"""

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

from evenkeel.data import clock
from evenkeel.data.configuration import configuration
from evenkeel.data.configuration.handover import secrets_of, without_secrets
from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.lake import import_folder
from evenkeel.data.lake.import_folder import FOLDER, changed_at, import_places, private_place
from evenkeel.data.lake.lease import UPLOADS, is_held, leased
from evenkeel.data.lake.manifest import Manifest, read
from evenkeel.data.lake.place import Place
from evenkeel.data.own_process import Limits, OwnProcess, answered
from evenkeel.data.pipeline.ingest.batch import stored_here
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.sources.source import Context, NamedColumns, distinct_name
from evenkeel.data.tally import IMPORTS, LINES
from evenkeel.data.warm_host import WarmHost

if TYPE_CHECKING:
    from evenkeel.data.pipeline.background import Background

LIMIT_BYTES = 200 * 2**20

_RAW = "raw"
"""Folder of the uploaded bytes until their tables are stored."""

_FAR_AHEAD = timedelta(days=1)
"""An upload with a date this far ahead was dated by a wrong clock."""

_READER = WarmHost(stored_here.__module__, "prepare")
_SPARK: "Background | None" = None
_MAKING = threading.Lock()


def start() -> None:
    """Prepare for the first upload and return at once. Start the process that reads small uploads.
    If Spark reads every upload: start Spark.
    """
    # A page shows errors of the configuration.
    with suppress(SnapshotError):
        if needs_spark():
            start_spark()
        else:
            _READER.start(without_secrets())


def start_spark() -> None:
    """Start Spark if this process has not started it; return at once."""
    _spark().start()


def needs_spark(size: int = 0) -> bool:
    """Return whether Spark reads an upload of this size."""
    most = configuration().without_spark_bytes
    return not most or size > most


def start_sweep() -> None:
    """Start a thread that deletes files of killed uploads every minute, and expired uploads and
    drafts every hour; return at once.
    """
    threading.Thread(target=_sweep, name="expired uploads", daemon=True).start()


def spark_state() -> str:
    """Return `not needed` until Spark is started, then `starting`, `ready`, or `missing: ` with the
    way to install the missing package.
    """
    return _SPARK.state if _SPARK else "not needed"


def upload(
    files: Iterable[tuple[str, bytes]],
    group_id: str | None = None,
    taken_at: datetime | None = None,
    progress: Callable[[float], None] = lambda share: None,
    numbers: str | None = None,
    named_columns: Sequence[NamedColumns] = (),
    wait: Callable[[Callable[[], OwnProcess]], Any] = lambda begin: answered(begin()),
) -> str:
    """Store pasted or uploaded files as one batch. Return the random id of the batch, for
    `data.lake.store`. If Spark is needed, the call waits until Spark has started.

    `files`: name and bytes of each file. `group_id`: group of listings without group names.
    `progress`: called with the finished share, 0.0 to 1.0, but only if Spark reads. `numbers`,
    `named_columns`: as in `Context`. `wait`: its argument is a function that starts the reading
    process. `wait` calls this function and returns the answer of the process.

    Raises
    ------
    SnapshotError
        If the files exceed the limit, if nothing in them can be read, if Spark cannot run, or if
        the process exceeds its limits.
    """
    files = list(files)
    check_size(files)
    batch_id = secrets.token_urlsafe(16)
    context = Context(
        group_id=group_id, taken_at=taken_at, numbers=numbers, named_columns=tuple(named_columns)
    )
    with private_place(configuration().lake, batch_id) as home, leased(home, batch_id, UPLOADS):
        try:
            inputs = _stored_inputs(files, home)
            if needs_spark(_size(files)):
                stored = _stored_by_spark(inputs, home, context, progress, batch_id)
            else:
                stored = wait(
                    lambda: OwnProcess(
                        _limits(), stored_here, inputs, home, context, batch_id, begin=_READER.begin
                    )
                )
        finally:
            (home / _RAW).delete_all()
    IMPORTS.add()
    LINES.add(stored.counts.lines)
    return batch_id


@required("spark")
def _stored_by_spark(
    inputs: Sequence[Input],
    home: Place,
    context: Context,
    progress: Callable[[float], None],
    batch: str,
) -> Manifest:
    # A late import, so that a server without Spark does not load it.
    from evenkeel.data.pipeline.ingest import ingest

    return ingest.ingest(inputs, home, _spark().session, context, progress, batch)


def _spark() -> "Background":
    global _SPARK
    with _MAKING:
        if _SPARK is None:
            from evenkeel.data.pipeline.background import Background  # late import, see above

            _SPARK = Background()
    return _SPARK


def _limits() -> Limits:
    """Return the limits of the process that reads an upload. Its priority is normal, because a
    person waits for its answer.
    """
    chosen = configuration()
    most = Limits(chosen.memory_bytes, chosen.time_limit, without_secrets(), secrets_of())
    return most._replace(
        niceness=0,
        subject="reading this upload",
        process="the process that reads this upload",
        after="; nothing of it is stored",
    )


def without_copies(files: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return the files without duplicates. If files have the same content, the first of them is
    returned.

    The copy of a listing without group names would become a second group with the same lag.
    """
    names: dict[bytes, str] = {}
    for name, data in files:
        names.setdefault(data, name)
    return [(name, data) for data, name in names.items()]


def check_size(files: Iterable[tuple[str, bytes]]) -> None:
    """Refuse files whose total size exceeds the limit of pages.

    Raises
    ------
    SnapshotError
        If the size exceeds the limit. The message has the size, the limit and `evenkeel ingest`.
    """
    size = _size(files)
    if size > LIMIT_BYTES:
        raise SnapshotError(
            f"upload of {size / 2**20:,.0f} MB, expected at most {LIMIT_BYTES / 2**20:,.0f} MB; for"
            " larger files run: evenkeel ingest PATH"
        )


def _size(files: Iterable[tuple[str, bytes]]) -> int:
    return sum(len(data) for _, data in files)


def delete_expired(lake: Place, keep: timedelta, now: datetime) -> int:
    """Delete uploads that are older than `keep` at `now`. Also delete uploads whose time is far in
    the future, and files of killed uploads.

    Return the number of deleted uploads.
    """
    expired = [
        home
        for home in import_places(lake)
        if _is_expired(now - _ingested_at(home), keep) and not is_held(home, home.name)
    ]
    for home in expired:
        home.delete_all()
    return len(expired)


def delete_left_bytes(lake: Place) -> int:
    """Delete the raw input files of killed uploads, whose leases are over. Return the number of
    these uploads.
    """
    left = [home for home in _with_bytes(lake) if not is_held(home, home.name, UPLOADS)]
    for home in left:
        (home / _RAW).delete_all()
    return len(left)


def _with_bytes(lake: Place) -> list[Place]:
    """Return the uploads that still have raw input files. If the lake is a folder, a killed process
    may have left partial files with other names.
    """
    if lake.folder:
        return [home for home in import_places(lake) if (home / _RAW).folder.is_dir()]
    keys = (file.key.split("/") for file in lake.found(FOLDER))
    return [lake / FOLDER / name for name in sorted({key[1] for key in keys if key[2] == _RAW})]


def _is_expired(age: timedelta, keep: timedelta) -> bool:
    # An upload dated a little ahead is young; the clock was set back.
    return age >= keep or -age >= max(keep, _FAR_AHEAD)


def _sweep() -> None:
    watch = clock.Watch()
    for minute in count():
        # After an error, the next minute tries again. The thread must not end.
        with suppress(SnapshotError, OSError):
            delete_left_bytes(configuration().lake)
            if minute % 60 == 0:
                _look(watch)
        time.sleep(60)


def _look(watch: clock.Watch) -> None:
    """Delete expired uploads and drafts. If the clock was just set, delete nothing: young uploads
    may look old, and a person may correct the clock.
    """
    if watch.set_by():
        return
    chosen = configuration()
    delete_expired(chosen.lake, chosen.keep_uploads, clock.now())
    import_folder.delete_expired_drafts(chosen.lake, clock.now())


def _ingested_at(home: Place) -> datetime:
    """Return the time at which an upload was published. If it is not published, or its manifest
    cannot be read: return the time of its last write.
    """
    with suppress(SnapshotError, FileNotFoundError):
        return read(home, home.name).ingested_at
    return changed_at(home)


def _stored_inputs(files: Iterable[tuple[str, bytes]], home: Place) -> list[Input]:
    """Write the uploaded files into the lake, so that tasks can read them. Their keys are numbers,
    because file names may be unsafe or equal.
    """
    inputs: dict[str, Input] = {}
    for name, data in files:
        name, key = distinct_name(name, inputs), f"{_RAW}/{len(inputs)}"
        home.write(key, data)
        inputs[name] = Input(name, home, key)
    return list(inputs.values())
