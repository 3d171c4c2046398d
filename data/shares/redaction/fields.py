"""The places of names in a scenario and its result, for groups and applications.

Frozen rebalances have their own module, because their texts are log lines.
"""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any
from uuid import UUID

import msgspec

from evenkeel.assignors import CLIENTS
from evenkeel.data.group.document import (
    STREAMS_FORMAT,
    Application,
    Document,
    JoinedWith,
    Leader,
    Member,
    Partition,
    Topic,
)
from evenkeel.data.group.document.application import Process, StreamsConsumer, Task, is_process_id
from evenkeel.data.scenarios.application_edits import APPLICATION_EDITS
from evenkeel.data.scenarios.application_edits.advance import OTHERS
from evenkeel.data.scenarios.edits import EDITS
from evenkeel.data.scenarios.scenario.scenario import ApplicationSettings, Settings
from evenkeel.data.shares.redaction.known_words import (
    FORMATS,
    OPS,
    PROTOCOL_TYPES,
    SETTINGS,
    TYPES,
    is_assignor,
    is_assumption,
    is_reset,
    is_setting_value,
    is_state,
    is_task,
    is_time,
    is_version,
)
from evenkeel.data.shares.redaction.rebalances import (
    FORMAT as REBALANCES_FORMAT,
)
from evenkeel.data.shares.redaction.rebalances import (
    changed_rebalances,
)
from evenkeel.data.shares.redaction.shapes import (
    CLIENT,
    GROUP,
    HOST,
    INSTANCE,
    MEMBER,
    RACK,
    TOPIC,
    WORD,
    ByName,
    Change,
    Each,
    Fields,
    MapShape,
    Name,
    Shape,
    Text,
    Word,
    anything,
    expression,
    keep,
    topic_id,
)
from evenkeel.data.shares.share import Payload


def process(value: Any, change: Change, path: str) -> Any:
    """A process id; if the id is a UUID, its stand-in is a UUID too.

    The kind is `members`, because the same fields of a streams group may contain member ids.
    """
    if not value or value == OTHERS:
        return value
    after = change.name(MEMBER, value)
    return (
        after
        if after == value or not is_process_id(value)
        else str(UUID(bytes=hashlib.md5(after.encode(), usedforsecurity=False).digest(), version=3))
    )


def held(value: Any, change: Change, path: str) -> Any:
    """Task ids in a list, or in lists by role."""
    return (
        _BY_ROLE(value, change, path) if isinstance(value, Mapping) else _TASKS(value, change, path)
    )


def settings(value: Any, change: Change, path: str) -> Any:
    """Settings by their Kafka names.

    The setting `rack.aware.assignment.tags` contains keys of client tags, as a list or as a text
    with commas.
    """
    if not isinstance(value, Mapping):
        return keep(value, change, path)
    return {
        _SETTING(key, change, path): _setting(key, each, change, path)
        for key, each in value.items()
    }


def _setting(key: str, value: Any, change: Change, path: str) -> Any:
    if key == _TAGS and isinstance(value, str):
        return ",".join(Name(WORD)(tag, change, path) for tag in map(str.strip, value.split(",")))
    return (
        keep(value, change, path) if key == _TAGS else Word(is_setting_value)(value, change, path)
    )


_TAGS = "rack.aware.assignment.tags"
_SETTING = Word(SETTINGS.__contains__)
_TASKS = Each(Word(is_task))
_BY_ROLE = MapShape(Word({"active", "standby", "warmup"}.__contains__), _TASKS)
_BY_TASK = MapShape(Word(is_task), keep)
_HELD = ByName(TOPIC, keep)
_RACKS = Each(Name(RACK))
_TOPICS = Each(Name(TOPIC))

