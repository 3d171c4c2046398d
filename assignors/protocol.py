"""Assignor: what every strategy is."""

from typing import ClassVar, Protocol

from assignors.assignment import Assignment
from assignors.group import GroupSnapshot


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
