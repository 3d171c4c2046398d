"""Reading: the lags of a group, on a thread of the assignor's with a client of its own, within a
time limit.

A client passes its assignor neither addresses nor credentials, and cannot make calls while it
assigns; hence the second client. It is opened once, kept open between rebalances and dropped after
an error.
"""

import asyncio
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
_NEWEST, _OLDEST = -1, -2
"""Kafka's timestamps of the end and of the begin of a partition."""


class UnreadError(Exception):
    """Why lags are unknown, in words."""


class Source(Protocol):
    """What reads lags; only the reader's thread calls it. A lag that it does not return is
    unknown.
    """

    def open(self) -> None:
        """Connect, if it is not connected."""

    def read(self, partitions: Partitions) -> Mapping[Place, int]:
        """Return lags; after any exception, the lags are unknown."""
        ...

    def close(self) -> None:
        """Drop the connection."""


class OwnReads:
    """An application's own function as a source."""

    def __init__(self, read: Callable[[Partitions], Mapping[Place, int]]):
        self.read = read

    def open(self) -> None:
        """Nothing to connect."""

    def close(self) -> None:
        """Nothing to drop."""


_readers: "weakref.WeakSet[Reader]" = weakref.WeakSet()
_END_SECONDS = 1.0


class Reader:
    """Asks a source within a time limit in seconds. The thread ends with the reader, or with the
    process.
    """

    def __init__(self, source: Source, time_limit: float):
        self._tasks: queue.SimpleQueue[tuple[Future, Partitions | None] | None] = (
            queue.SimpleQueue()
        )
        self._source, self._time_limit, self._pending, self._thread = source, time_limit, None, None
        weakref.finalize(self, self._tasks.put, None)

    def open(self) -> None:
        """Let the source connect, without waiting for it."""
        self._put(Future(), None)

    def read(self, partitions: Partitions, spent: float = 0.0) -> Lags:
        """Return the known lags; `spent` seconds of the limit have passed already.

        Raises
        ------
        UnreadError
            Where they cannot be read, or not in time. A read that has not ended is not repeated.
        """
        if self._pending is not None and not self._pending.done():
            raise UnreadError("the read before has not ended")
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
        """End the thread, and drop the connection, when a read that has not ended does."""
        self._tasks.put(None)

    def join(self, seconds: float) -> None:
        """Wait for the thread to end."""
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
    """Close open clients, so that none complains when the process ends."""
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
            # An exit of the source's must not become one of the consumer's.
            future.set_exception(
                error if isinstance(error, Exception) else UnreadError(words(error))
            )
        del task, future
    _drop(source)


def _drop(source: Source) -> None:
    with suppress(Exception):
        source.close()


def _checked(partitions: Partitions, answer: Any) -> Lags:
    """Return the lags that are whole numbers of at least 0; a source may return less than it was
    asked for, and more.
    """
    if not isinstance(answer, Mapping):
        raise UnreadError(
            f"the read returned {type(answer).__name__}, expected lags by topic and partition"
        )
    known = ((topic, number) for topic, numbers in partitions.items() for number in numbers)
    lags = {place: answer[place] for place in known if place in answer}
    return {place: int(lag) for place, lag in lags.items() if _is_lag(lag)}


def _is_lag(lag: Any) -> bool:
    try:
        return not isinstance(lag, bool | str | bytes) and lag == int(lag) >= 0
    except (TypeError, ValueError, OverflowError):
        return False


def words(error: BaseException) -> str:
    """Return an error in words, its name first."""
    if isinstance(error, UnreadError):
        return str(error)
    name, message = type(error).__name__, " ".join(str(error).split())
    return message if message.startswith(name) else f"{name}: {message}" if message else name


# -- what Kafka says --


def lags_of(
    committed: Mapping[Place, int], begin: Mapping[Place, int], end: Mapping[Place, int], reset: str
) -> Lags:
    """Return max(end - committed, 0); without a commit (-1) 0 for `latest`, else end - begin.
    Partitions without an answer are left out.
    """
    lags: Lags = {}
    for place, last in end.items():
        start = committed.get(place)
        if start is not None and start < 0:
            start = last if is_latest(reset) else begin.get(place)
        if start is not None:
            lags[place] = max(last - start, 0)
    return lags


def is_latest(reset: str) -> bool:
    """Return whether a group without a commit begins at the end."""
    return reset.lower() == "latest"


def _without_commit(committed: Mapping[Place, int], reset: str) -> list[Place]:
    """Return the partitions whose begin decides the lag."""
    return [] if is_latest(reset) else [place for place, offset in committed.items() if offset < 0]


def _client_limit_ms(time_limit: float) -> int:
    """Return how long a client tries: it then says why it fails before the reader gives up."""
    return max(int(time_limit * 800), 200)


