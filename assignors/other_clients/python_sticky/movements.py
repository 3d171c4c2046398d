"""Movements: which partitions have moved before; where one went the opposite way, that one goes back instead (PartitionMovements)."""


class Movements:
    """`went`: source and destination of each partition that has moved and is not back. `is_chance`: a choice among several was made."""

    def __init__(self, topic_of: list[int]):
        self._topic_of = topic_of
        self._records: dict[int, dict[tuple[int, int], set[int]]] = {}
        self.went: dict[int, tuple[int, int]] = {}
        self.is_chance = False

    def in_place_of(self, tp: int, owner: int, to: int) -> int:
        """Return the partition to move to `to`: one that went from there to where `tp` came from, else `tp`.

        A Python set decides among several; the first by number stands for it.
        """
        source = self.went[tp][0] if tp in self.went else owner
        back = self._records.get(self._topic_of[tp], {}).get((to, source))
        if not back:
            return tp
        self.is_chance |= len(back) > 1
        return min(back)

    def record(self, tp: int, owner: int, to: int) -> None:
        """Remember that a partition moves."""
        source = owner
        records = self._records.setdefault(self._topic_of[tp], {})
        if tp in self.went:
            source = self.went[tp][0]
            records[self.went.pop(tp)].discard(tp)
        if source != to:
            self.went[tp] = source, to
            records.setdefault((source, to), set()).add(tp)
