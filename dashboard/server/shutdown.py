"""The end of the server: a signal to end ends it within seconds, whatever it computes."""

import os
import signal
import threading
import time
from types import FrameType

from evenkeel.dashboard.loading.apart import ENDING

_SECONDS = 4.0
_HANDLED = (signal.SIGTERM, signal.SIGINT)


def limit() -> None:
    """End the process `_SECONDS` after the first signal to end, unless it has ended by itself; what it has begun ends with it.

    The server waits for its connections to close, and Python for threads, both without a limit.
    """
    for one in _HANDLED if threading.current_thread() is threading.main_thread() else ():
        _limit(one)


def _limit(one: signal.Signals) -> None:
    before = signal.getsignal(one)

    def handle(number: int, frame: FrameType | None) -> None:
        ENDING.set()
        threading.Thread(target=_end_later, args=(number,), daemon=True).start()
        if callable(before):
            before(number, frame)

    signal.signal(one, handle)


def _end_later(number: int) -> None:
    time.sleep(_SECONDS)
    os._exit(128 + number)
