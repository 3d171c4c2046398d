"""The places of names in frozen rebalances: fields and quoted log lines.

The code that reads logs splits each line. Kafka's own words stay, names are replaced by kind, and
unknown parts are hidden.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any
from zoneinfo import available_timezones

from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.data.rebalances.frozen import FORMAT
from evenkeel.data.rebalances.reading.reasons import BY_KAFKA, spelled_reason
from evenkeel.data.rebalances.words import CAUSES
from evenkeel.data.shares.redaction.known_words import is_assignor, is_time
from evenkeel.data.shares.redaction.shapes import (
    CLIENT,
    GROUP,
    HOST,
    INSTANCE,
    MEMBER,
    REASON,
    TOPIC,
    WORD,
    Change,
    Each,
    Fields,
    Name,
    Shape,
    Word,
    keep,
)
from evenkeel.data.sources.coordinator_messages import spelled

_FILE = re.compile(
    r"(?:server|controller)\.log(?:\.\d{4}-\d\d-\d\d(?:-\d\d)?)?(?:\.gz)?|paste|lake|__consumer_offsets",
    re.ASCII,
)
_RECORD = re.compile(r"__consumer_offsets-\d+@\d+", re.ASCII)
_WORDS = {
    CLASSIC,
    CONSUMER,
    "log",
    "offsets",
    "both",
    "joined",
    "assigned",
    "stable",
    "evenkeel.rebalance/1",
    FORMAT,
}
_WORDS |= {
    f"{protocol}_to_{other}" for protocol, other in ((CLASSIC, CONSUMER), (CONSUMER, CLASSIC))
}
_LIST = re.compile(r"((?:Set|List|HashSet)\(|\[)(.*)([)\]]\.?)", re.DOTALL)
_REJOINS = "need to re-join with the given member-id"
_NOBODY = ("null", "None", "")
_ASSIGNED = re.compile(r"(?<=\[)[^\[\]]+(?=\])")

_word, _cause, _time = Word(_WORDS.__contains__), Word(CAUSES.__contains__), Word(is_time)
_file = Word(lambda text: _FILE.fullmatch(text) is not None)


def changed_rebalances(
    document: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], change: Change
) -> tuple[dict, list[dict]]:
    """Return the frozen rebalances after `change` changed every name, reason and log line.

    Raises
    ------
    SnapshotError
        If there is an unknown key, because its value may contain names.
    """
    events = lines[1:]
    shape = _event_shape(_kinds(events))
    return _DOCUMENT(document, change, "$"), [
        dict(lines[0]),
        *(shape(line, change, f"$[{place}]") for place, line in enumerate(events)),
    ]


# Fields.


def _place(value: Any, change: Change, path: str) -> Any:
    """The place of a log line such as `server.log:1201`, or of a record."""
    if not isinstance(value, str) or _RECORD.fullmatch(value):
        return value
    file, colon, line = value.rpartition(":")
    return (
        f"{_file(file, change, path)}{colon}{line}"
        if line.isdecimal()
        else _file(value, change, path)
    )


def _partition(value: Any, change: Change, path: str) -> Any:
    topic, dash, number = value.rpartition("-")
    return (
        f"{Name(TOPIC)(topic, change, path)}{dash}{number}"
        if number.isdecimal()
        else Name(TOPIC)(value, change, path)
    )


def _chain(value: Any, change: Change, path: str) -> Any:
    """The name of a chain, such as `payments@3`."""
    if value is None:
        return None
    group, sign, number = value.rpartition("@")
    return f"{Name(GROUP)(group, change, path)}{sign}{number}"


def _kinds(events: Iterable[Mapping[str, Any]]) -> dict[str, Name]:
    """Return the kind of each owner's name: client id, instance id or member id.

    An owner is stored with its client id, else its instance id, else its member id.
    """
    kinds: dict[str, Name] = {}
    for event in events:
        members = [
            *event["triggers"],
            *event["members_joined"],
            *event["members_left"],
            *filter(None, [event["slowest"]]),
        ]
        for key, kind in (("client_id", CLIENT), ("instance_id", INSTANCE)):
            kinds |= {
                member[key]: Name(kind)
                for member in members
                if member[key] and member[key] not in kinds
            }
        kinds |= {member["member_id"]: Name(MEMBER) for member in members if member["member_id"]}
    return kinds


def _person(kinds: Mapping[str, Name], value: Any, change: Change, path: str) -> Any:
    """The name of an owner; if it is not in `kinds`, it counts as a client id."""
    return value and kinds.get(value, Name(CLIENT))(value, change, path)


def _move(kinds: Mapping[str, Name], value: Any, change: Change, path: str) -> Any:
    """A move: partition, former owner, new owner."""
    partition, *both = value
    return [
        _partition(partition, change, path),
        *(_person(kinds, member, change, path) for member in both),
    ]


def _owned(kinds: Mapping[str, Name], value: Any, change: Change, path: str) -> Any:
    return value and {
        _partition(key, change, path): _person(kinds, name, change, path)
        for key, name in value.items()
    }


# Reasons and lines, in pieces.


def _reason(value: Any, change: Change, path: str) -> Any:
    """The reason that a client gave.

    A beginning that comes from Kafka's own clients stays; the rest gets a stand-in.
    """
    known = next((text for text in BY_KAFKA if value and value.startswith(text)), "")
    rest = (value or "")[len(known) :]
    signs = re.split(r"\w", rest, maxsplit=1)[0]
    if value is None or len(signs) == len(rest):
        return value
    return (
        known
        + signs
        + Name(MEMBER if known == _REJOINS else REASON)(rest[len(signs) :], change, path)
    )


def _instance(value: str, change: Change, path: str) -> str:
    """An instance id as logs write it: `null`, `Some(a)` or `a`."""
    if value in _NOBODY:
        return value
    if value.startswith("Some(") and value.endswith(")"):
        return f"Some({Name(INSTANCE)(value[5:-1], change, path)})"
    return Name(INSTANCE)(value, change, path)


def _members(value: str, change: Change, path: str) -> str:
    """Member ids as logs write them: `a, b`, `Set(a, b)` or `[a, b]`."""
    return _listed(Name(MEMBER), value, change, path)


def _topics(value: str, change: Change, path: str) -> str:
    """The subscribed topics of a member, as `[a, b].`, or a regular expression."""
    return _listed(Name(TOPIC), value, change, path)


def _state(value: str, change: Change, path: str) -> str:
    """The new state of a member, with partitions in brackets.

    If the kind `other words` is redacted, the whole text is hidden; else only the partitions
    change.
    """
    whole = Name(WORD)(value, change, path)
    return (
        whole
        if whole != value
        else _ASSIGNED.sub(lambda match: _listed(_partition, match[0], change, path), value)
    )


def _listed(shape: Shape, value: str, change: Change, path: str) -> str:
    match = _LIST.fullmatch(value)
    begin, inside, end = match.groups() if match else ("", value, "")
    return begin + ", ".join(shape(item, change, path) for item in inside.split(", ")) + end


def _begins(value: str, change: Change, path: str) -> str:
    """The reason in `Preparing to rebalance …`; it may contain the reason that a client gave."""
    return _joined(
        spelled_reason(value), {**_PARTS, "members": _members, "reason": _reason}, change, path
    )


_PARTS: dict[str, Shape] = {
    **dict.fromkeys(("group", "group2"), Name(GROUP)),
    **dict.fromkeys(("member", "member2"), Name(MEMBER)),
    "instance": _instance,
    "client": Name(CLIENT),
    "host": Name(HOST),
    "more": Name(WORD),
    **dict.fromkeys(
        ("", "number", "count", "static", "session", "state", "during"),
        lambda value, change, path: value,
    ),
}
_REASONS: dict[str, Shape] = {
    "begins": _begins,
    **dict.fromkeys(("leaves", "leaves_static", "leaves_3"), _reason),
    "target": Word(is_assignor),
    "replaces": Name(MEMBER),
    "member_state": _state,
}
"""The shape of `reason` by kind of message. In other kinds, `reason` is Kafka's own text."""
_OTHERWISE: dict[str, dict[str, Shape]] = {
    "removed": {"member": _members},
    "subscribes": {"more": _topics},
}
"""By kind of message, parts that have another shape than in `_PARTS`."""


