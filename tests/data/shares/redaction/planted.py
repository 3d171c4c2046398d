"""Documents with a canary in every place that may hold a text, derived from their types: a new
field has its canary by itself.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import count
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from uuid import UUID

import msgspec

from evenkeel.data.group.document import FORMAT, STREAMS_FORMAT, Application, Document

_FIXED = {
    "Partition.lag": None,
    "Document.type": "classic",
    "Document.leader": {"client": "java", "certain": True},
    "Application.type": "classic",
    "Topic.topic_id": "LkLS-N4OSSK11RYzgIc1Eg",
    "Task.task_id": "0_0",
    "Task.stateful": True,
    "StreamsConsumer.owned": ["0_0"],
    "StreamsConsumer.standby": [],
    "StreamsConsumer.task_offset_sums": {"0_0": 1},
    "Application.end_offset_rates": {"0_0": 1.5},
}
"""What a document refuses any other text for, and a lag, which cannot stand beside offsets."""

_TOPIC, _MEMBER, _PROCESS = (
    "canary-topic",
    "canary-member",
    str(UUID(int=0xCA11A81ECA11A81ECA11A81E)),
)
_REFERENCES = {
    "Topic.name": _TOPIC,
    "Member.subscribed": [_TOPIC],
    "Member.subscribed_regex": f"{_TOPIC}|canary-pattern",
    "Member.owned": {_TOPIC: [0]},
    "Member.current": {_TOPIC: [0]},
    "JoinedWith.owned": {_TOPIC: [0]},
    "Task.input_partitions": {_TOPIC: [0]},
    "Member.member_id": _MEMBER,
    "StreamsConsumer.member_id": _MEMBER,
    "Process.process_id": _PROCESS,
    "Application.restore_rates": {_PROCESS: 1.5},
}
"""What names the same thing in several places."""

CANARIES = ("canary", _PROCESS)


def group() -> dict[str, Any]:
    """Return a group document."""
    return _planted(Document, "", count(1)) | {"format": FORMAT}


def application(settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a streams document; without other settings one that lists canaries as keys of tags."""
    found = _planted(Application, "", count(1)) | {"format": STREAMS_FORMAT}
    tag = next(iter(found["processes"][0]["client_tags"]))
    return found | {
        "settings": {"num.standby.replicas": 1, "rack.aware.assignment.tags": [tag]}
        if settings is None
        else settings
    }


def texts(value: Any) -> Iterator[str]:
    """Yield every text of a JSON value, keys among them."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each)
    elif isinstance(value, str):
        yield value


def _planted(kind: Any, path: str, number: Iterator[int]) -> Any:
    given = _FIXED | _REFERENCES
    if path in given:
        return given[path]
    origin, of = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {
            one.encode_name: _planted(one.type, f"{kind.__name__}.{one.name}", number)
            for one in msgspec.structs.fields(kind)
        }
    if origin is Annotated:
        return _planted(of[0], "", number)
    if origin in (Union, UnionType):
        # A list of partitions, not their number.
        return _planted(next(one for one in reversed(of) if one is not NoneType), "", number)
    if origin is Literal:
        return of[0]
    if origin is list:
        return [_planted(of[0], "", number)]
    if origin is dict:
        return {f"canary-key-{next(number)}": _planted(of[1], "", number)}
    return {
        str: f"canary-{next(number)}",
        datetime: "2026-11-20T08:00:00Z",
        int: 1,
        float: 1.5,
        bool: True,
        Any: f"canary-{next(number)}",
    }[kind]
