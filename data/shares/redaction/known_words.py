"""Words of Kafka and Evenkeel. A share shows these words; any other word may be private."""

import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args

import msgspec

from evenkeel.assignors import ASSIGNORS, CLIENTS, TASK_ASSIGNORS
from evenkeel.assignors.assignment import (
    HASH_COLLISIONS,
    IDENTITY_HASHES,
    LIST_ORDER,
    MEMBER_ORDER,
    MEMBER_RACKS,
    REPLICA_RACKS,
    UNREAD_ENDS,
)
from evenkeel.assignors.protocol import CURRENT
from evenkeel.data.group.columns.application_document import dotted
from evenkeel.data.group.document import STREAMS_FORMAT
from evenkeel.data.group.document.application import Application
from evenkeel.data.group.document.shape import FORMAT, STATES, Document, GroupType, Time
from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS
from evenkeel.data.scenarios.edits import EDITS
from evenkeel.data.scenarios.edits.advance import OTHERS
from evenkeel.data.scenarios.scenario.scenario import FORMAT as SCENARIO_FORMAT

_CONDITIONS = (HASH_COLLISIONS, IDENTITY_HASHES, LIST_ORDER, UNREAD_ENDS)
_UNKNOWN = {
    MEMBER_ORDER,
    MEMBER_RACKS,
    REPLICA_RACKS,
    *(condition.column for condition in _CONDITIONS),
}
_RESET = re.compile("latest|earliest|none|by_duration:-?p[0-9ymwdths.]+", re.IGNORECASE | re.ASCII)
_TASK_ID, _VERSION = (
    re.compile("[0-9]{1,10}_[0-9]{1,10}"),
    re.compile(r"[0-9]{1,3}(\.[0-9]{1,3}){0,3}"),
)
_STEP = re.compile(r'\.?([A-Za-z_]+)|\[(?:[0-9]{1,10}|\*)]|\["([A-Za-z._]+)"]')
_STRATEGIES = {"none", "min_traffic", "balance_subtopology"}

FORMATS, OPS = {FORMAT, STREAMS_FORMAT, SCENARIO_FORMAT}, {*EDITS, *APPLICATION_EDITS}
TYPES = set(get_args(GroupType))
PROTOCOL_TYPES = {"consumer", "connect", "sr"}
"""The protocol types of classic groups: of Kafka's own clients, Connect and Schema Registry."""
SETTINGS = {dotted(field.name) for made in TASK_ASSIGNORS.values() for field in fields(made)}


def _keys(kind: Any) -> Iterator[str]:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        for field in msgspec.structs.fields(kind):
            yield field.encode_name
            yield from _keys(field.type)
    for inside in get_args(kind):
        yield from _keys(inside)


_KEYS = {*_keys(Document), *_keys(Application)}


def is_assignor(text: str) -> bool:
    """Return whether a text is the name of an assignor, in Evenkeel or Kafka, or `current`."""
    own = (
        made
        for table in (ASSIGNORS, *(client.assignors for client in CLIENTS.values()))
        for made in table.values()
    )
    return (
        text == CURRENT
        or text in ASSIGNORS
        or text in TASK_ASSIGNORS
        or any(text == made.protocol for made in own)
    )


def is_assumption(text: str) -> bool:
    """Return whether a text names an assumed value.

    Such a text is a path in the document, such as `topics[0].partitions`, or the name of an unknown
    input.
    """
    if text in _UNKNOWN or any(
        text == condition.column for client in CLIENTS.values() for condition in client.assumes
    ):
        return True
    place = 0
    while match := _STEP.match(text, place):
        if (match[1] and match[1] not in _KEYS) or (match[2] and match[2] not in SETTINGS):
            return False
        place = match.end()
    return place == len(text)


def is_reset(text: str) -> bool:
    """Return whether a text is a value of Kafka's `auto.offset.reset`."""
    return _RESET.fullmatch(text) is not None


def is_task(text: str) -> bool:
    """Return whether a text is a task id, or the sign `*` for all other tasks."""
    return text == OTHERS or _TASK_ID.fullmatch(text) is not None


def is_version(text: str) -> bool:
    """Return whether a text is the version of a program."""
    return _VERSION.fullmatch(text) is not None


def is_setting_value(text: str) -> bool:
    """Return whether a text is a possible value of a Kafka Streams setting."""
    return (
        text in _STRATEGIES
        or text.lower() in ("true", "false")
        or re.fullmatch("-?[0-9]{1,19}", text) is not None
    )


def is_state(text: str) -> bool:
    """Return whether a text is a state of a group."""
    return text in STATES


def is_time(text: str) -> bool:
    """Return whether a text is a time with its zone."""
    try:
        msgspec.convert(text, Time)
    except msgspec.ValidationError:
        return False
    return True
