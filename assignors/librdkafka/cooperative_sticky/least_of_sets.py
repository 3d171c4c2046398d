"""LeastOfSets: the size of the smallest list among the members of each set of subscribers, while sizes change."""

from collections.abc import Sequence

import numpy as np


class LeastOfSets:
    """`sets`: members of each set, by id. `size`: of each member's list; whoever changes it says so."""

    def __init__(self, sets: Sequence[np.ndarray], size: list[int]):
        self._sets = [members.tolist() for members in sets]
        self._size = size
        self._least: list[int | None] = [None] * len(sets)
        self._of_member: dict[int, list[int]] = {}
        for number, members in enumerate(self._sets):
            for member in members:
                self._of_member.setdefault(member, []).append(number)

    def size_in(self, number: int) -> int:
        """Return the size of the smallest list in a set."""
        least = self._least[number]
        if least is None:
            least = self._least[number] = min(map(self._size.__getitem__, self._sets[number]))
        return least

    def member(self, number: int) -> int:
        """Return the member with the smallest list in a set, of equal ones the smallest id."""
        return min(self._sets[number], key=self._size.__getitem__)

    def changed(self, *members: int):
        """Forget what sizes of these members decide."""
        for member in members:
            for number in self._of_member.get(member, ()):
                self._least[number] = None
