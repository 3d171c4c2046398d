"""Topology: the subtopologies of an application, their sources, changelogs and tasks, and whether
they are stateful.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

from evenkeel.assignors.arrays import all_known
from evenkeel.data.group.document import task_number
from evenkeel.data.group.document.application import Racks, Task
from evenkeel.data.live.reading.topics import LiveTopic


@dataclass(frozen=True)
class Subtopology:
    """A subtopology. `topics`: its inputs. `task_count`: partitions of its largest input.
    `is_stateful`: null if unknown.
    """

    topics: frozenset[str]
    task_count: int
    is_stateful: bool | None = None

    def inputs(self, partition: int, seen: Mapping[str, LiveTopic]) -> dict[str, list[int]]:
        """Return the partitions that a task reads: partition number `partition` of each input topic
        that has this partition. A hidden topic is assumed to have this partition.
        """
        return {
            topic: [partition]
            for topic in sorted(self.topics)
            if topic not in seen or partition < len(seen[topic].racks)
        }


Topology = dict[int, Subtopology]


class SourcePartition(NamedTuple):
    """A partition of a source topic, and the task that reads it."""

    task_id: str
    topic: str
    partition: int


def topology_of(reads: Iterable[SourcePartition], seen: Mapping[str, LiveTopic]) -> Topology:
    """Return the subtopologies by number. `reads`: source partitions of the tasks.

    A subtopology has a task for each partition of its largest topic, including tasks that were not
    assigned. A hidden topic is assumed to end with the partition of the last assigned task.
    """
    topics: dict[int, set[str]] = {}
    last: dict[int, int] = {}
    for read in reads:
        subtopology, partition = task_number(read.task_id)
        topics.setdefault(subtopology, set()).add(read.topic)
        last[subtopology] = max(last.get(subtopology, 0), partition)
    return {
        number: Subtopology(
            frozenset(topics[number]),
            max(
                [
                    last[number] + 1,
                    *(len(seen[topic].racks) for topic in topics[number] if topic in seen),
                ]
            ),
        )
        for number in sorted(topics)
    }


def task_ids(topology: Topology) -> list[str]:
    """Return the task ids by subtopology, then by partition."""
    return [
        f"{number}_{partition}"
        for number in sorted(topology)
        for partition in range(topology[number].task_count)
    ]


# Changelogs of an application, and the subtopology of each changelog as far as it can be inferred.
# Kafka's name is APPLICATION-STORE-changelog. A changelog has as many partitions as its subtopology
# has tasks. The group's bytes do not name changelogs.


_CHANGELOG, _REPARTITION = "-changelog", "-repartition"
_MOST_WAYS = 4096

Way = dict[str, int]
"""Subtopology of each changelog."""


class EndSums(NamedTuple):
    """End offset sums by task. `assumed`: tasks whose sum may be wrong, because it is uncertain
    which changelogs the task has. `way`: the assumed subtopology of each changelog.
    """

    sums: dict[str, int]
    assumed: frozenset[str]
    way: Way


def changelog_names(application_id: str, names: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return the changelogs of an application. `names`: topics of the cluster. `others`: ids of
    other groups. Changelogs of another group are left out, even if the id of this group starts with
    `application_id`.
    """
    own = f"{application_id}-"
    longer = tuple(f"{other}-" for other in others if other.startswith(own))
    stores = [
        name for name in names if name.startswith(own) and name[len(own) :].endswith(_CHANGELOG)
    ]
    return sorted(name for name in stores if not (longer and name.startswith(longer)))


def end_sums(
    topology: Topology,
    changelogs: Mapping[str, LiveTopic],
    ends: Mapping[tuple[str, int], int],
    reported: Mapping[str, int],
) -> EndSums:
    """Return the end offset sum of each task that has changelogs.

    Parameters
    ----------
    reported : mapping
        Largest reported sum of each task. It is a lower bound of the task's end offset sum.
    """
    ways = [
        (way, sums)
        for way in _ways(topology, changelogs)
        if _reaches(sums := way_sums(way, topology, ends), reported)
    ]
    if not ways:
        return EndSums({}, frozenset(), {})
    stateful = {number for number, subtopology in topology.items() if subtopology.is_stateful}
    way, best = min(ways, key=lambda each: _oddness(each[0], each[1], reported, stateful))
    assumed: set[str] = set()
    for _, other in ways:
        tasks = best.keys() | other.keys()
        assumed.update(task for task in tasks if best.get(task) != other.get(task))
    return EndSums(best, frozenset(assumed), way)


