"""Kafka lags: lags of a group, read with kafka-python or aiokafka."""

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from evenkeel_assignors.reading import Lags, Partitions, places
from evenkeel_assignors.rule import Place

_NEWEST, _OLDEST = -1, -2
"""Kafka's timestamps for the end and the begin of a partition."""


def lags_of(
    committed: Mapping[Place, int], begin: Mapping[Place, int], end: Mapping[Place, int], reset: str
) -> Lags:
    """Return the lag of each partition: max(end - committed, 0).

    Without a commit (-1), the lag is 0 if `reset` is `latest`, else end - begin. Partitions with
    an unknown offset are left out.
    """
    lags: Lags = {}
    for place, end_offset in end.items():
        start = committed.get(place)
        if start is not None and start < 0:
            start = end_offset if is_latest(reset) else begin.get(place)
        if start is not None:
            lags[place] = max(end_offset - start, 0)
    return lags


def is_latest(reset: str) -> bool:
    """Return whether a member starts at the end of a partition that has no commit."""
    return reset.lower() == "latest"


def _without_commit(committed: Mapping[Place, int], reset: str) -> list[Place]:
    """Return the partitions whose begin offset is needed, because nothing is committed."""
    return [] if is_latest(reset) else [place for place, offset in committed.items() if offset < 0]


def _client_limit_ms(time_limit: float) -> int:
    """Return the time limit for a client's requests: 80 % of `time_limit`, so that the client's
    error arrives before the reader stops.
    """
    return max(int(time_limit * 800), 200)


class KafkaPythonReads:
    """Reads lags with kafka-python's `KafkaAdminClient`. `settings`: settings of the consumer;
    settings that the admin client does not have are ignored.
    """

    def __init__(self, settings: Mapping[str, Any], time_limit: float):
        self.client: Any = None
        self._settings, self._limit_ms = settings, _client_limit_ms(time_limit)
        self._group_id, self._reset = (
            settings["group_id"],
            settings.get("auto_offset_reset") or "latest",
        )

    def open(self) -> None:
        """Connect, if not connected yet."""
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
            # If no broker answers, kafka-python 3.0.12 does not end its thread, and `close` does
            # nothing because the client is marked as closed.
            client._closed = False
            with suppress(Exception):
                client.close()
            raise
        self.client = client

    def read(self, partitions: Partitions) -> Lags:
        """Return lags. If the connection was lost, connect again once. Topics for which the broker
        returns an error are left out. If the broker returns an error for all topics: raise this
        error.
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
        """Close the connection."""
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

        tps = [TopicPartition(*place) for place in places(partitions)]
        answer = self.client.list_group_offsets({self._group_id: tps})[self._group_id]
        committed = {(tp.topic, tp.partition): commit.offset for tp, commit in answer.items()}
        begin = self._offsets(_without_commit(committed, self._reset), _OLDEST)
        end = self._offsets(places(partitions), _NEWEST)
        return lags_of(committed, begin, end, self._reset)

    def _offsets(self, places: Sequence[Place], when: int) -> dict[Place, int]:
        from kafka import TopicPartition

        if not places:
            return {}
        answer = self.client.list_partition_offsets(
            {TopicPartition(*place): when for place in places}, timeout_ms=self._limit_ms
        )
        return {(tp.topic, tp.partition): offset.offset for tp, offset in answer.items()}


class AiokafkaReads:
    """Reads lags with aiokafka's clients, on an event loop in the reader's thread. `settings`:
    settings of the consumer.
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
        """Connect, if not connected yet."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self.run(self._connect())

    def read(self, partitions: Partitions) -> Lags:
        """Return lags. If the connection was lost, connect again once."""
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
        """Close the connections."""
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
        """Run a coroutine on the event loop of both clients."""
        return self._loop.run_until_complete(work)

    async def _connect(self) -> None:
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

        tps = [TopicPartition(*place) for place in places(partitions)]
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
