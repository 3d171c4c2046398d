"""Housekeeping: a lake is tidied once an hour, in a thread beside the collector."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from data.errors import SnapshotError
from data.lake.place import Place
from data.lake.runs.lease import HeldError
from data.lake.slots.retention import Retention
from data.lake.slots.tidy import StoppedError, Tidied, tidy

EVERY_SECONDS = 3600


@contextmanager
def housekeeping(lake: Place, retention: Retention, report: Callable[[Tidied], None], complain: Callable[[str], None]) -> Iterator[None]:
    """Tidy now and once an hour while this is open; no snapshot waits for it.

    `complain` is called with the line of an error; the next hour tries again.
    """
    is_over = threading.Event()

    def work() -> None:
        while not is_over.is_set():
            try:
                # Another collector of this lake tidies it.
                with suppress(HeldError, StoppedError):
                    tidy(lake, retention, report, is_over.is_set)
            except SnapshotError as error:
                complain(str(error))
            is_over.wait(EVERY_SECONDS)

    thread = threading.Thread(target=work, name="housekeeping")
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