def _oddness(
    way: Way, sums: Mapping[str, int], reported: Mapping[str, int], stateful: set[int]
) -> tuple[int, int]:
    """Return two numbers. They are larger if this assignment of changelogs to subtopologies is less
    likely. First: sum of the end offset sums minus sum of the reported sums. Second: number of
    subtopologies with changelogs but without another sign of state.

    If no subtopology has another sign of state, more subtopologies with changelogs are likelier.
    """
    beyond = sum(sums.get(task, 0) - offset_sum for task, offset_sum in reported.items())
    owners = {*way.values()}
    return beyond, len(owners - stateful) if stateful else -len(owners)


def _ways(topology: Topology, changelogs: Mapping[str, LiveTopic]) -> Iterable[Way]:
    """Yield the possible ways to divide the changelogs among subtopologies. A changelog has as many
    partitions as its subtopology has tasks. Each stateful subtopology has a changelog; a stateless
    subtopology has none.
    """
    names = [name for name in sorted(changelogs) if _candidates(name, topology, changelogs)]
    candidates = [_candidates(name, topology, changelogs) for name in names]
    if prod(map(len, candidates)) > _MOST_WAYS:
        return
    stateful = {number for number, subtopology in topology.items() if subtopology.is_stateful}
    for chosen in product(*candidates):
        if stateful <= {*chosen}:
            yield dict(zip(names, chosen, strict=True))


def _candidates(
    name: str, topology: Topology, changelogs: Mapping[str, LiveTopic]
) -> Sequence[int]:
    size, source = len(changelogs[name].racks), name.removesuffix(_CHANGELOG) + _REPARTITION
    candidates = [
        number
        for number, subtopology in topology.items()
        if subtopology.is_stateful is not False and subtopology.task_count == size
    ]
    # Without names, Kafka Streams gives the store and the repartition topic of an aggregation the
    # same name.
    return [number for number in candidates if source in topology[number].topics] or candidates


def way_sums(way: Way, topology: Topology, ends: Mapping[tuple[str, int], int]) -> dict[str, int]:
    """Return the end offset sum of each task. A task is left out if an end offset is unknown."""
    sums: dict[str, int] = {}
    for number in {*way.values()}:
        names = [name for name, owner in way.items() if owner == number]
        for partition in range(topology[number].task_count):
            known = all_known(ends.get((name, partition)) for name in names)
            if known is not None:
                sums[f"{number}_{partition}"] = sum(known)
    return sums


def _reaches(sums: Mapping[str, int], reported: Mapping[str, int]) -> bool:
    return all(sums.get(task, offset_sum) >= offset_sum for task, offset_sum in reported.items())


# Tasks of an application, with known state and racks.


def tasks_of(
    topology: Topology, ends: EndSums, seen: Mapping[str, LiveTopic]
) -> tuple[list[Task], list[str]]:
    """Return the tasks, and the paths of assumed values. `seen`: source topics and changelogs."""
    tasks: list[Task] = []
    assumed, owners = [], {*ends.way.values()}
    for number in sorted(topology):
        subtopology = topology[number]
        names = sorted(name for name, owner in ends.way.items() if owner == number)
        stateful = number in owners if subtopology.is_stateful is None else subtopology.is_stateful
        for partition in range(subtopology.task_count):
            task_id, place = f"{number}_{partition}", len(tasks)
            inputs = subtopology.inputs(partition, seen)
            places = [(topic, read) for topic, numbers in inputs.items() for read in numbers]
            tasks.append(
                Task(
                    task_id=task_id,
                    stateful=stateful,
                    end_offset_sum=ends.sums.get(task_id) if stateful else None,
                    source_racks=_racks(places, seen),
                    changelog_racks=_racks([(name, partition) for name in names], seen)
                    if stateful
                    else None,
                    input_partitions=inputs,
                )
            )
            is_guess = task_id in ends.assumed
            if subtopology.is_stateful is None and is_guess:
                assumed.append(f"tasks[{place}].stateful")
            if stateful and (is_guess or task_id not in ends.sums):
                assumed.append(f"tasks[{place}].end_offset_sum")
    return tasks, assumed


def _racks(places: list[tuple[str, int]], seen: Mapping[str, LiveTopic]) -> Racks | None:
    """Return the racks of each partition's replicas. None if a partition is hidden or no broker has
    a rack.
    """
    known = all_known(
        seen[topic].racks[number] if topic in seen and number < len(seen[topic].racks) else None
        for topic, number in places
    )
    return known if known and all(known) and any(any(racks) for racks in known) else None