_BY_KEY: dict[str, Shape] = {
    "application_id": Name(GROUP),
    "assignor": Word(is_assignor),
    "assignors": Each(Word(is_assignor)),
    "assumed": Each(Word(is_assumption)),
    "auto_offset_reset": Word(is_reset),
    "capacity": ByName(MEMBER, keep),
    "changelog_racks": Each(_RACKS),
    "client": Word(CLIENTS.__contains__),
    "client_id": Name(CLIENT),
    # Client tags say where a process runs, as racks do.
    "client_tags": MapShape(Name(WORD), Name(RACK)),
    "current": _HELD,
    "end_offset_rates": _BY_TASK,
    "format": Word(FORMATS.__contains__),
    "group_id": Name(GROUP),
    "host": Name(HOST),
    "in_rate": ByName(TOPIC, keep),
    "input_partitions": _HELD,
    "instance_id": Name(INSTANCE),
    "instance_ids": Each(Name(INSTANCE)),
    "kafka_version": Word(is_version),
    "like": Name(MEMBER),
    "measured": Fields(dict.fromkeys(("since", "until"), Word(is_time))),
    "member_id": Name(MEMBER),
    "member_ids": Each(Name(MEMBER)),
    "name": Name(TOPIC),
    "owned": _HELD,
    "owners": ByName(MEMBER, _HELD),
    "process_id": process,
    "process_ids": Each(process),
    "protocol": Word(TYPES.__contains__),
    "protocol_type": Word(PROTOCOL_TYPES.__contains__),
    "rack": Name(RACK),
    "racks": _RACKS,
    "regex": expression,
    "restore_rates": MapShape(process, keep),
    "settings": settings,
    "source_racks": Each(_RACKS),
    "standby": _TASKS,
    "state": Word(is_state),
    "subscribed": _TOPICS,
    "subscribed_regex": expression,
    "taken_at": Word(is_time),
    "task_id": Word(is_task),
    "task_offset_sums": _BY_TASK,
    "topic": Name(TOPIC),
    "topic_id": topic_id,
    "topics": _TOPICS,
    "type": Word(TYPES.__contains__),
}
"""Shapes by the key of a document or an edit.

For every other key, numbers stay and each text gets a stand-in.
"""


def _fields(*structs: type[msgspec.Struct], **own: Shape) -> Fields:
    """Return the shape of objects of these types; `own`: shapes of keys, only for these types."""
    keys = chain.from_iterable(struct.__struct_fields__ for struct in structs)
    return Fields({key: _BY_KEY.get(key, keep) for key in keys} | own)


_OP = Word(OPS.__contains__)
_CONSUMERS = Each(_fields(StreamsConsumer, owned=_TASKS))
_APPLICATION = _fields(
    Application, tasks=Each(_fields(Task)), processes=Each(_fields(Process, consumers=_CONSUMERS))
)
_APPLICATION_EDIT = _fields(*APPLICATION_EDITS.values(), op=_OP, like=process)
_APPLICATION_LINE: dict[str, Shape] = {
    "assignor": Word(is_assignor),
    "assumed": Each(Word(is_assumption)),
    "assignment": MapShape(process, held),
    "withheld": ByName(MEMBER, _TASKS),
    "error": Fields({"message": Text("…")}, anything),
}


# Places of names in a scenario and in the lines of its result.


_GROUP = _fields(
    Document,
    leader=_fields(Leader),
    topics=Each(_fields(Topic, partitions=Each(_fields(Partition)))),
    members=Each(_fields(Member, joined_with=_fields(JoinedWith))),
)
_EDIT = _fields(*EDITS.values(), op=_OP, racks=Each(_RACKS))
_LINE: dict[str, Shape] = {
    "assignor": Word(is_assignor),
    "assumed": Each(Word(is_assumption)),
    "drain": Fields({}, keep),
    "assignment": ByName(MEMBER, _HELD),
    "withheld": ByName(MEMBER, _HELD),
    "error": Fields({"message": Text("…")}, anything),
}


def _steps(edit: Shape) -> Shape:

    def step(value: Any, change: Change, path: str) -> Any:
        number = int(path.rpartition("[")[2].rstrip("]")) + 1
        return Fields({"name": Text(f"step {number}"), "edits": Each(edit)})(value, change, path)

    return Each(step)


_SCENARIO: dict[str, Shape] = {"format": Word(FORMATS.__contains__), "name": Text("scenario")}
_OF_GROUPS = Fields(
    {**_SCENARIO, "group": _GROUP, "settings": _fields(Settings), "steps": _steps(_EDIT)}
)
_OF_APPLICATIONS = Fields(
    {
        **_SCENARIO,
        "group": _APPLICATION,
        "settings": _fields(ApplicationSettings),
        "steps": _steps(_APPLICATION_EDIT),
    }
)


def changed(
    scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], change: Change
) -> Payload:
    """Return scenario and lines after `change` changed every name, text and expression.

    Raises
    ------
    SnapshotError
        If the scenario has an unknown key, because its value may contain names.
    """
    if scenario.get("format") == REBALANCES_FORMAT:
        return Payload(*changed_rebalances(scenario, result, change))
    group = scenario.get("group")
    is_application = isinstance(group, Mapping) and group.get("format") == STREAMS_FORMAT
    shape, table = (_OF_APPLICATIONS, _APPLICATION_LINE) if is_application else (_OF_GROUPS, _LINE)
    lines = [_line(line, change, table) if "step" in line else dict(line) for line in result]
    return Payload(shape(scenario, change, "$"), lines)


def _line(line: Mapping[str, Any], change: Change, table: Mapping[str, Shape]) -> dict[str, Any]:
    return Fields({**table, "name": Text(f"step {line['step']}")}, anything)(line, change, "")
