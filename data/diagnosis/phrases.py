"""Numbers, names and lists in sentences of a diagnosis, so that all sentences write them alike."""

import re
import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from evenkeel.assignors.diagnosis.finding import Finding
from evenkeel.assignors.group.snapshot import partition_name
from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.text.formats import listed, number
from evenkeel.data.text.names import ELLIPSIS, cut

WIDEST_NAME = 36
MOST_NAMES = 3

_DAY = 86_400

_POD = re.compile(r"-([a-z0-9]{6,10}-[a-z0-9]{5}|\d+)$")
_ADDRESS = re.compile(r"[\d.]+|[\da-fA-F:]+")


def span(least: int, most: int) -> str:
    """Return `3,442 to 8,575`, or one number if both numbers have the same text."""
    first, last = number(least), number(most)
    return last if first == last else f"{first} to {last}"


def are(value: int) -> str:
    """Return `is` for 1, else `are`."""
    return "is" if value == 1 else "are"


def is_soon(drain_seconds: float | None) -> bool:
    """Return whether the group is drained within a day; None: unknown, or never drained."""
    return drain_seconds is not None and drain_seconds <= _DAY


def are_too_few(figures: Mapping[str, Any]) -> bool:
    """Return whether the group would need more members than it has partitions."""
    return (figures.get("needed") or 0) > figures["partitions"]


@dataclass(frozen=True)
class Names:
    """The names of a group's members, partitions and topics, shortened for sentences.

    `width`: maximum length of a name. `most`: maximum names in a list, which then ends with "and N
    more". `group_name`: the group's name from a message, if the listing's rows have no group name.
    """

    observed: ObservedGroup
    group_name: str | None = None
    servers: str | None = None
    width: int = WIDEST_NAME
    most: int = MOST_NAMES

    @property
    def group_id(self) -> str | None:
        return self.observed.group_id or self.group_name

    @property
    def group(self) -> str:
        """The group's name in a sentence."""
        return cut(self.group_id, self.width) if self.group_id else "the group"

    def member(self, row: int) -> str:
        """Return a member's name such as `invoice-3 (10.20.7.109)`, or its member id.

        The member id is returned if several members have the same client id and host.
        """
        name, host = self.name_and_host(row)
        return f"{name} ({host})" if host and self._is_told_apart(row) else name

    def name_and_host(self, row: int) -> tuple[str, str]:
        """Return a member's name and host; the host is empty if unknown."""
        client, host = self._label(row)
        name = client if self._is_told_apart(row) else self.observed.snapshot.member_id[row]
        return cut(name, self.width), cut(host, self.width)

    def _is_told_apart(self, row: int) -> bool:
        label = self._label(row)
        return bool(label[0]) and self._times[label] == 1

    def host(self, row: int) -> str:
        """Return a member's host; its name if the host is unknown."""
        return cut(self._label(row)[1] or self.member(row), self.width)

    def hosts(self, rows: Sequence[int]) -> str:
        """Return the hosts of the first members, and how many more there are."""
        return listed(dict.fromkeys(map(self.host, rows)), self.most)

    def pod(self, row: int) -> str | None:
        """Return a member's pod if its host looks like the name of a pod."""
        host = self._label(row)[1]
        is_pod = host and _POD.search(host) and not _ADDRESS.fullmatch(host)
        return host if is_pod else None

    def _label(self, row: int) -> tuple[str | None, str]:
        return self.observed.client_id[row], (self.observed.host[row] or "").removeprefix("/")

    @cached_property
    def _times(self) -> Counter:
        return Counter(self._label(row) for row in range(len(self.observed.client_id)))

    def partition(self, tp: int) -> str:
        """Return `orders-7`."""
        return partition_name(self.topic_of(tp), int(self.observed.snapshot.tp_partition[tp]))

    def topic(self, row: int) -> str:
        """Return the name of a topic."""
        return cut(self.observed.snapshot.topic_name[row], self.width)

    def topic_of(self, tp: int) -> str:
        """Return the name of a partition's topic."""
        return self.topic(int(self.observed.snapshot.tp_topic[tp]))

    def members(self, rows: Sequence[int]) -> str:
        """Return the names of the first members, and how many more there are."""
        return self._listed(rows, self.member)

    def partitions(self, tps: Sequence[int]) -> str:
        """Return the names of the first partitions, and how many more there are."""
        return self._listed(tps, self.partition)

    def topics(self, rows: Sequence[int]) -> str:
        """Return the names of the first topics, and how many more there are."""
        return self._listed(rows, self.topic)

    def _listed(self, rows: Sequence[int], name) -> str:
        # A finding may have 100,000 partitions, so only the first names are computed.
        first = [name(row) for row in rows[: self.most]]
        return listed([*first, *[""] * (len(rows) - len(first))], self.most)

    def tool(self, script: str, arguments: str = "", *, is_of_group: bool = True) -> str:
        """Return a command of Kafka's tools; `is_of_group`: the command is about the group."""
        of_group = self._of_group if is_of_group else ""
        tail = f" {arguments}" if arguments else ""
        return f"{script} --bootstrap-server {self._servers}{of_group}{tail}"

    def describe(self, arguments: str = "") -> str:
        """Return the command that describes the group."""
        describe = f"--describe{self._of_group}{f' {arguments}' if arguments else ''}"
        return self.tool("kafka-consumer-groups.sh", describe, is_of_group=False)

    @property
    def _servers(self) -> str:
        return shlex.quote(self.servers) if self.servers else ELLIPSIS

    @property
    def _of_group(self) -> str:
        return f" --group {shlex.quote(self.group_id or 'GROUP')}"


Telling = Callable[[Finding, Names], str]


class Words(NamedTuple):
    """The texts for a cause; `change`: a command that changes something, and its effect."""

    short: str
    sentence: Telling
    advice: Telling
    command: Callable[[Finding, Names], str | None] = lambda finding, names: None
    change: Callable[[Finding, Names], dict[str, str] | None] = lambda finding, names: None