def _text(value: Any, change: Change, path: str) -> Any:
    """The text of a log line; empty for a record."""
    spelling = spelled(value) if value else None
    if spelling is None:
        return Name(WORD)(value, change, path)
    kind, pieces = spelling
    return _joined(
        pieces,
        {**_PARTS, "reason": _REASONS.get(kind, _PARTS[""]), **_OTHERWISE.get(kind, {})},
        change,
        path,
    )


def _joined(
    pieces: Iterable[tuple[str, str]], parts: Mapping[str, Shape], change: Change, path: str
) -> str:
    return "".join(parts[part](text, change, path) for part, text in pieces)


# All keys of the document and of a line.


_MEMBER = {"member_id": Name(MEMBER), "client_id": Name(CLIENT), "instance_id": Name(INSTANCE)}
_MEMBERS = Each(Fields(_MEMBER))
_CAUSE: dict[str, Shape] = {"cause": _cause, "alternatives": Each(_cause)}
_EVENT: dict[str, Shape] = {
    **dict.fromkeys(("schema", "protocol", "source", "end_is", "conversion"), _word),
    **dict.fromkeys(("start", "joined", "assigned", "stable"), _time),
    **dict.fromkeys(
        (
            "generation_before",
            "generation",
            "duration_ms",
            "completed",
            "members",
            "static_members",
        ),
        keep,
    ),
    **dict.fromkeys(
        (
            "follow_up_of",
            "coordinator",
            "zone_assumed",
            "rebalance_timeout_ms",
            "session_timeout_ms",
            "partitions",
        ),
        keep,
    ),
    **_CAUSE,
    "group": Name(GROUP),
    "triggers": Each(
        Fields({**_CAUSE, **_MEMBER, "reason": _reason, "at": _time, "evidence": _place})
    ),
    "members_joined": _MEMBERS,
    "members_left": _MEMBERS,
    "leader": Name(MEMBER),
    "assignor": Word(is_assignor),
    "slowest": Fields({**_MEMBER, "waited_ms": keep}),
    "chain": _chain,
    "evidence": Each(_place),
    "lines": Each(Fields({"place": _place, "at": _time, "text": _text})),
}
_DOCUMENT = Fields(
    {
        **dict.fromkeys(("lines", "used", "undated", "cut", "zone_assumed", "has_records"), keep),
        "format": _word,
        "group_id": Name(GROUP),
        "files": Each(_file),
        "first": _time,
        "last": _time,
        "zone": Word(lambda text: text in available_timezones()),
        "brokers": Each(keep),
    }
)


def _event_shape(kinds: Mapping[str, Name]) -> Fields:
    return Fields(
        {**_EVENT, "moved": _each(partial(_move, kinds)), "owned": partial(_owned, kinds)}
    )


def _each(shape: Shape) -> Shape:
    return lambda value, change, path: None if value is None else Each(shape)(value, change, path)
