"""Where names stand in a scenario of a streams document, and in the lines of its result."""

import hashlib
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from evenkeel.data.document.application import is_process_id
from evenkeel.data.scenarios.application_edits.advance import OTHERS
from evenkeel.data.shares.redaction.kinds import CLIENT, GROUP, HOST, MEMBER, RACK, TOPIC, WORD
from evenkeel.data.shares.redaction.known_words import (
    FORMATS,
    OPS,
    SETTINGS,
    TYPES,
    is_assignor,
    is_assumption,
    is_setting_value,
    is_task,
    is_time,
)
from evenkeel.data.shares.redaction.shapes import ByName, Change, Each, Fields, Keyed, Name, Text, Word, anything, keep


def process(value: Any, change: Change, path: str) -> Any:
    """A process id, which goes with the members; its stand-in is a UUID too. Streams groups have members in some of these places."""
    if not value or value == OTHERS:
        return value
    after = change.name(MEMBER, value)
    return (
        after
        if after == value or not is_process_id(value)
        else str(UUID(bytes=hashlib.md5(after.encode(), usedforsecurity=False).digest(), version=3))
    )


def held(value: Any, change: Change, path: str) -> Any:
    """Task ids, or those of each role."""
    return _BY_ROLE(value, change, path) if isinstance(value, Mapping) else _TASKS(value, change, path)


def settings(value: Any, change: Change, path: str) -> Any:
    """Settings by Kafka's names; of client tags one lists the keys, also in one text with commas."""
    if not isinstance(value, Mapping):
        return keep(value, change, path)
    return {_SETTING(key, change, path): _setting(key, each, change, path) for key, each in value.items()}


def _setting(key: str, value: Any, change: Change, path: str) -> Any:
    if key == _TAGS and isinstance(value, str):
        return ",".join(Name(WORD)(tag, change, path) for tag in map(str.strip, value.split(",")))
    return keep(value, change, path) if key == _TAGS else Word(is_setting_value)(value, change, path)


_TAGS = "rack.aware.assignment.tags"
_SETTING = Word(SETTINGS.__contains__)
_TASKS = Each(Word(is_task))
_BY_ROLE = Keyed(Word({"active", "standby", "warmup"}.__contains__), _TASKS)
_BY_TASK = Keyed(Word(is_task), keep)
_RACKS = Each(Each(Name(RACK)))
_TASK = Fields(
    {
        "task_id": Word(is_task),
        **dict.fromkeys(("stateful", "end_offset_sum"), keep),
        "source_racks": _RACKS,
        "changelog_racks": _RACKS,
        "input_partitions": ByName(TOPIC, keep),
    }
)
_CONSUMER = Fields({"member_id": Name(MEMBER), "owned": _TASKS, "standby": _TASKS, "task_offset_sums": _BY_TASK, "order": keep})
_PROCESS = Fields(
    {
        "process_id": process,
        "client_id": Name(CLIENT),
        "host": Name(HOST),
        "rack": Name(RACK),
        # Where a process runs, as racks say it.
        "client_tags": Keyed(Name(WORD), Name(RACK)),
        "consumers": Each(_CONSUMER),
    }
)
APPLICATION = Fields(
    {
        "format": Word(FORMATS.__contains__),
        "taken_at": Word(is_time),
        "type": Word(TYPES.__contains__),
        "assumed": Each(Word(is_assumption)),
        "settings": settings,
        "end_offset_rates": _BY_TASK,
        "application_id": Name(GROUP),
        "tasks": Each(_TASK),
        "processes": Each(_PROCESS),
        "restore_rates": Keyed(process, keep),
    }
)
APPLICATION_SETTINGS = Fields({"jdk": keep, "assignors": Each(Word(is_assignor))})
APPLICATION_EDIT = Fields(
    {
        **dict.fromkeys("off seed count disk seconds".split(), keep),
        "op": Word(OPS.__contains__),
        "settings": settings,
        "end_offset_rates": _BY_TASK,
        "process_ids": Each(process),
        "like": process,
        "restore_rates": Keyed(process, keep),
    }
)
APPLICATION_LINE = {
    "assignor": Word(is_assignor),
    "assumed": Each(Word(is_assumption)),
    "assignment": Keyed(process, held),
    "withheld": ByName(MEMBER, _TASKS),
    "error": Fields({"message": Text("…")}, anything),
}
