"""The shape of the streams document `evenkeel.streams/1`: one Kafka Streams application at one moment, with names."""

from typing import Annotated, Any, Literal

import msgspec

from evenkeel.data.document.shape import Held, Offset, Shape, Time

STREAMS_FORMAT = "evenkeel.streams/1"

OffsetSum = Annotated[int, msgspec.Meta(ge=-3, le=2**63 - 1)]
"""As on the wire: -2 running, -3 unknown, else the sum of the offsets that the state has."""

Rate = Annotated[float, msgspec.Meta(ge=0)]
"""Records per second."""

Racks = list[list[str | None]]
"""The racks of the replicas of each partition."""


class Task(Shape):
    """One task; `input_partitions` are the source partitions that it reads."""

    task_id: str
    stateful: bool
    end_offset_sum: Offset | None = None
    source_racks: Racks | None = None
    changelog_racks: Racks | None = None
    input_partitions: Held | None = None


class StreamsConsumer(Shape):
    """One thread; `standby` is input for streams groups only. `order`: its place in the coordinator's list, which mixes processes."""

    member_id: str
    owned: list[str] | None = None
    standby: list[str] | None = None
    task_offset_sums: dict[str, OffsetSum] | None = None
    order: Annotated[int, msgspec.Meta(ge=0)] | None = None


class Process(Shape):
    """One KafkaStreams instance; it has as much capacity as consumers."""

    process_id: str
    consumers: list[StreamsConsumer]
    client_id: str | None = None
    host: str | None = None
    rack: str | None = None
    client_tags: dict[str, str] | None = None


class Application(Shape):
    """One Kafka Streams application; `settings` have Kafka's dotted names."""

    format: str
    application_id: str | None = None
    taken_at: Time | None = None
    type: Literal["classic", "streams"] | None = None
    assumed: list[str] | None = None
    settings: dict[str, Any] | None = None
    tasks: list[Task] | None = None
    processes: list[Process] | None = None
    restore_rates: dict[str, Rate] | None = None
    end_offset_rates: dict[str, Rate] | None = None
