"""What one client says of its group, made of a message and of what stands beside it: keys of JSON,
or `key: value` behind a text.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from evenkeel.data.sources.client_messages import OTHER_EVENTS, message_of, partitions_of

BROKER = "broker"
"""The library of what a broker says of one client: it refused it."""


@dataclass(slots=True)
class ClientEvent:
    """What one client says. `handle`: what tells clients of one id apart."""

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
    """Return the event of a message that is found in a text."""
    generation = message.get("generation")
    partitions = message.get("partitions")
    more = {
        name: message[name] for name in ("protocol", "leader", "from", "to") if message.get(name)
    }
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
    """Return connectors, tasks and delay of what a Connect worker got."""
    parts = {
        name: [part.strip() for part in listed[1].split(",") if part.strip()]
        for key, name in _CONNECT_LISTS.items()
        if (listed := re.search(rf"\b{key}=\[([^\]]*)\]", text))
    }
    delay = re.search(r"\bdelay=(\d+)", text)
    return parts | ({"delay_ms": int(delay[1])} if delay else {})


def of_text(text: str, place: str) -> ClientEvent | None:
    """Return the event of a text of a client without a prefix of its own, None for other texts."""
    message = message_of(text, OTHER_EVENTS, whole=False)
    if message is None:
        return None
    return made(
        message, BROKER if "is identified as a known static member" in text else "other", place
    )


_JS_EVENTS = {
    "Consumer has joined the group": "joined",
    "The group is rebalancing, re-joining": "rebalancing",
    "The coordinator is not aware of this member": "heartbeat_failed",
    "Group assignment": "assignment_made",
}


def of_kafkajs(value: dict[str, Any], place: str) -> ClientEvent | None:
    """Return the event of a line of kafkajs: its keys have what other clients write."""
    event = next((kind for text, kind in _JS_EVENTS.items() if text in str(value["message"])), None)
    if event is None:
        return None
    client_event = ClientEvent(None, event, "kafkajs", place)
    client_event.group, client_event.client_id = value.get("groupId"), value.get("clientId")
    client_event.member_id = value.get("memberId")
    client_event.reason = value.get("error") if event == "heartbeat_failed" else None
    held = value.get("memberAssignment")
    client_event.partitions = held if isinstance(held, dict) and event == "joined" else None
    if value.get("isLeader") and value.get("memberId"):
        client_event.more["leader"] = value["memberId"]
    if value.get("groupProtocol"):
        client_event.more["protocol"] = value["groupProtocol"]
    return client_event


_FRANZ = (
    ("joining", "joining group"),
    ("joined", "joined, balancing group"),
    ("joined", "joined"),
    ("synced", "synced"),
    ("revoked", "revoking prior assigned partitions"),
    ("heartbeat_failed", "heartbeat errored"),
    ("left", "leaving group"),
    ("assignment_made", "balanced; plan"),
)
_FRANZ_KEY = re.compile(r"(?:[;,] |: )(\w+): ((?:map\[.*?\]\]|\[[^\]]*\]|[^,;])*)")


def of_franz(text: str, value: dict[str, Any], place: str) -> ClientEvent | None:
    """Return the event of a line of franz-go: `[INFO] text; key: value, …`, or keys of JSON."""
    said = str(value.get("msg", value.get("message", ""))) or text.partition("] ")[2] or text
    body = said.partition(";")[0] if "balanced; plan" not in said else "balanced; plan"
    event = next(
        (
            kind
            for kind, start in _FRANZ
            if body.strip() == start
            or body.endswith(start)
            and start == "revoking prior assigned partitions"
        ),
        None,
    )
    keys = {str(key): str(each) for key, each in value.items()} or dict(_FRANZ_KEY.findall(said))
    if (
        event is None
        or "group" not in keys
        and "member_id" not in keys
        and event not in ("revoked",)
    ):
        return None
    client_event = ClientEvent(None, event, "franz-go", place)
    client_event.group, client_event.member_id = keys.get("group"), keys.get("member_id")
    client_event.instance_id = keys.get("instance_id") or None
    generation = keys.get("generation", "")
    client_event.generation = int(generation) if generation.isdigit() else None
    client_event.reason = keys.get("err") or keys.get("why")
    if (
        client_event.reason
        and "REBALANCE_IN_PROGRESS" in client_event.reason
        and event == "heartbeat_failed"
    ):
        client_event.event = "rebalancing"
    listed = keys.get("assigned") or keys.get("revoking") or keys.get("lost")
    client_event.partitions = partitions_of(listed) if listed else None
    if keys.get("protocol") or keys.get("balance_protocol"):
        client_event.more["protocol"] = keys.get("balance_protocol") or keys["protocol"]
    if keys.get("leader") == "true" and client_event.member_id:
        client_event.more["leader"] = client_event.member_id
    return client_event
