"""Ids of processes and consumers that Kafka would draw at random, made from a seed: a replay makes the same ones."""

import re

from evenkeel.data.document import Application
from evenkeel.data.document.application import StreamsConsumer
from evenkeel.data.scenarios.edits.edit import EditPlace
from evenkeel.data.scenarios.edits.parts.new_ids import new_uuid, printed

_UUID_AT_END = re.compile(r"-[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


def new_process_id(seed: int, at: EditPlace, number: int) -> str:
    """Return the id of a process without a disk; `number` counts the new processes of the edit."""
    return str(new_uuid(seed, at, f"process {number}"))


def new_consumers(
    document: Application, like: list[StreamsConsumer], seed: int, at: EditPlace, number: int, *, disk: bool = False
) -> list[StreamsConsumer]:
    """Return a new consumer for each one of a process; with `disk` they report what those have.

    Members of a classic group get `<client.id>-<UUID>` from the broker, those of a streams group make a UUID themselves.
    """
    return [
        StreamsConsumer(_member_id(document, one.member_id, seed, at, f"{number}, consumer {place}"), None, None, _kept(one, disk))
        for place, one in enumerate(like)
    ]


def _kept(consumer: StreamsConsumer, disk: bool) -> dict[str, int] | None:
    return dict(consumer.task_offset_sums or {}) if disk else None


def _member_id(document: Application, like: str, seed: int, at: EditPlace, what: str) -> str:
    made = new_uuid(seed, at, f"consumer of process {what}")
    return printed(made) if document.type == "streams" else f"{_UUID_AT_END.sub('', like)}-{made}"
