"""Topology: the subtopologies of an application, what they read, and which of them keep state."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from evenkeel.data.document import Held, task_number
from evenkeel.data.live.reading.topics import LiveTopic


@dataclass(frozen=True)
class Subtopology:
    """`topics`: what it reads. `task_count`: one for each partition of the largest of them. `is_stateful`: null where that is unknown."""

    topics: frozenset[str]
    task_count: int
    is_stateful: bool | None = None

    def inputs(self, partition: int, seen: Mapping[str, LiveTopic]) -> Held:
        """Return the partitions that one task reads; of a topic that cannot be seen the one of that number."""
        return {topic: [partition] for topic in sorted(self.topics) if topic not in seen or partition < len(seen[topic].racks)}


Topology = dict[int, Subtopology]


class Read(NamedTuple):
    """One partition of a source topic, and the task that reads it."""

    task_id: str
    topic: str
    partition: int


def topology_of(reads: Iterable[Read], seen: Mapping[str, LiveTopic]) -> Topology:
    """Return the subtopologies by number, from what their tasks read.

    A task is there for each partition, also where none of it was read; of topics that cannot be seen, up to the last one that was.
    """
    topics: dict[int, set[str]] = {}
    last: dict[int, int] = {}
    for read in reads:
        subtopology, partition = task_number(read.task_id)
        topics.setdefault(subtopology, set()).add(read.topic)
        last[subtopology] = max(last.get(subtopology, 0), partition)
    return {
        number: Subtopology(
            frozenset(topics[number]), max([last[number] + 1, *(len(seen[topic].racks) for topic in topics[number] if topic in seen)])
        )
        for number in sorted(topics)
    }


def task_ids(topology: Topology) -> list[str]:
    """Return the tasks in the order of subtopology and partition."""
    return [f"{number}_{partition}" for number in sorted(topology) for partition in range(topology[number].task_count)]
