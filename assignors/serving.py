"""Which assignors can serve a group."""

from collections.abc import Mapping
from typing import Any

from assignors import ASSIGNORS

_SHARE, _CLASSIC = "share", "classic"


def serving(group_type: str | None, assignors: Mapping[str, Any] = ASSIGNORS) -> list[str]:
    """Return the names of those assignors that can serve a group of this type, None where it is not known.

    Share groups have assignors of their own. Every other group may want to see the client's and the broker's, whichever it uses now.
    """
    return [name for name, assignor in assignors.items() if (assignor.group_type == _SHARE) == (group_type == _SHARE)]


def shipped(group_type: str | None) -> list[str]:
    """Return the names of the assignors that ship with Kafka and need no other type of group; a group whose type is not known is taken for a classic one."""
    return [name for name, assignor in ASSIGNORS.items() if assignor.is_in_kafka and assignor.group_type == (group_type or _CLASSIC)]
