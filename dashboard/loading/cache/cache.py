"""Values computed once for all sessions. The least recently used goes first; all together stay under a number of bytes."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar
from weakref import WeakValueDictionary

from evenkeel.dashboard.loading.cache.page_thread import acquired
from evenkeel.dashboard.loading.cache.size import size_of
from evenkeel.data.configuration import configuration

SECONDS = 3_600.0

P, T = ParamSpec("P"), TypeVar("T")


class _Lock:
    """A lock that a dictionary can hold weakly."""

    def __init__(self) -> None:
        self.held = threading.Lock()


class _Entry(NamedTuple):
    value: Any
    size: int
    until: float


class Kept:
    """Values by key. One caller makes a value; those who ask meanwhile wait for it."""

    def __init__(self, most_bytes: Callable[[], int], clock: Callable[[], float] = time.monotonic):
        self._most_bytes = most_bytes
        self._clock = clock
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._making: WeakValueDictionary[Hashable, _Lock] = WeakValueDictionary()

    @property
    def byte_count(self) -> int:
        """Bytes of all values."""
        return self._bytes

    def get(self, key: Hashable, make: Callable[[], Any], seconds: float = SECONDS) -> Any:
        """Return the value of a key, made now where none is kept; a value above the bound is returned and not kept."""
        found = self._found(key)
        if found is None:
            making = self._lock_of(key)
            with acquired(making.held):
                # The caller that held this lock before may have made the value.
                found = self._found(key) or self._keep(key, make(), seconds)
        return found.value

    def put(self, key: Hashable, value: Any) -> None:
        """Keep a value in place of the one that the key has."""
        self._keep(key, value, SECONDS)

    def find(self, key: Hashable) -> Any:
        """Return the value of a key, None where none is kept."""
        found = self._found(key)
        return found and found.value

    def clear(self) -> None:
        """Drop everything."""
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
        entry, most_bytes = _Entry(value, size_of(value), self._clock() + seconds), self._most_bytes()
        with self._lock:
            self._drop(key)
            for old in [old for old, each in self._entries.items() if each.until <= self._clock()]:
                self._drop(old)
            if entry.size <= most_bytes:
                while self._bytes + entry.size > most_bytes:
                    self._drop(next(iter(self._entries)))
                self._entries[key] = entry
                self._bytes += entry.size
        return entry

    def _drop(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        self._bytes -= entry.size if entry else 0

    def _lock_of(self, key: Hashable) -> _Lock:
        with self._lock:
            return self._making.setdefault(key, _Lock())


ALL = Kept(lambda: configuration().cache_bytes)
"""The only cache of the process."""


def kept(make: Callable[P, T]) -> Callable[P, T]:
    """Keep what a function of hashable arguments returns."""

    @wraps(make)
    def found(*args: P.args) -> T:
        return ALL.get((make, *args), lambda: make(*args))

    return found
