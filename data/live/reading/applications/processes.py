"""Processes: the threads of each KafkaStreams instance."""

import re
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from evenkeel.data.document.application import Process, StreamsConsumer

_OF_THREAD = re.compile(r"-StreamThread-\d+(-consumer)?$")


class OneThread(NamedTuple):
    """A consumer, and what it says of its process."""

    process_id: str
    consumer: StreamsConsumer
    client_id: str | None
    host: str | None
    rack: str | None
    client_tags: dict[str, str] | None


def processes_of(threads: Iterable[OneThread]) -> list[Process]:
    """Group threads by process, the process as its first thread says; threads are given in the coordinator's order, which each keeps.

    Threads of a process that name different racks, or none, leave it without a rack, which turns rack awareness off as in Kafka.
    """
    by_process: dict[str, list[OneThread]] = {}
    for order, thread in enumerate(threads):
        listed = thread._replace(consumer=msgspec.structs.replace(thread.consumer, order=order))
        by_process.setdefault(thread.process_id, []).append(listed)
    return [_process(process_id, some) for process_id, some in by_process.items()]


def _process(process_id: str, threads: list[OneThread]) -> Process:
    first, racks = threads[0], {thread.rack for thread in threads}
    return Process(
        process_id=process_id,
        consumers=[thread.consumer for thread in threads],
        client_id=_OF_THREAD.sub("", first.client_id) if first.client_id else None,
        host=first.host,
        rack=racks.pop() if len(racks) == 1 else None,
        client_tags=first.client_tags or None,
    )
