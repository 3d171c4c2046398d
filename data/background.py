"""The one session of a process with pages: started and warmed in a thread, so that nobody waits for Spark to start."""

import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from pyspark.sql import SparkSession

from data import pipeline
from data.plan import Input
from data.session import session

_LISTING = b"""GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
warm   t     0         1              2              1   a-1         /h   a
"""


class Background:
    """Starts a session once; `build` makes it."""

    def __init__(self, build: Callable[[], SparkSession] = session):
        self._build = build
        self._lock = threading.Lock()
        self._started: Future[SparkSession] | None = None

    def start(self) -> bool:
        """Begin to start, at most once; return whether this call did."""
        with self._lock:
            first = self._started is None
            if first:
                threads = ThreadPoolExecutor(1, thread_name_prefix="Spark")
                self._started = threads.submit(_warm, self._build)
                threads.shutdown(wait=False)
        return first

    @property
    def state(self) -> str:
        """`starting`, `ready`, or one line that begins with `missing:`."""
        if self._started is None or not self._started.done():
            return "starting"
        error = self._started.exception()
        return "ready" if error is None else f"missing: {str(error).removeprefix('missing: ')}"

    def session(self) -> SparkSession:
        """Return the session, waiting while it starts.

        Raises
        ------
        SnapshotError
            Where Spark cannot run.
        """
        self.start()
        return self._started.result()


def _warm(build: Callable[[], SparkSession]) -> SparkSession:
    """Build a session and run a batch through it: the first one takes seconds, for classes to load and for Python's workers to start."""
    spark = build()
    with tempfile.TemporaryDirectory(prefix="evenkeel-warm-") as folder:
        listing = Path(folder, "listing.txt")
        listing.write_bytes(_LISTING)
        pipeline.ingest([Input(listing.name, listing)], Path(folder, "lake"), lambda: spark)
    return spark
