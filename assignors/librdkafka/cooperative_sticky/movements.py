"""Movements: the leader's record of which partition went from whom to whom, and the inputs on which that record kills the leader.

Reproduces `PartitionMovements_t` of rdkafka_sticky_assignor.c, with its assertions and its reads of freed memory.
"""

from dataclasses import dataclass, field

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.snapshot import tp_name

LEADER_CRASH = "LeaderCrash"
UNDEFINED = "Undefined"


@dataclass(frozen=True, eq=False)
class _Pair:
    """An object in the leader's memory; the same members may have several."""

    source: int
    target: int


@dataclass(eq=False)
class _Record:
    """Partitions of a topic that went from one member to another. `key`: the pair of the partition that made it, `maker`."""

    key: _Pair
    maker: int
    tps: list[int] = field(default_factory=list)


class Movements:
    """Starts empty in every assignment; `last`: the pair of each partition that has moved, never taken back."""

    def __init__(self, group: GroupSnapshot, topic_of: list[int]):
        self._group, self._topic_of = group, topic_of
        self._last: dict[int, _Pair] = {}
        self._by_topic: dict[int, dict[tuple[int, int], _Record]] = {}

    def moved(self, tp: int, target: int, holder: list[int]) -> tuple[int, int]:
        """Record that `tp` goes to `target`; return the partition that goes in its place, and from whom.

        Raises
        ------
        AssignorError
            `LeaderCrash` where an assertion fails, `Undefined` where freed memory is read.
        """
        taken = self._reversed(tp, target, holder[tp])
        chosen = tp if taken is None else taken.tps[0]
        source, pair = holder[chosen], self._last.get(chosen)
        if pair is None:
            self._add(chosen, _Pair(source, target))
            return chosen, source
        self._take_off(chosen, pair)
        is_freed = taken is not None and not taken.tps
        if is_freed and self._topic_of[tp] not in self._by_topic:
            raise _freed(f"the record of {self._name(chosen)}")
        if pair.target != source:
            raise _crash(f"{self._name(chosen)} is not where it was moved to")
        if is_freed:
            raise _freed(f"the record of {self._name(chosen)}")
        # The leader remembers a place in the list, not the partition: now the next one stands there.
        chosen = chosen if taken is None else taken.tps[0]
        if pair.source != target:
            self._add(chosen, _Pair(pair.source, target))
        return chosen, source

    def _reversed(self, tp: int, target: int, source: int) -> _Record | None:
        """Return the record of a partition of this topic that went the other way before, None where there is none."""
        records = self._by_topic.get(self._topic_of[tp])
        if records is None:
            return None
        if tp in self._last and self._last[tp].target != source:
            raise _crash(f"{self._name(tp)} moves a second time after it came back")
        return self._looked_up(records, target, source)

    def _take_off(self, tp: int, pair: _Pair):
        records = self._by_topic.get(self._topic_of[tp])
        record = None if records is None else self._looked_up(records, pair.source, pair.target)
        if record is None:
            raise _crash(f"the move of {self._name(tp)} is not on record")
        if tp in record.tps:
            record.tps.remove(tp)
        if not record.tps:
            del records[pair.source, pair.target]
        if not records:
            del self._by_topic[self._topic_of[tp]]

    def _add(self, tp: int, pair: _Pair):
        self._last[tp] = pair
        records = self._by_topic.setdefault(self._topic_of[tp], {})
        record = self._looked_up(records, pair.source, pair.target)
        if record is None:
            record = records[pair.source, pair.target] = _Record(pair, tp)
        record.tps.append(tp)

    def _looked_up(self, records: dict[tuple[int, int], _Record], source: int, target: int) -> _Record | None:
        record = records.get((source, target))
        if record is not None and self._last[record.maker] is not record.key:
            raise _freed(f"the pair of members in the record that {self._name(record.maker)} made")
        return record

    def _name(self, tp: int) -> str:
        return tp_name(self._group, tp)


def _crash(why: str) -> AssignorError:
    return AssignorError(LEADER_CRASH, f"the leader dies of an assertion: {why}")


def _freed(what: str) -> AssignorError:
    return AssignorError(UNDEFINED, f"no answer exists: the leader reads {what} after it was freed")
