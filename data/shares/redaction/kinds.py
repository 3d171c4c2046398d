"""Kinds of names, in the order in which a person is asked about them."""

from collections.abc import Iterable
from typing import NamedTuple

from evenkeel.data.errors import SnapshotError


class Kind(NamedTuple):
    """`name`: of all of its names; `one`: of one; `word`: how its stand-ins begin."""

    name: str
    one: str
    word: str


HOST = Kind("hosts", "host", "host")
CLIENT = Kind("client ids", "client id", "client")
MEMBER = Kind("members", "member", "member")
INSTANCE = Kind("instance ids", "instance id", "instance")
RACK = Kind("racks", "rack", "rack")
TOPIC = Kind("topics", "topic", "topic")
GROUP = Kind("group name", "group", "group")
WORD = Kind("other words", "word", "word")
"""What stands where Kafka or Evenkeel has a word of its own, and is none: the assignor of somebody's class, the key of a client tag."""

_ALL = (HOST, CLIENT, MEMBER, INSTANCE, RACK, TOPIC, GROUP, WORD)
KINDS = tuple(kind.name for kind in _ALL)


def kinds_of(names: Iterable[str]) -> tuple[Kind, ...]:
    """Return kinds by name, in their order.

    Raises
    ------
    SnapshotError
        For a kind that there is not.
    """
    wanted = set(names)
    if unknown := sorted(wanted - set(KINDS)):
        raise SnapshotError(f'names to redact: found "{unknown[0]}", expected one of: {", ".join(KINDS)}')
    return tuple(kind for kind in _ALL if kind.name in wanted)
