"""Builds a client's event from a log message, whose values are in the text, in JSON keys, or in
`key: value`.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Any

from evenkeel.data.sources.client_messages import (
    OTHER_EVENTS,
    message_of,
    partitions_of,
    plan_of,
)

BROKER, SPRING = "broker", "spring"
"""Library names for two other writers: a broker that refused a client, and Spring's containers."""

_LIBRARIES = (
    ("is identified as a known static member", BROKER),
    (": partitions assigned: [", SPRING),
    ("aiokafka", "aiokafka"),
    ("consumergroup/", "sarama"),
    ("group instance id", "sarama"),
    ("Group member (", "brod"),
    (" as member ", "kafka-go"),
)


@dataclass(slots=True)
class ClientEvent:
    """An event of one client. `handle` distinguishes clients that have the same id."""

    at: int | None
    event: str
    library: str
    place: str
    group: str | None = None
    client_id: str | None = None
    instance_id: str | None = None
    member_id: str | None = None
    generation: int | None = None
    reason: str | None = None
    partitions: dict[str, list[int]] | None = None
    assignment: dict[str, dict[str, list[int]]] | None = None
    more: dict[str, Any] = field(default_factory=dict)
    handle: str | None = None


def made(message: dict[str, Any], library: str, place: str) -> ClientEvent:
    """Return the event of a parsed message. `place`: the message's `file:line`."""
    generation = message.get("generation")
    partitions = message.get("partitions")
    more = {
        name: message[name] for name in ("protocol", "leader", "from", "to") if message.get(name)
    }
    if "stability" in message:
        more["stable"] = message["stability"] == "stable"
    return ClientEvent(
        None,
        message["event"],
        library,
        place,
        group=message.get("group"),
        instance_id=message.get("instance"),
        member_id=message.get("member"),
        generation=None if generation is None else int(generation),
        reason=(message.get("reason") or "").strip().rstrip(".") or None,
        partitions=None if partitions is None else partitions_of(partitions),
        more=more,
    )


_CONNECT_LISTS = {
    "connectorIds": "connectors",
    "taskIds": "tasks",
    "revokedTaskIds": "revoked_tasks",
}


def connect_parts(text: str) -> dict[str, Any]:
    """Return the connectors, tasks and delay in a Connect worker's assignment."""
    parts = {
        name: [part.strip() for part in listed[1].split(",") if part.strip()]
        for key, name in _CONNECT_LISTS.items()
        if (listed := re.search(rf"\b{key}=\[([^\]]*)\]", text))
    }
    delay = re.search(r"\bdelay=(\d+)", text)
    return parts | ({"delay_ms": int(delay[1])} if delay else {})


def of_text(text: str, place: str) -> ClientEvent | None:
    """Return the event in a text of a client that writes no prefix, None if there is no event."""
    message = message_of(text, OTHER_EVENTS, whole=False)
    if message is None:
        return None
    library = next((name for sign, name in _LIBRARIES if sign in text), "kafka-python")
    return made(message, library, place)


def split(event: ClientEvent) -> list[ClientEvent]:
    """Split a join or sync that lists partitions into two events: the join or sync, and the
    assignment. Other events are returned unchanged.
    """
    if event.event not in ("joined", "synced") or not event.partitions:
        return [event]
    assigned = replace(event, event="assigned", more={})
    return [replace(event, partitions=None), assigned]


_JS_EVENTS = {
    "Consumer has joined the group": "joined",
    "The group is rebalancing, re-joining": "rebalancing",
    "The coordinator is not aware of this member": "heartbeat_failed",
    "Group assignment": "assignment_made",
}


_JS_KEY = re.compile(r"\b(\w+)[=:] ?\"?([^\s\",]+)")


