"""Housekeeping: a lake is tidied once an hour, and the verdicts of a cluster are followed, in a thread beside the collector."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import lease
from evenkeel.data.lake.history.change_store import tidy_changes
from evenkeel.data.lake.history.verdict_ages import follow_verdicts
from evenkeel.data.lake.lease import HeldError
from evenkeel.data.lake.place import Place
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.tidy import StoppedError, Tidied, tidy

TIDY_SECONDS = 3600
LOOK_SECONDS = 60
"""How often new snapshots are looked for; most looks find too few."""

_NICE = 10
"""The thread waits where the collector, or anything else, wants the processor."""


@contextmanager
def housekeeping(
    lake: Place, cluster: str, retention: Retention, report: Callable[[Tidied], None], complain: Callable[[str], None]
) -> Iterator[None]:
    """Tidy now and once an hour while this is open, and store how the cluster's verdicts change; no snapshot waits for it.

    `complain` is called with the line of an error; the next time tries again.
    """
    is_over = threading.Event()

    def pause() -> None:
        if is_over.wait(1.0):
            raise StoppedError

    def tidy_all() -> None:
        # Another collector of this lake tidies it.
        with suppress(HeldError):
            tidy(lake, retention, report, is_over.is_set)
        tidy_changes(lake, lease.now(lake), retention.keep_changes)

    def follow() -> None:
        follow_verdicts(lake, cluster, pause)

    thread = threading.Thread(target=_work, args=(tidy_all, follow, is_over, complain), name="housekeeping")
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _work(tidy_all: Callable[[], None], follow: Callable[[], None], is_over: threading.Event, complain: Callable[[str], None]) -> None:
    with suppress(AttributeError, OSError):
        # Of this thread and those that it starts, as Linux counts.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
    due = time.monotonic()
    while not is_over.is_set():
        is_due = time.monotonic() >= due
        due += TIDY_SECONDS * is_due
        for work in (tidy_all, follow) if is_due else (follow,):
            try:
                with suppress(StoppedError):
                    work()
            except SnapshotError as error:
                complain(str(error))
            except Exception as error:
                # A fault in one of them must not end the other for good.
                complain(f"{type(error).__name__} in {work.__name__}: {error}")
        is_over.wait(LOOK_SECONDS)
