"""Rebalances from the records of `__consumer_offsets`; causes come from comparing two records.

history = RecordCauses()
for record in records:
    history.take(record)
events = history.events()
"""

from collections.abc import Callable, Mapping

from evenkeel.assignors.group.snapshot import partition_name, topic_and_number
from evenkeel.data.live.wire.coordinator_records import (
    Record,
)
from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.reading.group_of_records import Generation, GroupOfRecords


class RecordCauses:
    """Reads records in the order of their offsets.

    Parameters
    ----------
    group : str or None
        Read only this group; None for all groups.
    completed : callable
        Called with each generation of a classic group. The generation is then not kept in memory.
    """

    def __init__(
        self, group: str | None = None, completed: Callable[[Generation], None] = lambda _: None
    ):
        self._only, self._completed = group, completed
        self._groups: dict[str, GroupOfRecords] = {}

    def take(self, record: Record) -> None:
        """Read the next record."""
        if self._only is not None and record.group != self._only:
            return
        group = self._groups.get(record.group)
        if group is None:
            group = self._groups[record.group] = GroupOfRecords(record.group, self._completed)
        group.take(record)

    def events(self, topics: Mapping[str, str] | None = None) -> list[Rebalance]:
        """Return the rebalances, group by group; `topics`: known topic names by topic id."""
        events = [event for group in self._groups.values() for event in group.events]
        if not topics:
            return events
        for rebalance in events:
            rebalance.moved = rebalance.moved and [
                (_named(name, topics), giver, taker) for name, giver, taker in rebalance.moved
            ]
            rebalance.owned = rebalance.owned and {
                _named(name, topics): owner for name, owner in rebalance.owned.items()
            }
        return events


def _named(partition: str, topics: Mapping[str, str]) -> str:
    topic, number = topic_and_number(partition)
    return partition_name(topics.get(topic, topic), number)
