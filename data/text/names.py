"""Names of members and groups, for texts and pages."""

import re
from collections import Counter
from collections.abc import Sequence

from evenkeel.assignors.group.series import Series

ELLIPSIS = "…"

WORST_MEMBER = "Worst member"

_SEPARATOR = re.compile(r"[-._/: ]")
_UUID_AT_END = re.compile(r"-([0-9a-fA-F]{4})[0-9a-fA-F]{4}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


def member_labels(member_id: Sequence[str], client_id: Sequence[str | None]) -> tuple[str, ...]:
    """Return a short name for each member: the client id if it is unique in the group, else the
    member id.

    In Kafka, a member id is the client id plus a UUID of 36 characters.
    """
    times = Counter(client_id)
    taken = set(member_id)
    return tuple(
        client
        if client and times[client] == 1 and (client == member or client not in taken)
        else member
        for member, client in zip(member_id, client_id, strict=True)
    )


def short_labels(member_id: Sequence[str], client_id: Sequence[str | None]) -> tuple[str, ...]:
    """Return the names of `member_labels`. A UUID is cut to its first four characters if the short
    name is still unique.
    """
    labels = member_labels(member_id, client_id)
    cut = [without_uuid(label) for label in labels]
    times = Counter(cut)
    return tuple(
        short if times[short] == 1 else label for short, label in zip(cut, labels, strict=True)
    )


def without_uuid(name: str) -> str:
    """Cut the UUID at the end of a name to its first four characters."""
    return _UUID_AT_END.sub(r"-\1", name)


def names_in(series: Series) -> tuple[str, ...]:
    """Return the short names of all members of a series."""
    return short_labels(series.member_id, series.client_id or [None] * len(series.member_id))


def elided(name: str, width: int = 22) -> str:
    """Cut the start of a long name, if possible at a separator. The end stays, because names in a
    group differ at their ends.
    """
    if len(name) <= width:
        return name
    tail = name[1 - width :]
    at = _SEPARATOR.search(tail, 0, width // 2)
    return ELLIPSIS + (tail[at.end() :] if at else tail)


def group_name(group_id: str | None, source_file: str | None) -> str:
    """Return the group's name. If the group has no name, return words for this, with the file's
    name.
    """
    if group_id is not None:
        return group_id
    return "one without a name" + (f" in {source_file}" if source_file is not None else "")


def cut(name: str, width: int) -> str:
    """Remove the middle of a long name."""
    if len(name) <= width:
        return name
    front = width // 2
    return f"{name[:front]}{ELLIPSIS}{name[len(name) - (width - front - 1) :]}"
