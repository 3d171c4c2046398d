"""Lists: the partitions of each member while the leader moves them. A partition may be in several lists, or twice in one."""

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED


class Lists:
    """`owner`: first of those that have a partition, by topic-partition; `also`: the further ones. `size`: of each member's list."""

    def __init__(self, owner: np.ndarray, size: np.ndarray):
        self.owner: list[int] = owner.tolist()
        self.also: dict[int, list[int]] = {}
        self.size: list[int] = size.tolist()

    def append(self, tp: int, member: int):
        if self.owner[tp] == UNASSIGNED:
            self.owner[tp] = member
        else:
            self.also.setdefault(tp, []).append(member)
        self.size[member] += 1

    def remove(self, tp: int, member: int):
        """Take a partition off a list once, if it is there."""
        others = self.also.get(tp, [])
        if self.owner[tp] == member:
            self.owner[tp] = others.pop() if others else UNASSIGNED
        elif member in others:
            others.remove(member)
        else:
            return
        if not others:
            self.also.pop(tp, None)
        self.size[member] -= 1

    def has(self, tp: int, member: int) -> bool:
        return self.owner[tp] == member or member in self.also.get(tp, ())

    def members_with(self, tp: int) -> list[int]:
        return [member for member in (self.owner[tp], *self.also.get(tp, ())) if member != UNASSIGNED]

    def holdings(self) -> np.ndarray:
        """Return (member, topic-partition) of every list, int64 (N, 2)."""
        owner = np.array(self.owner, dtype=np.int64)
        tps = np.flatnonzero(owner != UNASSIGNED)
        more = [(member, tp) for tp, members in self.also.items() for member in members]
        return np.concatenate((np.column_stack((owner[tps], tps)), np.array(more, dtype=np.int64).reshape(-1, 2)))
