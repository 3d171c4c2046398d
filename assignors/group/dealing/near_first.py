"""Near first: each free partition to the subscriber with the fewest that has a replica in its rack, if there is one."""

from heapq import heapify, heapreplace

import numpy as np

from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.group.snapshot import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.subscribers import Subscribers


def fill_within_racks(
    group: GroupSnapshot, rows: np.ndarray, owner: np.ndarray, count: np.ndarray, racks: Racks, by_id: np.ndarray, sets: Subscribers
) -> np.ndarray:
    """Assign rows to subscribers without a rack or with a replica in theirs; return the rows without such a subscriber.

    Row by row, because every member stands in several queues. `by_id` int32: members in the order of `sets`, which breaks ties.
    """
    position = np.full(count.size, -1, dtype=np.int64)
    position[by_id] = np.arange(by_id.size)
    key = (count * count.size + position).tolist()
    queues, taken, left = {}, [], []
    for row, subscribers, has in zip(rows.tolist(), sets.set_of_topic[group.tp_topic[rows]].tolist(), racks.has[rows]):
        name = subscribers, has.tobytes()
        if name not in queues:
            members = sets.members[subscribers]
            rack = racks.member_rack[members]
            queues[name] = [key[member] for member in members[(rack == NO_RACK) | has[rack]].tolist()]
            heapify(queues[name])
        member = _first(queues[name], key, by_id)
        if member is None:
            left.append(row)
        else:
            owner[row] = member
            key[member] += count.size
            taken.append(member)
    count += np.bincount(np.array(taken, dtype=np.int64), minlength=count.size)
    return np.array(left, dtype=np.int64)


def _first(queue: list[int], key: list[int], by_id: np.ndarray) -> int | None:
    """Return the member with the smallest key. Keys only grow, so an outdated key is detected when it reaches the front."""
    while queue:
        member = int(by_id[queue[0] % len(key)])
        if key[member] == queue[0]:
            return member
        heapreplace(queue, key[member])
    return None
