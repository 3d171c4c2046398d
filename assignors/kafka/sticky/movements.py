"""Movements: the owners during levelling, and which partitions have moved.

If a partition should move from A to B, and another partition of the topic has moved from B to A
before, the other partition moves back instead (Kafka's PartitionMovements).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count

import numpy as np

from evenkeel.assignors.assignment import HASH_COLLISIONS, REQUEST_ERROR, AssignorError, Assumption
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.java.collections import HashSet
from evenkeel.assignors.trace import MoveStep, Trace, asked

_NOT_MOVED = -1

_PASSES_UNWATCHED = 64
"""Passes before repeats are counted, because levelling usually ends after a few passes."""

_MOST_REPEATS = 2
"""The order of Java's sets depends on more than owners and sources. So the next passes may still
differ after one repeat.
"""


class Movements:
    """Moves partitions: changes `owner`, int32 (P,), and `count`, int64 (M,), in place.

    Attributes
    ----------
    source : int32 (P,)
        First owner of each partition that has moved and not moved back. Kafka has a set of such
        partitions for each combination of topic, first owner and present owner.
    """

    def __init__(self, group: GroupSnapshot, owner: np.ndarray, count: np.ndarray):
        self.owner, self.count = owner, count
        self.source = np.full(group.tp_count, _NOT_MOVED, dtype=np.int32)
        self.assumed: tuple[Assumption, ...] = ()
        self._group = group
        self._events: dict[int, list[tuple[np.ndarray, ...]]] = {}
        self._trace = asked()

    def passes(self) -> Iterator[None]:
        """Yield before each pass over the partitions. The number of passes has no limit.

        Raises
        ------
        AssignorError
            RequestError if the same passes repeat, so that Kafka's class never ends.
        """
        seen: Counter[int] = Counter()
        for number in count():
            yield
            if number >= _PASSES_UNWATCHED:
                state = hash((self.owner.tobytes(), self.source.tobytes()))
                seen[state] += 1
                if seen[state] > _MOST_REPEATS:
                    message = (
                        "Kafka's class never ends on this group, because it moves the same"
                        " partitions back and forth"
                    )
                    raise AssignorError(REQUEST_ERROR, f"{message}; expected an answer")

    def move(self, topic: int, rows: np.ndarray, to: np.ndarray) -> int:
        """Move partitions `rows` of a topic, one after the other, as long as the plan is valid.

        If another partition has moved in the opposite direction before, it moves back instead.
        This may invalidate the plan. Return the number of the move that invalidated the plan, or
        the number of rows.
        """
        done = 0
        for number in self._meetings(topic, rows, to) if topic in self._events else ():
            self._shift(topic, rows[done:number], to[done:number])
            done = number + 1
            row = int(rows[number])
            has_moved = self.source[row] != _NOT_MOVED
            went = self.move_one(topic, row, int(to[number]))
            # The plan is still valid if the row has not moved before, and the other partition has
            # no later move in the plan. Then both partitions had the same owner, so the loads are
            # as planned.
            if went != row and (has_moved or went in rows[done:]):
                return number
        self._shift(topic, rows[done:], to[done:])
        return rows.size

    def move_one(self, topic: int, row: int, to: int, to_former_owner: bool = False) -> int:
        """Move a partition, or another partition that moves back instead. Return the moved
        partition.

        `to_former_owner`: reason of the move, for a trace.
        """
        source = int(self.source[row])
        back = self._moved(topic, to, source if source != _NOT_MOVED else int(self.owner[row]))
        went = row if back is None else back
        self._shift(
            topic,
            np.array([went]),
            np.array([to], dtype=np.int32),
            None if went == row else row,
            to_former_owner,
        )
        return went

    def _meetings(self, topic: int, rows: np.ndarray, to: np.ndarray) -> list[int]:
        """Return the numbers of moves that may follow a move in the opposite direction."""
        member_count = self.count.size
        source = np.where(
            self.source[rows] == _NOT_MOVED, self.owner[rows], self.source[rows]
        ).astype(np.int64)
        tps = self._group.tps_of(topic)
        has_moved = self.source[tps] != _NOT_MOVED
        recorded = (
            self.source[tps][has_moved].astype(np.int64) * member_count + self.owner[tps][has_moved]
        )
        # Python sets, because `np.isin` is several times slower with so few rows.
        met = {*recorded.tolist(), *(source * member_count + to).tolist()}
        wanted = (to * np.int64(member_count) + source).tolist()
        return [number for number, pair in enumerate(wanted) if pair in met]

    def _shift(
        self,
        topic: int,
        rows: np.ndarray,
        to: np.ndarray,
        in_place_of: int | None = None,
        to_former_owner: bool = False,
    ):
        if not rows.size:
            return
        if self._trace is not None:
            self._tell(self._trace, rows, to, in_place_of, to_former_owner)
        owner, source = self.owner[rows], self.source[rows]
        self._events.setdefault(topic, []).append((rows, source, owner, to))
        self.source[rows] = np.where(
            source == _NOT_MOVED, owner, np.where(source == to, _NOT_MOVED, source)
        )
        # `count[owner] -= 1` would count a repeated owner only once.
        np.subtract.at(self.count, owner, 1)
        np.add.at(self.count, to, 1)
        self.owner[rows] = to

    def _tell(
        self,
        trace: Trace,
        rows: np.ndarray,
        to: np.ndarray,
        in_place_of: int | None,
        to_former_owner: bool,
    ):
        count = self.count.copy()
        watched = set(trace.of(rows))
        for row, receiver in zip(rows.tolist(), to.tolist(), strict=True):
            giver = int(self.owner[row])
            if row in watched:
                trace.add(
                    row,
                    MoveStep(
                        receiver,
                        giver,
                        int(count[giver]),
                        int(count[receiver]),
                        in_place_of,
                        to_former_owner,
                    ),
                )
            count[giver] -= 1
            count[receiver] += 1

    def _moved(self, topic: int, source: int, owner: int) -> int | None:
        """Return the first partition in Java's order that moved from `source` to `owner`."""
        tps = self._group.tps_of(topic)
        moved = tps.start + np.flatnonzero(
            (self.source[tps] == source) & (self.owner[tps] == owner)
        )
        if moved.size > 1:
            return self._first_in_java(topic, source, owner)
        return int(moved[0]) if moved.size else None

    def _first_in_java(self, topic: int, source: int, owner: int) -> int:
        """Return the first partition in Kafka's set, which is rebuilt from all its changes.

        These changes decide the iteration order of the set.
        """
        rows, had_source, had_owner, to = (
            np.concatenate(columns) for columns in zip(*self._events[topic], strict=False)
        )
        joins = (to == owner) & (
            np.where(had_source == _NOT_MOVED, had_owner, had_source) == source
        )
        leaves = (had_source == source) & (had_owner == owner)
        moved = HashSet(self._hash_code(topic))
        for row, is_joining in zip(
            rows[joins | leaves].tolist(), joins[joins | leaves].tolist(), strict=False
        ):
            if is_joining:
                moved.add(row)
            elif len(moved) > 1:
                moved.remove(row)
            else:
                # Kafka removes an empty set. The next set starts with the first capacity again.
                moved = HashSet(self._hash_code(topic))
        self.assumed = (HASH_COLLISIONS,) if moved.tree_bin else self.assumed
        return next(iter(moved))

    def _hash_code(self, topic: int) -> Callable[[int], int]:
        first_tp, name = int(self._group.first_tp[topic]), int(self._group.topic_name_hash[topic])
        # TopicPartition.hashCode; HashSet truncates it to 32 bits.
        return lambda row: 31 * (31 + row - first_tp) + name
