"""Names of members and partitions as the pages show them."""

import re
from collections import Counter
from collections.abc import Sequence
from os.path import commonprefix

ELLIPSIS = "…"
NO_OWNER = "unassigned"
"""Stands where a partition has no owner."""

UNDER = "under"
"""Stands before an assignor's name: `with lag` would be a member that lags."""

_SEPARATOR = re.compile(r"[-._/: ]")
WORD_JOINER = "\u2060"
# Addresses become links after escapes are gone: what stands behind these must not begin with a letter.
_LINK = re.compile(r"://|\bwww(?=\.)|@", re.IGNORECASE)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+.!:|~$>-])")


def member_labels(member_id: Sequence[str], client_id: Sequence[str | None]) -> tuple[str, ...]:
    """Return a short name for each member: its client id where no other member has it, else its member id.

    Kafka makes member ids of the client id and 36 random characters, which say nothing to a person.
    """
    times = Counter(client_id)
    taken = set(member_id)
    return tuple(
        client if client and times[client] == 1 and client not in taken - {member} else member for member, client in zip(member_id, client_id, strict=True)
    )


def under(name: str) -> str:
    """`under “lag”`: what an assignor would do, where text cannot be set as code."""
    return f"{UNDER} “{name}”"


def elided(name: str, width: int = 22) -> str:
    """Cut a long name in front, at a separator where one is near, and keep the tail, in which names of one group differ."""
    if len(name) <= width:
        return name
    tail = name[1 - width :]
    at = _SEPARATOR.search(tail, 0, width // 2)
    return ELLIPSIS + (tail[at.end() :] if at else tail)


def without_common_prefix(names: Sequence[str]) -> tuple[str, ...]:
    """Cut what all names start with, up to the last separator in it, so that narrow columns can be told apart."""
    shared = commonprefix(list(names)) if len(names) > 1 else ""
    cut = max((shared.rfind(mark) for mark in "-._/: "), default=-1) + 1
    return tuple(name[cut:] or name for name in names)


def partition_name(topic: str, partition: int | str) -> str:
    """`orders-7`, as Kafka's own messages write it."""
    return f"{topic}-{partition}"


def literal(text: str) -> str:
    """Return a text as Streamlit's Markdown shows it letter by letter, no link in it: names come from listings and may hold any mark-up."""
    unlinked = _LINK.sub(rf"\g<0>{WORD_JOINER}", text.replace("\n", " "))
    return _MARKDOWN.sub(r"\\\1", unlinked).replace("<", "&lt;")
