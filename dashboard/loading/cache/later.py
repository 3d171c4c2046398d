"""Answers that a page does not wait for: computed behind it, one after the other, while a page still asks for them."""

import threading
import time
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future, wait
from functools import partial

from evenkeel.dashboard.loading.cache.cache import ALL
from evenkeel.data.plugin.host import in_daemon_thread

_STALE_SECONDS = 10.0
_RUNNING: dict[Hashable, Future] = {}
_ASKED: dict[Hashable, float] = {}
_ONE = threading.Lock()


def missing(
    asked: Mapping[Hashable, Callable[[Callable[[], bool]], object]], patience: float = 0.3, turn: threading.Lock = _ONE
) -> frozenset[Hashable]:
    """Begin what is asked and not done; return what is still to be done after `patience` seconds.

    Each value is called with a function that tells whether a page still asks. `turn`: what shares it runs one after the other.
    """
    open_keys = [key for key in asked if ALL.find((missing, key)) is None]
    for key in open_keys:
        _ASKED[key] = time.monotonic()
        if key not in _RUNNING:
            _RUNNING[key] = in_daemon_thread(partial(_do, turn, key, asked[key]))
    futures = {key: _RUNNING[key] for key in open_keys}
    wait(futures.values(), timeout=patience)
    for key, future in futures.items():
        if future.done():
            _RUNNING.pop(key, None)
            future.result()
    return frozenset(key for key in open_keys if ALL.find((missing, key)) is None)


def _do(turn: threading.Lock, key: Hashable, make: Callable[[Callable[[], bool]], object]) -> None:
    with turn:
        if _is_asked(key):
            make(partial(_is_asked, key))
        if _is_asked(key):
            ALL.get((missing, key), lambda: True)
        else:
            _ASKED.pop(key, None)


def _is_asked(key: Hashable) -> bool:
    return time.monotonic() - _ASKED.get(key, 0.0) < _STALE_SECONDS
