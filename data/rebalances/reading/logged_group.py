"""One group as its coordinators log it: members, rebalances, and moves to another coordinator."""

import re
from collections import deque
from collections.abc import Callable

from evenkeel.data.rebalances.event import Evidence, Member, Rebalance, Trigger
from evenkeel.data.rebalances.reading.reasons import (
    Context,
)
from evenkeel.data.sources.coordinator_log import LogMessage

_UUID = re.compile(r"(.*)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.S)
_MOST_LINES_BEFORE = 2_000
_MOST_OPEN = 16

CONVERTED_MS = 2_000
"""Longest time from a conversion to the rebalance that the conversion causes."""

DEPARTURES = ("member_left", "session_timeout", "poll_timeout", "rebalance_timeout")
"""Causes of rebalances in which a member leaves."""


class LoggedGroup:
    """Reads the messages that classic and KIP-848 groups have in common."""

    def __init__(self, name: str):
        self.events: list[Rebalance] = []
        self.most_open = _MOST_OPEN
        self._name = name
        self._broker: int | None = None
        self._open: Rebalance | None = None
        self._before: deque[LogMessage] = deque(maxlen=_MOST_LINES_BEFORE)
        self._members: dict[str, Member] = {}
        self._instances: set[str] = set()
        self._is_whole = False
        self._loaded: LogMessage | None = None
        self._converted: LogMessage | None = None
        self._hash: str | None = None
        self._generation: int | None = None
        self._gone: dict[str, tuple[Rebalance, Trigger]] = {}
        self._unaimed: list[Rebalance] = []
        self._context = Context(self._before, self.events, self._instances, self._member)

    def take(self, message: LogMessage) -> None:
        if message.broker != self._broker:
            if self._broker is not None:
                self._interrupt()
            self._broker = message.broker
        if message.instance is not None:
            self._instances.add(message.instance)
        handler = getattr(self, f"_on_{message.kind}", None)
        if handler is not None:
            handler(message)

    def hand_over(self, done: Callable[[Rebalance], None]) -> None:
        """Call `done` with each rebalance that no later message can change, and remove it.

        The last two rebalances stay: later messages refer to them.
        """
        awaited = [*self._unaimed, *(event for event, _ in self._gone.values()), *self.events[-2:]]
        ids = {id(event) for event in (*awaited, self._open)}
        for rebalance in self.events:
            if id(rebalance) not in ids:
                done(rebalance)
        self.events[:] = [event for event in self.events if id(event) in ids]
        self.most_open = max(_MOST_OPEN, 2 * len(self.events))

    def _interrupt(self) -> None:
        """End the open rebalance as incomplete, because the group's coordinator changed."""
        if self._open is not None:
            self._open.completed = False
            self._open = None
        self._before.clear()

    # Members.

    def _member(self, member_id: str, message: LogMessage | None = None) -> Member:
        known = self._members.get(member_id)
        if message is not None and (message.instance or message.client):
            return Member(
                member_id, message.client or (known.client_id if known else None), message.instance
            )
        if known is not None:
            return known
        match = _UUID.fullmatch(member_id)
        if match is None:
            return Member(member_id)
        if match[1] in self._instances:
            return Member(member_id, None, match[1])
        return Member(member_id, match[1] or None)

    def _came(self, event: Rebalance, member: Member) -> None:
        if all(joiner.member_id != member.member_id for joiner in event.members_joined):
            event.members_joined.append(member)
        self._members[member.member_id] = member

    def _went(self, event: Rebalance, member: Member) -> None:
        if all(leaver.member_id != member.member_id for leaver in event.members_left):
            event.members_left.append(member)
        self._members.pop(member.member_id, None)

    def _apply(self, event: Rebalance, trigger: Trigger) -> None:
        """Add a trigger to the rebalance.

        If the rebalance already has this trigger without a reason, set its reason and its cause.
        """
        same = next((other for other in event.triggers if is_same_step(other, trigger)), None)
        if same is None:
            event.triggers.append(trigger)
        elif trigger.reason is not None and same.reason is None:
            same.reason, same.cause, same.alternatives = (
                trigger.reason,
                trigger.cause,
                trigger.alternatives,
            )
        if trigger.member is not None and trigger.cause == "member_joined":
            self._came(event, trigger.member)
        if trigger.member is not None and trigger.cause in DEPARTURES:
            self._went(event, trigger.member)

    # The coordinator.

    def _on_loaded(self, message: LogMessage) -> None:
        self._interrupt()
        self._loaded = message

    def _on_unloaded(self, message: LogMessage) -> None:
        self._interrupt()


def show(event: Rebalance, *line: LogMessage, first: bool = False) -> None:
    """Add log lines to the evidence of a rebalance; with `first`, before the other evidence."""
    shown = [Evidence(message.place, message.at, message.text) for message in line]
    event.evidence[:] = [*shown, *event.evidence] if first else [*event.evidence, *shown]


def is_same_step(trigger: Trigger, other: Trigger) -> bool:
    """Return whether the same member left in both triggers, or joined in both triggers."""
    if (
        trigger.member is None
        or other.member is None
        or trigger.member.member_id != other.member.member_id
    ):
        return False
    return (trigger.cause in DEPARTURES) == (other.cause in DEPARTURES)
