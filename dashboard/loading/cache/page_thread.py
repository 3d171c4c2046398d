"""How a page's thread waits: it stops as soon as its session is closed or wants another page, and says its place in a queue."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

_LOOK_UP_SECONDS = 0.2

_TELL: ContextVar[Callable[[int], None]] = ContextVar("tell", default=lambda place: None)


@contextmanager
def telling(show: Callable[[int], None]) -> Iterator[None]:
    """Let `show` say which place in a queue the page has while it waits, 0 when it is served."""
    before = _TELL.set(show)
    try:
        yield
    finally:
        _TELL.reset(before)


def tell(place: int) -> None:
    """Say which place in a queue this thread has."""
    _TELL.get()(place)


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
