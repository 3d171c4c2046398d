"""Reads the lags of a group within a time limit, in a thread of its own.

The thread has a second Kafka client: a consumer does not give addresses and credentials to its
assignor, and the assignor cannot use the consumer's connection. The second client connects once. It
stays connected between rebalances, and is closed after an error.
"""

import atexit
import queue
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from typing import Any, Protocol

from evenkeel_assignors.rule import Place

Partitions = Mapping[str, Sequence[int]]
Lags = dict[Place, int]


class UnreadError(Exception):
    """The lags are unknown; the message is the reason."""


class Source(Protocol):
    """Reads lags. Only the thread of a Reader calls its methods. If a lag is missing in the result,
    it is unknown.
    """

    def open(self) -> None:
        """Connect, if not connected yet."""

    def read(self, partitions: Partitions) -> Mapping[Place, int]:
        """Return lags. If this method raises an error, all lags are unknown."""
        ...

    def close(self) -> None:
        """Close the connection."""


class OwnReads:
    """A source that calls a function of the application."""

    def __init__(self, read: Callable[[Partitions], Mapping[Place, int]]):
        self.read = read

    def open(self) -> None:
        """Do nothing: there is no connection."""

    def close(self) -> None:
        """Do nothing: there is no connection."""


_readers: "weakref.WeakSet[Reader]" = weakref.WeakSet()
_END_SECONDS = 1.0


class Reader:
    """Reads lags from a source, in a thread. `time_limit`: in seconds.

    The thread ends when the Reader is deleted or closed, or when the process ends.
    """

    def __init__(self, source: Source, time_limit: float):
        self._tasks: queue.SimpleQueue[tuple[Future, Partitions | None] | None] = (
            queue.SimpleQueue()
        )
        self._source, self._time_limit, self._pending, self._thread = source, time_limit, None, None
        weakref.finalize(self, self._tasks.put, None)

    def open(self) -> None:
        """Start to connect the source, but do not wait until it is connected."""
        self._put(Future(), None)

    def read(self, partitions: Partitions, spent: float = 0.0) -> Lags:
        """Return the known lags. `spent`: seconds of the time limit that are already used.

        Raises
        ------
        UnreadError
            If the lags cannot be read within the time limit, or the previous read still runs.
        """
        if self._pending is not None and not self._pending.done():
            raise UnreadError("the previous read has not ended")
        self._pending = pending = Future()
        self._put(pending, partitions)
        try:
            return _checked(partitions, pending.result(max(self._time_limit - spent, 0)))
        except FutureTimeoutError as error:
            if pending.done():
                raise UnreadError(words(error)) from error
            raise UnreadError(f"not read after {self._time_limit:g} s") from None
        except Exception as error:
            raise UnreadError(words(error)) from error

    def close(self) -> None:
        """End the thread and close the source. A read that is running ends first."""
        self._tasks.put(None)

    def join(self, seconds: float) -> None:
        """Wait until the thread has ended, at most `seconds`."""
        if self._thread is not None:
            self._thread.join(max(seconds, 0))

    def _put(self, future: Future, partitions: Partitions | None) -> None:
        if self._thread is None:
            self._thread = threading.Thread(
                target=_serve,
                args=(self._tasks, self._source),
                name="evenkeel-assignors-lags",
                daemon=True,
            )
            self._thread.start()
            _readers.add(self)
        self._tasks.put((future, partitions))


@atexit.register
def _close_all() -> None:
    """Close the clients that are open. Otherwise a client would warn when the process ends."""
    deadline, readers = time.monotonic() + _END_SECONDS, list(_readers)
    for reader in readers:
        reader.close()
    for reader in readers:
        reader.join(deadline - time.monotonic())


def _serve(tasks: queue.SimpleQueue, source: Source) -> None:
    while (task := tasks.get()) is not None:
        future, partitions = task
        try:
            future.set_result(source.open() if partitions is None else source.read(partitions))
        except BaseException as error:
            _drop(source)
            # If a source raises SystemExit, the consumer must not exit.
            future.set_exception(
                error if isinstance(error, Exception) else UnreadError(words(error))
            )
        del task, future
    _drop(source)


def _drop(source: Source) -> None:
    with suppress(Exception):
        source.close()


def _checked(partitions: Partitions, answer: Any) -> Lags:
    """Return the lags that are whole numbers >= 0, for `partitions` only. A source may return fewer
    or more partitions.
    """
    if not isinstance(answer, Mapping):
        raise UnreadError(
            f"the read returned {type(answer).__name__}, expected lags by topic and partition"
        )
    lags = {place: answer[place] for place in places(partitions) if place in answer}
    return {place: int(lag) for place, lag in lags.items() if _is_lag(lag)}


def places(partitions: Partitions) -> list[Place]:
    """Return each topic and partition number of `partitions`."""
    return [(topic, number) for topic, numbers in partitions.items() for number in numbers]


def _is_lag(lag: Any) -> bool:
    try:
        return not isinstance(lag, bool | str | bytes) and lag == int(lag) >= 0
    except (TypeError, ValueError, OverflowError):
        return False


def words(error: BaseException) -> str:
    """Return the name of an error and its message, on one line."""
    if isinstance(error, UnreadError):
        return str(error)
    name, message = type(error).__name__, " ".join(str(error).split())
    if message.startswith(name):
        return message
    return f"{name}: {message}" if message else name
