"""Messages of classic groups: start and end of join phases, and members that join and leave."""

import re

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.data.rebalances.event import Member, Rebalance, Trigger
from evenkeel.data.rebalances.reading.logged_group import (
    CONVERTED_MS,
    DEPARTURES,
    LoggedGroup,
    is_same_step,
    show,
)
from evenkeel.data.rebalances.reading.reasons import (
    given,
    left_by,
    triggers_of,
)
from evenkeel.data.sources.coordinator_log import LogMessage

_LOADED_MS = 15_000
_LONG_PHASE_MS, _AT_THE_END_MS = 1_000, 100


class ClassicMessages(LoggedGroup):
    """Reads the messages of a classic group."""

    def _on_begins(self, message: LogMessage) -> None:
        event = self._open
        if event is not None and event.generation_before == message.number and event.joined is None:
            show(event, message)
            for trigger in triggers_of(self._context, message):
                self._apply(event, trigger)
            return
        if event is not None:
            event.completed = False
        event = self._begun(message)
        loaded, self._loaded = self._loaded, None
        knew = {member.client_id for member in self._members.values()} - {None}
        for trigger in triggers_of(self._context, message):
            self._apply(event, trigger)
        self._decide(event, message, loaded, knew)
        self._before.clear()

    def _begun(self, line: LogMessage) -> Rebalance:
        assert line.number is not None
        event = Rebalance(
            self._name,
            CLASSIC,
            line.number + 1,
            line.number,
            start=line.at,
            coordinator=line.broker,
        )
        self.events.append(event)
        self._open = event
        show(
            event,
            *(
                message
                for message in self._before
                if message.member
                and message.member in (line.reason or "")
                and line.at - message.at <= 1_000
            ),
            line,
        )
        return event

    def _decide(
        self, event: Rebalance, message: LogMessage, loaded: LogMessage | None, knew: set
    ) -> None:
        first = event.triggers[0] if event.triggers else None
        if first is None:
            return
        event.decide(first.cause, first.alternatives)
        if first.cause == "follow_up":
            event.follow_up_of = event.generation_before
        if loaded and self._is_moved(first, message, loaded, knew):
            show(event, loaded, first=True)
            event.decide("coordinator_moved")
        if self._converted is not None and message.at - self._converted.at <= CONVERTED_MS:
            event.conversion = "consumer_to_classic"
            event.decide("protocol_converted")
        self._converted = None

    def _is_moved(self, first: Trigger, message: LogMessage, loaded: LogMessage, knew: set) -> bool:
        if not 0 <= message.at - loaded.at <= _LOADED_MS or loaded.count == 0:
            return False
        is_known = (
            first.cause == "member_joined"
            and first.member is not None
            and first.member.client_id in knew
        )
        return is_known or (message.reason or "").lower().startswith("leader ")

    def _on_joined(self, message: LogMessage) -> None:
        event = self._open
        if event is None or event.generation != message.number:
            if message.number == self._generation:
                return
            event = self._unseen(message)
        event.joined, event.members = (
            message.at,
            message.count if message.count is not None else event.members,
        )
        event.coordinator = message.broker
        self._generation = message.number
        show(event, message)
        event.slowest = event.slowest or _slowest(event)

    def _unseen(self, message: LogMessage) -> Rebalance:
        assert message.number is not None
        if self._open is not None:
            self._open.completed = False
        event = Rebalance(
            self._name, CLASSIC, message.number, message.number - 1, coordinator=message.broker
        )
        event.triggers = [Trigger("unknown", None, message.place)]
        self.events.append(event)
        self._open = event
        return event

    def _on_assigned(self, message: LogMessage) -> None:
        event = self._open
        if event is None or event.generation != message.number:
            if message.number == self._generation or message.number == 0:
                return
            event = self._unseen(message)
        event.assigned, event.completed, event.leader = message.at, True, message.member
        event.members = message.count if message.count is not None else event.members
        self._generation = message.number
        show(event, message)
        self._open = None

    def _on_empty(self, message: LogMessage) -> None:
        event = self._open
        if event is None or event.generation != message.number:
            if message.number in (0, self._generation):
                return
            event = self._unseen(message)
        event.joined, event.members, event.completed = message.at, 0, True
        self._generation = message.number
        self._members.clear()
        show(event, message)
        self._open = None

    def _on_joins(self, message: LogMessage) -> None:
        member = self._member(message.member or "", message)
        self._during(message, Trigger("member_joined", message.at, message.place, member))

    def _on_leaves(self, message: LogMessage) -> None:
        cause, alternatives = left_by(message.reason)
        self._during(
            message,
            Trigger(
                cause,
                message.at,
                message.place,
                self._member(message.member or "", message),
                alternatives,
                given(message.reason),
            ),
        )

    def _on_fails(self, message: LogMessage) -> None:
        self._during(
            message,
            Trigger(
                "session_timeout", message.at, message.place, self._member(message.member or "")
            ),
        )

    def _on_removed(self, message: LogMessage) -> None:
        for member_id in re.sub(r"^\w+\(|\)$", "", message.member or "").split(", "):
            self._during(
                message,
                Trigger(
                    "poll_timeout",
                    message.at,
                    message.place,
                    self._member(member_id),
                    ("session_timeout",),
                ),
            )

    def _during(self, message: LogMessage, trigger: Trigger) -> None:
        """Add the trigger to the rebalance whose join phase is open.

        If no join phase is open, keep the message for the next rebalance.
        """
        event = self._open
        if event is None or event.joined is not None:
            self._before.append(message)
            return
        show(event, message)
        is_first_known = event.triggers and is_same_step(event.triggers[0], trigger)
        self._apply(event, trigger)
        if is_first_known and event.cause in ("unknown", *DEPARTURES, "member_joined"):
            event.decide(event.triggers[0].cause, event.triggers[0].alternatives)
        elif (
            event.triggers
            and trigger.member is not None
            and trigger.cause in DEPARTURES
            and event.start is not None
        ):
            event.slowest = (
                (trigger.member, message.at - event.start) if message.at - event.start > 0 else None
            )


def _slowest(event: Rebalance) -> tuple[Member, int] | None:
    """Return the slowest member, and how long the other members waited for it, in ms.

    This member left within 100 ms before the end of a long join phase. None if no member left then.
    """
    if event.start is None or event.joined is None or event.joined - event.start <= _LONG_PHASE_MS:
        return None
    last = [
        (trigger.member, trigger.at - event.start)
        for trigger in event.triggers
        if trigger.cause in DEPARTURES
        and trigger.member
        and trigger.at is not None
        and trigger.at > event.start
    ]
    phase = event.joined - event.start
    near = [(member, ms) for member, ms in last if 0 <= phase - ms <= _AT_THE_END_MS]
    return near[-1] if near else None
