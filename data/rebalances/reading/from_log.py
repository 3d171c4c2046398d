"""Rebalances from coordinators' logs, line by line.

causes = LogCauses()
for message in LogHistory(paths):
    causes.take(message)
events = causes.events()
"""

from collections.abc import Callable

from evenkeel.data.rebalances.event import Rebalance
from evenkeel.data.rebalances.reading.classic_messages import ClassicMessages
from evenkeel.data.rebalances.reading.consumer_messages import ConsumerMessages
from evenkeel.data.sources.coordinator_log import LogMessage


class LogCauses:
    """Reads messages in order of time; after the last message, `events` returns the rebalances.

    `done`: called with each rebalance that later messages cannot change; `events` does not return
    these rebalances.
    """

    def __init__(self, group: str | None = None, done: Callable[[Rebalance], None] | None = None):
        self._only, self._done = group, done
        self._groups: dict[str, _Group] = {}

    def take(self, message: LogMessage) -> None:
        """Read the next message."""
        if self._only is not None and message.group != self._only:
            return
        group = self._groups.get(message.group)
        if group is None:
            group = self._groups[message.group] = _Group(message.group)
        group.take(message)
        if self._done is not None and len(group.events) > group.most_open:
            group.hand_over(self._done)

    def events(self) -> list[Rebalance]:
        """Return the rebalances, group by group."""
        return [event for group in self._groups.values() for event in group.events]


class _Group(ClassicMessages, ConsumerMessages):
    """One group, classic or KIP-848; a conversion changes its protocol."""