def of_kafkajs(text: str, keys: dict[str, Any], place: str) -> ClientEvent | None:
    """Return the event of a kafkajs line. Values are in JSON keys, in a nested JSON object, or in
    `key=value` in the text.
    """
    inside = [each for each in keys.values() if isinstance(each, dict) and "groupId" in each]
    value = {"message": text, **(keys or dict(_JS_KEY.findall(text)))}
    value |= inside[0] if inside else {}
    event = next((kind for text, kind in _JS_EVENTS.items() if text in str(value["message"])), None)
    if event is None:
        return None
    client_event = ClientEvent(None, event, "kafkajs", place)
    client_event.group, client_event.client_id = (
        _id(value.get("groupId")),
        _id(value.get("clientId")),
    )
    client_event.member_id = _id(value.get("memberId"))
    client_event.generation = _generation(value.get("generationId"))
    client_event.reason = _id(value.get("error")) if event == "heartbeat_failed" else None
    held = value.get("memberAssignment")
    client_event.partitions = held if isinstance(held, dict) and event == "joined" else None
    if str(value.get("isLeader")).lower() == "true" and client_event.member_id:
        client_event.more["leader"] = client_event.member_id
    if protocol := _id(value.get("groupProtocol")):
        client_event.more["protocol"] = protocol
    return client_event


def _id(value: Any) -> str | None:
    is_id = isinstance(value, str | int) and not isinstance(value, bool)
    return (str(value) or None) if is_id else None


_DIGITS = re.compile("[0-9]{1,10}")


def _generation(value: Any) -> int | None:
    digits = str(value)
    return int(digits) if _DIGITS.fullmatch(digits) else None


_FRANZ = (
    ("joining", "joining group"),
    ("joined", "joined, balancing group"),
    ("joined", "joined"),
    ("synced", "synced"),
    ("heartbeat_failed", "heartbeat errored"),
    ("left", "leaving group"),
    ("assignment_made", "balanced"),
)
_REVOKES = "revoking prior assigned partitions"
_WITHOUT_GROUP = ("revoked", "assignment_made")
_FRANZ_KEY = re.compile(
    r"(?:[;,] |: )(\w+): ((?:map\[.*?\]\]|\[[^\]]*\](?:, (?=[\w.-]+\[))?|[^,;])*)"
)


def of_franz(text: str, value: dict[str, Any], place: str) -> ClientEvent | None:
    """Return the event of a franz-go line: `[INFO] text; key: value, …`, or JSON."""
    message = str(value.get("msg", value.get("message", ""))) or text.partition("] ")[2] or text
    body = message.partition(";")[0].strip()
    event = next((kind for kind, start in _FRANZ if body == start), None)
    event = "revoked" if _REVOKES in body else event
    keys: dict[str, Any] = value or dict(_FRANZ_KEY.findall(message))
    if event is None or not ("group" in keys or "member_id" in keys or event in _WITHOUT_GROUP):
        return None
    member_id = _text(keys.get("member_id"))
    client_event = ClientEvent(None, event, "franz-go", place, _text(keys.get("group")))
    client_event.member_id, client_event.instance_id = member_id, _text(keys.get("instance_id"))
    client_event.generation = _generation(keys.get("generation"))
    client_event.reason = _text(keys.get("err")) or _text(keys.get("why"))
    is_rebalancing = "REBALANCE_IN_PROGRESS" in (client_event.reason or "")
    if is_rebalancing and event == "heartbeat_failed":
        client_event.event = "rebalancing"
    if event == "assignment_made":
        client_event.assignment = plan_of(str(value.get("plan") or message.partition("plan: ")[2]))
    listed = keys.get("assigned") or keys.get("revoking") or keys.get("lost")
    if listed:
        client_event.partitions = listed if isinstance(listed, dict) else partitions_of(str(listed))
    protocol = keys.get("balance_protocol") or keys.get("protocol")
    if protocol:
        client_event.more["protocol"] = protocol
    if str(keys.get("leader")).lower() == "true" and member_id:
        client_event.more["leader"] = member_id
    return client_event


def _text(value: Any) -> str | None:
    return None if value in (None, "", "<nil>", {}) else str(value)
