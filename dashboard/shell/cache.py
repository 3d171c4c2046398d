"""A cache of computed values for all sessions, and how a page waits for a value. The cache has a
limit in bytes; the least recently used values are dropped first.
"""

import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from itertools import islice
from math import inf
from typing import Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from streamlit.runtime.scriptrunner_utils.script_run_context import get_run_yield_check

from evenkeel.dashboard.shell.reader import on_behalf, require_key
from evenkeel.data.configuration import configuration
from evenkeel.data.threads import in_daemon_thread

SECONDS = 3_600.0
SHARED_SECONDS = 600.0
"""Lifetime of a share's frozen or shown content."""

P = ParamSpec("P")
T = TypeVar("T")
KeyT = TypeVar("KeyT", bound=Hashable)


class _Lock:
    """A lock that can be a value of a WeakValueDictionary."""

    def __init__(self) -> None:
        self.held = threading.Lock()


class _Entry(NamedTuple):
    value: Any
    size: int
    until: float


class ValueCache:
    """A cache of values by key. If several callers need the same value, one caller computes it and
    the others wait. `require` raises an error if the reader may not see a key.
    """

    def __init__(
        self,
        most_bytes: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
        require: Callable[[Hashable], None] = lambda key: None,
    ):
        self._most_bytes = most_bytes
        self._clock = clock
        self._require = require
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._bytes = 0
        # No cached value expires before this time. This time may be the end of a value that was
        # already dropped.
        self._next_end = inf
        self._lock = threading.Lock()
        self._making: WeakValueDictionary[Hashable, _Lock] = WeakValueDictionary()

    @property
    def byte_count(self) -> int:
        """Bytes of all cached values."""
        return self._bytes

    def get(self, key: Hashable, make: Callable[[], Any], seconds: float = SECONDS) -> Any:
        """Return a key's value. If it is not cached, call `make` and cache the result, unless the
        result alone is above the limit of the cache.
        """
        self._require(key)
        value = self._found(key)
        if value is None:
            making = self._lock_of(key)
            with acquired(making.held):
                # The previous holder of this lock may have computed the value.
                value = self._found(key) or self._keep(key, make(), seconds)
        return value.value

    def put(self, key: Hashable, value: Any) -> None:
        """Cache a value. It replaces the key's cached value, if any."""
        self._keep(key, value, SECONDS)

    def find(self, key: Hashable) -> Any:
        """Return a key's value, None if it is not cached."""
        self._require(key)
        value = self._found(key)
        return value and value.value

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0

    def _found(self, key: Hashable) -> _Entry | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.until <= self._clock():
                return None
            self._entries.move_to_end(key)
            return entry

    def _keep(self, key: Hashable, value: Any, seconds: float) -> _Entry:
        most_bytes, size, now = self._most_bytes(), size_of(value), self._clock()
        entry = _Entry(value, size, now + seconds)
        with self._lock:
            self._drop(key)
            if self._next_end <= now:
                self._drop_ended(now)
            if entry.size <= most_bytes:
                while self._bytes + entry.size > most_bytes:
                    self._drop(next(iter(self._entries)))
                self._entries[key] = entry
                self._bytes += entry.size
                self._next_end = min(self._next_end, entry.until)
        return entry

    def _drop_ended(self, now: float) -> None:
        for old in [old for old, each in self._entries.items() if each.until <= now]:
            self._drop(old)
        self._next_end = min((each.until for each in self._entries.values()), default=inf)

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        self._bytes -= entry.size if entry else 0

    def _lock_of(self, key: Hashable) -> _Lock:
        with self._lock:
            return self._making.setdefault(key, _Lock())


ALL = ValueCache(lambda: configuration().cache_bytes, require=require_key)
"""The only cache of the process. Keys contain the open group. A list of groups is cached with all
groups, and a reader gets only the groups that the reader may see.
"""


def kept(make: Callable[P, T]) -> Callable[P, T]:
    """Cache the results of a function. Its arguments must be hashable. Used as a decorator."""

    @wraps(make)
    def found(*args: P.args, **named: P.kwargs) -> T:
        return ALL.get((make, *args, *named.items()), lambda: make(*args, **named))

    return found


