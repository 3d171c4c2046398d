"""Waiting in a page's thread: a session that is closed, or goes on to something else, stops to wait."""

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
    """Hold a lock."""
    while not lock.acquire(timeout=_LOOK_UP_SECONDS):
        look_up()
    try:
        yield
    finally:
        lock.release()
