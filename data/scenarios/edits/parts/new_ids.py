"""Ids that Kafka would draw at random, made from a seed: a replay makes the same ones.

Classic members get theirs from the broker, `<client.id>-<UUID>`, static ones `<group.instance.id>-<UUID>`
(`ClassicGroup.generateMemberId`). A KIP-848 member makes its own UUID, which Kafka prints in 22 characters of base64url.
"""

import base64
import hashlib
import re
import uuid

from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import EditPlace

_UUID_AT_END = re.compile(r"-[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
_NO_CLIENT = "consumer"
_UUID_VERSION = 4


def new_member_id(group: ObservedGroup, client_id: str, instance_id: str | None, seed: int, at: EditPlace, number: int) -> str:
    """Return the id of a member that joins; `number` counts the new members of the edit."""
    made = new_uuid(seed, at, f"member {number}")
    if group.group_type in ("consumer", "share"):
        return printed(made)
    return f"{client_id if instance_id is None else instance_id}-{made}"


def new_uuid(seed: int, at: EditPlace, what: str) -> uuid.UUID:
    """Return the random UUID, version 4, of one thing that an edit makes."""
    for attempt in range(64):
        digest = hashlib.sha256(f"{seed}/{at.step}/{at.edit}/{what}/{attempt}".encode()).digest()
        made = uuid.UUID(bytes=digest[:16], version=_UUID_VERSION)
        # Uuid.randomUuid draws again while the text would begin with a dash.
        if not printed(made).startswith("-"):
            break
    return made


def printed(made: uuid.UUID) -> str:
    """Return a UUID as Kafka prints it: base64url, 22 characters."""
    return base64.urlsafe_b64encode(made.bytes).decode().rstrip("=")


def client_of(group: ObservedGroup, member_row: int) -> str:
    """Return a member's client id; where it is unknown, its member id without the UUID at the end."""
    return group.client_id[member_row] or _UUID_AT_END.sub("", group.snapshot.member_id[member_row]) or _NO_CLIENT
