"""The only Spark session of a process that serves pages. A thread starts the session and runs test
batches, so that no page has to wait for Spark's start.
"""

import gc
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from evenkeel.data.errors import SnapshotError
from evenkeel.data.extras import required
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest.inputs import Input

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_OFFSETS = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\nwarm t 0 1"
    " 2 1 - - -\n"
)
_MEMBERS = "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\nwarm a-1 /h a 1 t(0)\n"

_AGAIN = 8
"""Number of test batches until Java has compiled the code. The ninth batch takes two thirds of the
time of the second batch.
"""


class Background:
    """A Spark session that is started once, in a thread. `build` creates the session."""

    def __init__(self, build: "Callable[[], SparkSession] | None" = None):
        self._build = build or _session
        self._lock = threading.Lock()
        self._started: Future[SparkSession] | None = None

    def start(self) -> bool:
        """Start Spark if it was not started before. Return whether this call started it."""
        with self._lock:
            first = self._started is None
            if first:
                self._begin()
        return first

    @property
    def state(self) -> str:
        """`starting`, `ready`, or `missing:` and the reason."""
        if self._started is None or not self._started.done():
            return "starting"
        error = self._started.exception()
        return "ready" if error is None else f"missing: {str(error).removeprefix('missing: ')}"

    def session(self) -> "SparkSession":
        """Return the session; wait until it has started.

        If the start failed, it is tried again, because Java may be installed now. If the Java
        process of the session has ended, a new session is started.

        Raises
        ------
        SnapshotError
            If Spark cannot run.
        """
        with self._lock:
            if self._has_failed():
                self._begin()
            started = self._started
        assert started
        return started.result()

    def _begin(self) -> None:
        self._started = Future()
        threading.Thread(
            target=self._start_and_warm, args=(self._started,), name="Spark", daemon=True
        ).start()

    def _has_failed(self) -> bool:
        if self._started is None or not self._started.done():
            return self._started is None
        if self._started.exception():
            return True
        from evenkeel.data.pipeline.session import forget, has_ended

        ended = has_ended(self._started.result())
        if ended:
            forget()
        return ended

    def _start_and_warm(self, started: "Future[SparkSession]") -> None:
        """Start Spark and run test batches until Java has compiled the code.

        The first batch takes seconds, because classes are loaded and Python workers start. The
        first batch with owners needs more code, so it takes seconds too.
        """
        try:
            spark = self._build()
            _warm(spark, _OFFSETS)
        except Exception as error:
            started.set_exception(error)
        else:
            started.set_result(spark)
            with suppress(SnapshotError):
                for text in (_OFFSETS + _MEMBERS, *_AGAIN * [_OFFSETS]):
                    _warm(spark, text)
            # Without freeze, each full garbage collection takes 0.1 s for the imported modules.
            gc.collect()
            gc.freeze()


@required("spark")
def _session() -> "SparkSession":
    # A late import, because pages open before pyspark is loaded, and without pyspark.
    from evenkeel.data.pipeline.session import QUICK, session

    return session(settings=QUICK)


def _warm(spark: "SparkSession", text: str) -> None:
    from evenkeel.data.pipeline.ingest import ingest
    from evenkeel.data.pipeline.session import spark_folder

    with tempfile.TemporaryDirectory(dir=spark_folder(), prefix="warm-") as folder:
        lake = place_of(Path(folder))
        lake.write("listing.txt", text.encode())
        ingest.ingest([Input("listing.txt", lake, "listing.txt")], lake, lambda: spark)
