"""Tasks of an application with what is known of their state and their replicas."""

from collections.abc import Mapping

from evenkeel.data.document.application import Racks, Task
from evenkeel.data.live.reading.applications.changelogs import EndSums
from evenkeel.data.live.reading.applications.topology import Topology
from evenkeel.data.live.reading.topics import LiveTopic


def tasks_of(topology: Topology, ends: EndSums, seen: Mapping[str, LiveTopic]) -> tuple[list[Task], list[str]]:
    """Return the tasks, and the paths of what is assumed; `seen`: source topics and changelogs."""
    tasks, assumed, owners = [], [], {*ends.way.values()}
    for number in sorted(topology):
        one, names = topology[number], sorted(name for name, owner in ends.way.items() if owner == number)
        stateful = number in owners if one.is_stateful is None else one.is_stateful
        for partition in range(one.task_count):
            task_id, place = f"{number}_{partition}", len(tasks)
            inputs = one.inputs(partition, seen)
            places = [(topic, read) for topic, numbers in inputs.items() for read in numbers]
            tasks.append(
                Task(
                    task_id=task_id,
                    stateful=stateful,
                    end_offset_sum=ends.sums.get(task_id) if stateful else None,
                    source_racks=_racks(places, seen),
                    changelog_racks=_racks([(name, partition) for name in names], seen) if stateful else None,
                    input_partitions=inputs,
                )
            )
            is_guess = task_id in ends.assumed
            if one.is_stateful is None and is_guess:
                assumed.append(f"tasks[{place}].stateful")
            if stateful and (is_guess or task_id not in ends.sums):
                assumed.append(f"tasks[{place}].end_offset_sum")
    return tasks, assumed


def _racks(places: list[tuple[str, int]], seen: Mapping[str, LiveTopic]) -> Racks | None:
    """Return the racks of each partition's replicas; null where one is not visible or no broker has a rack."""
    found = [seen[topic].racks[number] if topic in seen and number < len(seen[topic].racks) else None for topic, number in places]
    return found if found and all(found) and any(any(racks) for racks in found) else None
