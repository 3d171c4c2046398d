"""Work in threads of this process, for waiting: work with limits, or work that must be stopped, is
for `own_process`.
"""

import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def in_threads(
    work: Callable[[ItemT], ResultT], items: Collection[ItemT], at_once: int = 16
) -> list[ResultT]:
    """Return the results of all items, in their order."""
    # A thread for a single small file takes as long as the file.
    if len(items) < 2:
        return list(map(work, items))
    with ThreadPoolExecutor(at_once) as threads:
        return list(threads.map(work, items))


def in_daemon_thread(work: Callable[[], ResultT]) -> Future[ResultT]:
    """Return the future of `work`, which runs in a daemon thread: work that hangs stops no caller,
    and not the end of this process.
    """
    future: Future[ResultT] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future