class KafkaPythonReads:
    """Reads with kafka-python's `KafkaAdminClient`; `settings` are the consumer's, unknown ones are
    ignored.
    """

    def __init__(self, settings: Mapping[str, Any], time_limit: float):
        self.client: Any = None
        self._settings, self._limit_ms = settings, _client_limit_ms(time_limit)
        self._group_id, self._reset = (
            settings["group_id"],
            settings.get("auto_offset_reset") or "latest",
        )

    def open(self) -> None:
        """Connect, if it is not connected."""
        from kafka.admin import KafkaAdminClient

        if self.client is not None:
            return
        known = {
            key: self._settings[key]
            for key in self._settings.keys()
            & KafkaAdminClient.DEFAULT_CONFIG.keys() - {"metric_reporters"}
        }
        client = KafkaAdminClient.__new__(KafkaAdminClient)
        try:
            client.__init__(
                **known
                | {"bootstrap_timeout_ms": self._limit_ms, "request_timeout_ms": self._limit_ms}
            )
        except BaseException:
            # Where no broker answers, 3.0.12 leaves its thread behind, and `close` believes that
            # all is closed.
            client._closed = False
            with suppress(Exception):
                client.close()
            raise
        self.client = client

    def read(self, partitions: Partitions) -> Lags:
        """Return lags; a connection that has broken meanwhile is opened once more. A topic that
        alone fails is left out.
        """
        was_open = self.client is not None
        try:
            self.open()
            return self._of_all(partitions)
        except Exception:
            if not was_open:
                raise
            self.close()
            self.open()
            return self._of_all(partitions)

    def close(self) -> None:
        """Drop the connection."""
        client, self.client = self.client, None
        if client is not None:
            client.close()

    def _of_all(self, partitions: Partitions) -> Lags:
        from kafka.errors import BrokerResponseError

        try:
            return self._of(partitions)
        except BrokerResponseError:
            lags, errors = {}, []
            for topic, numbers in partitions.items():
                try:
                    lags |= self._of({topic: numbers})
                except BrokerResponseError as error:
                    errors.append(error)
            if len(errors) == len(partitions):
                raise
            return lags

    def _of(self, partitions: Partitions) -> Lags:
        from kafka import TopicPartition

        tps = [
            TopicPartition(topic, number)
            for topic, numbers in partitions.items()
            for number in numbers
        ]
        answer = self.client.list_group_offsets({self._group_id: tps})[self._group_id]
        committed = {(tp.topic, tp.partition): commit.offset for tp, commit in answer.items()}
        begin = self._offsets(_without_commit(committed, self._reset), _OLDEST)
        return lags_of(
            committed, begin, self._offsets([tuple(tp) for tp in tps], _NEWEST), self._reset
        )

    def _offsets(self, places: Sequence[Place], when: int) -> dict[Place, int]:
        from kafka import TopicPartition

        if not places:
            return {}
        answer = self.client.list_partition_offsets(
            {TopicPartition(*place): when for place in places}, timeout_ms=self._limit_ms
        )
        return {(tp.topic, tp.partition): offset.offset for tp, offset in answer.items()}


class AiokafkaReads:
    """Reads with aiokafka's own clients, on an event loop of the reader's thread; `settings` are
    the consumer's.
    """

    def __init__(self, settings: Mapping[str, Any], time_limit: float):
        self._settings, self._limit_ms = settings, _client_limit_ms(time_limit)
        self._group_id, self._reset = (
            settings["group_id"],
            settings.get("auto_offset_reset") or "latest",
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self.admin: Any = None
        self._offsets: Any = None

    def open(self) -> None:
        """Connect, if it is not connected."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self.run(self._connect())

    def read(self, partitions: Partitions) -> Lags:
        """Return lags; a connection that has broken meanwhile is opened once more."""
        was_open = self._loop is not None
        try:
            self.open()
            return self.run(self._of(partitions))
        except Exception:
            if not was_open:
                raise
            self.close()
            self.open()
            return self.run(self._of(partitions))

    def close(self) -> None:
        """Drop the connections."""
        loop, self._loop = self._loop, None
        if loop is None:
            return
        try:
            for client, end in ((self._offsets, "stop"), (self.admin, "close")):
                if client is not None:
                    with suppress(Exception):
                        loop.run_until_complete(getattr(client, end)())
        finally:
            self.admin = self._offsets = None
            loop.close()

    def run(self, work: Any) -> Any:
        """Run a coroutine on the loop of these clients."""
        return self._loop.run_until_complete(work)

    async def _connect(self) -> None:
        import inspect

        from aiokafka import AIOKafkaConsumer
        from aiokafka.admin import AIOKafkaAdminClient

        known = [
            name
            for name in inspect.signature(AIOKafkaAdminClient).parameters
            if name not in ("loop", "api_version")
        ]
        settings = {key: value for key, value in self._settings.items() if key in known} | {
            "request_timeout_ms": self._limit_ms
        }
        self.admin = AIOKafkaAdminClient(**settings)
        await self.admin.start()
        self._offsets = AIOKafkaConsumer(**settings, group_id=None, enable_auto_commit=False)
        await self._offsets.start()

    async def _of(self, partitions: Partitions) -> Lags:
        from aiokafka import TopicPartition

        tps = [
            TopicPartition(topic, number)
            for topic, numbers in partitions.items()
            for number in numbers
        ]
        answer = await self.admin.list_consumer_group_offsets(self._group_id, partitions=tps)
        committed = {(tp.topic, tp.partition): commit.offset for tp, commit in answer.items()}
        old = [TopicPartition(*place) for place in _without_commit(committed, self._reset)]
        begin = await self._offsets.beginning_offsets(old) if old else {}
        end = await self._offsets.end_offsets(tps)
        begin, end = (
            {(tp.topic, tp.partition): offset for tp, offset in some.items()}
            for some in (begin, end)
        )
        return lags_of(committed, begin, end, self._reset)