# Values computed in the background, one after the other, while a page still requests them.


_STALE_SECONDS = 10.0
_RUNNING: dict[Hashable, Future] = {}
_ASKED: dict[Hashable, float] = {}
_ONE = threading.Lock()


def missing(
    makers: Mapping[KeyT, Callable[[Callable[[], bool]], object]],
    patience: float = 0.3,
    turn: threading.Lock = _ONE,
) -> frozenset[KeyT]:
    """Start each computation that is neither cached nor running. Wait at most `patience` seconds
    and return the keys of the computations that are not finished.

    `makers`: the computation of each key. The computation gets a function as its argument. This
    function returns False as soon as no page requests the result. `turn`: computations with the
    same lock run one after the other.
    """
    open_keys = [key for key in makers if ALL.find((missing, key)) is None]
    for key in open_keys:
        _ASKED[key] = time.monotonic()
        if key not in _RUNNING:
            _RUNNING[key] = in_daemon_thread(on_behalf(partial(_do, turn, key, makers[key])))
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


# How a page's thread waits. The wait stops if the session closes or opens another page. Meanwhile
# the page shows its place in a queue.


_LOOK_UP_SECONDS = 0.2

_TELL: ContextVar[Callable[[int], None]] = ContextVar("tell", default=lambda place: None)


@contextmanager
def telling(show: Callable[[int], None]) -> Iterator[None]:
    """During a `with` block, call `show` with the page's place in a queue while the page waits.
    Place 0: the page's computation runs.
    """
    before = _TELL.set(show)
    try:
        yield
    finally:
        _TELL.reset(before)


def tell(place: int) -> None:
    """Report the place of this thread's work in a queue."""
    _TELL.get()(place)


def look_up() -> None:
    """End this run of the page if the session is closed or wants another run."""
    check = get_run_yield_check()
    if check:
        check()


@contextmanager
def acquired(lock: threading.Lock) -> Iterator[None]:
    """Hold a lock during a `with` block. If the session closes or wants another run while the page
    waits for the lock, the page's run ends.
    """
    while not lock.acquire(timeout=_LOOK_UP_SECONDS):
        look_up()
    try:
        yield
    finally:
        lock.release()


# Sizes of values in bytes, with all objects inside them.


_ARRAY = 112
_LOOKED_AT = 200
"""Only this number of first elements of a long collection is measured."""


def size_of(value: Any) -> int:
    """Return the size in bytes of a value and all objects inside it. Each object counts once. In a
    long collection only the first elements are measured, and the rest is estimated from them.
    """
    return _Walk().size(value)


class _Walk:
    def __init__(self) -> None:
        self._seen: dict[int, Any] = {}

    def size(self, value: Any) -> int:
        if id(value) in self._seen or isinstance(value, type):
            return 0
        # The value is stored with its id, because Python reuses the id of a deleted object.
        self._seen[id(value)] = value
        if isinstance(value, np.ndarray):
            return (
                self.size(value.base)
                if isinstance(value.base, np.ndarray)
                else value.nbytes + _ARRAY
            )
        if hasattr(value, "memory_usage"):
            return int(value.memory_usage(deep=True).sum())
        if hasattr(value, "nbytes"):
            return int(value.nbytes)
        return sys.getsizeof(value) + self._inside(value)

    def _inside(self, value: Any) -> int:
        if isinstance(value, Mapping):
            return self._sampled(value.keys(), len(value)) + self._sampled(
                value.values(), len(value)
            )
        if isinstance(value, (list, tuple, set, frozenset)):
            return self._sampled(value, len(value))
        return sum(self.size(each) for each in self._fields(value))

    def _sampled(self, values: Iterable[Any], count: int) -> int:
        looked_at = [self.size(each) for each in islice(values, _LOOKED_AT)]
        return int(sum(looked_at) * count / len(looked_at)) if looked_at else 0

    @staticmethod
    def _fields(value: Any) -> list[Any]:
        named = getattr(value, "__struct_fields__", ()) or getattr(value, "__slots__", ())
        slots = [getattr(value, name, None) for name in named]
        return [*getattr(value, "__dict__", {}).values(), *slots]
