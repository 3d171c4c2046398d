"""Work in threads of this process, for example requests that wait for answers. If work needs limits
or must be stopped, use `own_process`.
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
    """Call `work` for each item, in several threads. Return the results in the order of the
    items.
    """
    # Starting a thread takes as long as reading a small file.
    if len(items) < 2:
        return list(map(work, items))
    with ThreadPoolExecutor(at_once) as threads:
        return list(threads.map(work, items))


def in_daemon_thread(work: Callable[[], ResultT]) -> Future[ResultT]:
    """Run `work` in a daemon thread and return its Future. Even if the work never ends, the caller
    continues, and this process can end.
    """
    future: Future[ResultT] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future
