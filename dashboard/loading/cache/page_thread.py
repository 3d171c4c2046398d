"""How a page's thread waits: it stops as soon as its session is closed or wants another page."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

_LOOK_UP_SECONDS = 0.2


def look_up() -> None:
    """End this run of the page where its session wants another one, or none."""
    check = get_run_yield_check()
    if check:
        check()


@contextmanager
def acquired(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock; a run of a page that is no longer wanted ends while it waits."""
    while not lock.acquire(timeout=_LOOK_UP_SECONDS):
        look_up()
    try:
        yield
    finally:
        lock.release()
