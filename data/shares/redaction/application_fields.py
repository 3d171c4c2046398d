"""Where names stand in a scenario of a streams document, and in the lines of its result."""

import hashlib
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from data.document.application_decoding import is_process_id
from data.scenarios.applications.edits.pass_time import OTHERS
from data.shares.redaction.kinds import CLIENT, GROUP, HOST, MEMBER, RACK, TOPIC
from data.shares.redaction.shapes import ByName, Change, Each, Fields, Name, Text, anything, keep


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


def by_process(value: Any, change: Change, path: str) -> Any:
    """A map whose keys are process ids."""
    return {process(key, change, path): each for key, each in value.items()} if isinstance(value, Mapping) else value


def tags(value: Any, change: Change, path: str) -> Any:
    """Client tags: the values say where a process runs, as racks do."""
    return {key: Name(RACK)(each, change, path) for key, each in value.items()} if isinstance(value, Mapping) else value


_RACKS = Each(Each(Name(RACK)))
_TASK = Fields(
    {
        **dict.fromkeys("task_id stateful end_offset_sum".split(), keep),
        "source_racks": _RACKS,
        "changelog_racks": _RACKS,
        "input_partitions": ByName(TOPIC, keep),
    }
)
_CONSUMER = Fields({"member_id": Name(MEMBER), **dict.fromkeys("owned standby task_offset_sums order".split(), keep)})
_PROCESS = Fields(
    {
        "process_id": process,
        "client_id": Name(CLIENT),
        "host": Name(HOST),
        "rack": Name(RACK),
        "client_tags": tags,
        "consumers": Each(_CONSUMER),
    }
)
APPLICATION = Fields(
    {
        **dict.fromkeys("format taken_at type assumed settings end_offset_rates".split(), keep),
        "application_id": Name(GROUP),
        "tasks": Each(_TASK),
        "processes": Each(_PROCESS),
        "restore_rates": by_process,
    }
)
APPLICATION_SETTINGS = Fields(dict.fromkeys("jdk assignors".split(), keep))
APPLICATION_EDIT = Fields(
    {
        **dict.fromkeys("op off seed count disk seconds settings end_offset_rates".split(), keep),
        "process_ids": Each(process),
        "like": process,
        "restore_rates": by_process,
    }
)
APPLICATION_LINE = {
    "assignor": keep,
    "assumed": keep,
    "assignment": by_process,
    "withheld": ByName(MEMBER, keep),
    "error": Fields({"type": keep, "message": Text("…")}, anything),
}
