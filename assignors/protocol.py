"""Assignor: what every strategy is, and which of them can serve a group."""

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from assignors.assignment import Assignment
from assignors.group import GroupSnapshot

_SHARE, _CLASSIC = "share", "classic"


class Assignor(Protocol):
    """A pure function of a snapshot; settings are fields, checked when it is made. No state between calls.

    `java_class` of a classic one: what a Java member names in its settings. `is_in_kafka`: it ships with Kafka, so that no member needs a jar of one's own. `name` is the key in `ASSIGNORS` and the command line's word, `protocol` Kafka's own word for it, `group_type` the groups it serves (classic,
    consumer, share), `is_cooperative` whether members keep what stays theirs while a classic group rebalances, None where nobody knows.
    """

    name: ClassVar[str]
    protocol: ClassVar[str]
    group_type: ClassVar[str]
    is_cooperative: ClassVar[bool | None]
    is_in_kafka: ClassVar[bool]

    def assign(self, group: GroupSnapshot) -> Assignment:
        """Return who owns what; the snapshot is not changed.

        Raises
        ------
        AssignorError
            Where Kafka's own class would throw; `java_class` is the simple name of its exception.
        """
        ...


def serving(group_type: str | None, assignors: Mapping[str, Any]) -> list[str]:
    """Return the names of those of `assignors` that can serve a group of this type; None where the type is unknown.

    Share groups have assignors of their own. Every other group may want to see the client's and the broker's, whichever it uses now.
    """
    return [name for name, assignor in assignors.items() if (assignor.group_type == _SHARE) == (group_type == _SHARE)]


def shipped(group_type: str | None, assignors: Mapping[str, Any]) -> list[str]:
    """Return the names of those of `assignors` that ship with Kafka and need no other type of group; an unknown type counts as classic."""
    return [name for name, assignor in assignors.items() if assignor.is_in_kafka and assignor.group_type == (group_type or _CLASSIC)]
