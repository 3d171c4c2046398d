"""Where names occur in a scenario and in the lines of its result, of a group and of a Kafka Streams
application.

Those of frozen rebalances, whose texts are lines of logs, have a module of their own.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from evenkeel.assignors import CLIENTS
from evenkeel.data.group.document import STREAMS_FORMAT
from evenkeel.data.group.document.application import is_process_id
from evenkeel.data.scenarios.application_edits.advance import OTHERS
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
    """A process id, which goes with the members; its stand-in is a UUID too. Streams groups have
    members in some of these places.
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
    """Task ids, or task ids by role."""
    return (
        _BY_ROLE(value, change, path) if isinstance(value, Mapping) else _TASKS(value, change, path)
    )


def settings(value: Any, change: Change, path: str) -> Any:
    """Settings by Kafka's names; of client tags one lists the keys, also in one text with
    commas.
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
_TASK_RACKS = Each(Each(Name(RACK)))
_TASK = Fields(
    {
        "task_id": Word(is_task),
        **dict.fromkeys(("stateful", "end_offset_sum"), keep),
        "source_racks": _TASK_RACKS,
        "changelog_racks": _TASK_RACKS,
        "input_partitions": ByName(TOPIC, keep),
    }
)
_CONSUMER = Fields(
    {
        "member_id": Name(MEMBER),
        "owned": _TASKS,
        "standby": _TASKS,
        "task_offset_sums": _BY_TASK,
        "order": keep,
    }
)
_PROCESS = Fields(
    {
        "process_id": process,
        "client_id": Name(CLIENT),
        "host": Name(HOST),
        "rack": Name(RACK),
        # Where a process runs, as racks say it.
        "client_tags": MapShape(Name(WORD), Name(RACK)),
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
        "restore_rates": MapShape(process, keep),
    }
)
APPLICATION_SETTINGS = Fields({"jdk": keep, "assignors": Each(Word(is_assignor))})
APPLICATION_EDIT = Fields(
    {
        **dict.fromkeys(["off", "seed", "count", "disk", "seconds"], keep),
        "op": Word(OPS.__contains__),
        "settings": settings,
        "end_offset_rates": _BY_TASK,
        "process_ids": Each(process),
        "like": process,
        "restore_rates": MapShape(process, keep),
    }
)
APPLICATION_LINE: dict[str, Shape] = {
    "assignor": Word(is_assignor),
    "assumed": Each(Word(is_assumption)),
    "assignment": MapShape(process, held),
    "withheld": ByName(MEMBER, _TASKS),
    "error": Fields({"message": Text("…")}, anything),
}


# The places of names in a scenario and in the lines of its result.


_HELD = ByName(TOPIC, keep)
_RACKS = Each(Name(RACK))
_OFFSETS = dict.fromkeys(("begin_offset", "end_offset", "committed_offset", "lag"), keep)

_TOPIC = Fields(
    {
        "name": Name(TOPIC),
        "topic_id": topic_id,
        "partitions": Each(Fields({**_OFFSETS, "racks": _RACKS})),
    }
)
_MEMBER = Fields(
    {
        "member_id": Name(MEMBER),
        "client_id": Name(CLIENT),
        "host": Name(HOST),
        "instance_id": Name(INSTANCE),
        "rack": Name(RACK),
        "subscribed": Each(Name(TOPIC)),
        "subscribed_regex": expression,
        "owned": _HELD,
        "current": _HELD,
        "joined_with": Fields({"owned": _HELD, "generation": keep}),
        "generation": keep,
        "epoch": keep,
        "protocol": Word(TYPES.__contains__),
        "assignment_user_data": keep,
    }
)
_GROUP = Fields(
    {
        "format": Word(FORMATS.__contains__),
        "taken_at": Word(is_time),
        "auto_offset_reset": Word(is_reset),
        "type": Word(TYPES.__contains__),
        "protocol_type": Word(PROTOCOL_TYPES.__contains__),
        "state": Word(is_state),
        "assignor": Word(is_assignor),
        "group_epoch": keep,
        "assignment_epoch": keep,
        "assumed": Each(Word(is_assumption)),
        "leader": Fields({"client": Word(CLIENTS.__contains__), "certain": keep}),
        "group_id": Name(GROUP),
        "topics": Each(_TOPIC),
        "members": Each(_MEMBER),
    }
)

_NUMBERS = [
    "off",
    "seed",
    "together",
    "count",
    "partition",
    "partitions",
    "lag",
    "factor",
    "seconds",
    "window_seconds",
]
_EDIT = Fields(
    {
        **dict.fromkeys(_NUMBERS, keep),
        "op": Word(OPS.__contains__),
        "measured": Fields(dict.fromkeys(("since", "until"), Word(is_time))),
        "like": Name(MEMBER),
        "member_id": Name(MEMBER),
        "owners": ByName(MEMBER, _HELD),
        "member_ids": Each(Name(MEMBER)),
        "client_id": Name(CLIENT),
        "instance_id": Name(INSTANCE),
        "instance_ids": Each(Name(INSTANCE)),
        "rack": Name(RACK),
        "racks": Each(_RACKS),
        "name": Name(TOPIC),
        "topic": Name(TOPIC),
        "topic_id": topic_id,
        "topics": Each(Name(TOPIC)),
        "subscribed": Each(Name(TOPIC)),
        "subscribed_regex": expression,
        "regex": expression,
        "in_rate": ByName(TOPIC, keep),
        "capacity": ByName(MEMBER, keep),
    }
)
_SETTINGS = Fields(
    {
        "client": Word(CLIENTS.__contains__),
        "kafka_version": Word(is_version),
        "jdk": keep,
        "max_generation": keep,
        "assignors": Each(Word(is_assignor)),
    }
)
_LINE: dict[str, Shape] = {
    "assignor": Word(is_assignor),
    "assumed": Each(Word(is_assumption)),
    "drain": Fields({}, keep),
    "assignment": ByName(MEMBER, _HELD),
    "withheld": ByName(MEMBER, _HELD),
    "error": Fields({"message": Text("…")}, anything),
}


def _steps(edit: Shape) -> Shape:
    """Return the shape of steps whose edits have this shape."""

    def step(value: Any, change: Change, path: str) -> Any:
        number = int(path.rpartition("[")[2].rstrip("]")) + 1
        return Fields({"name": Text(f"step {number}"), "edits": Each(edit)})(value, change, path)

    return Each(step)


_SCENARIO: dict[str, Shape] = {"format": Word(FORMATS.__contains__), "name": Text("scenario")}
_OF_GROUPS = Fields({**_SCENARIO, "group": _GROUP, "settings": _SETTINGS, "steps": _steps(_EDIT)})
_OF_APPLICATIONS = Fields(
    {
        **_SCENARIO,
        "group": APPLICATION,
        "settings": APPLICATION_SETTINGS,
        "steps": _steps(APPLICATION_EDIT),
    }
)


def changed(
    scenario: Mapping[str, Any], result: Sequence[Mapping[str, Any]], change: Change
) -> Payload:
    """Return both after a change of every name, text and expression.

    Raises
    ------
    SnapshotError
        For a key of the scenario that no table has: it may name something.
    """
    if scenario.get("format") == REBALANCES_FORMAT:
        return Payload(*changed_rebalances(scenario, result, change))
    group = scenario.get("group")
    is_application = isinstance(group, Mapping) and group.get("format") == STREAMS_FORMAT
    shape, table = (_OF_APPLICATIONS, APPLICATION_LINE) if is_application else (_OF_GROUPS, _LINE)
    lines = [_line(line, change, table) if "step" in line else dict(line) for line in result]
    return Payload(shape(scenario, change, "$"), lines)


def _line(line: Mapping[str, Any], change: Change, table: Mapping[str, Shape]) -> dict[str, Any]:
    return Fields({**table, "name": Text(f"step {line['step']}")}, anything)(line, change, "")
