"""An answer in a daemon thread: a plug-in that hangs stops no caller, and not the end of this process."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def in_daemon_thread(answer: Callable[[], T]) -> Future[T]:
    """Return what `answer` will return; it runs in a daemon thread."""
    future: Future[T] = Future()
    threading.Thread(target=_answer, args=(future, answer), name="plug-in", daemon=True).start()
    return future


def _answer(future: Future[T], answer: Callable[[], T]) -> None:
    try:
        future.set_result(answer())
    except BaseException as error:
        future.set_exception(error)
