"""Messages of KIP-848 groups (consumer protocol): epochs, and the steps of members."""

from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.data.rebalances.event import Member, Rebalance, Trigger
from evenkeel.data.rebalances.reading.logged_group import (
    CONVERTED_MS,
    DEPARTURES,
    LoggedGroup,
    is_same_step,
    show,
)
from evenkeel.data.rebalances.reading.reasons import (
    trigger_above_a_bump,
)
from evenkeel.data.sources.coordinator_log import LogMessage

_JUST_BEFORE_MS = 500
_FIRST_EPOCH = 2
_MOST_GONE = 1_000


class ConsumerMessages(LoggedGroup):
    """Reads the messages of a group of the consumer protocol."""

    def _on_enters(self, message: LogMessage) -> None:
        departure = self._gone.pop(message.member or "", None)
        if departure is not None:
            _polled(*departure)
        if message.member in self._members and message.state == CLASSIC:
            self._members[message.member] = self._member(message.member)
            return
        self._before.append(message)

    def _on_exits(self, message: LogMessage) -> None:
        self._before.append(message)

    _on_fenced = _on_exits

    def _on_replaces(self, message: LogMessage) -> None:
        assert message.member
        assert message.reason
        self._members.pop(message.reason, None)
        self._members[message.member] = Member(message.member, None, message.instance)

    def _on_converted(self, message: LogMessage) -> None:
        if message.state is None:
            self._converted = message
        else:
            self._begin_anew((message.reason or "").startswith(CLASSIC))
        if (message.reason or "").startswith(CLASSIC):
            self._is_whole = (
                self._is_whole
                or bool(self.events)
                and self.events[-1].members == len(self._members)
            )

    def _begin_anew(self, is_whole: bool) -> None:
        """Forget members and epochs after the group was empty or deleted."""
        self._generation = self._hash = None
        self._members.clear()
        self._is_whole = is_whole
        self._unaimed.clear()

    def _on_hashed(self, message: LogMessage) -> None:
        self._hash = message.reason

    def _on_subscribes(self, message: LogMessage) -> None:
        self._before.append(message)

    def _on_bumped(self, entry: LogMessage) -> None:
        assert entry.number is not None
        if self._generation is not None and entry.number <= self._generation:
            if entry.number == self._generation or entry.number > _FIRST_EPOCH:
                return
            self._begin_anew(is_whole=True)
        known = self._generation
        is_new = known is None and not self.events
        self._is_whole = self._is_whole or (is_new and entry.number <= _FIRST_EPOCH)
        before = known
        if known is None and entry.number > _FIRST_EPOCH:
            before = entry.number - 1
        event = Rebalance(
            self._name,
            CONSUMER,
            entry.number,
            before,
            start=entry.at,
            coordinator=entry.broker,
            completed=None,
        )
        lines = [
            message for message in self._before if 0 <= entry.at - message.at <= _JUST_BEFORE_MS
        ]
        self._before.clear()
        show(event, *lines, entry)
        for line in lines:
            self._apply_step(event, line)
        if not event.triggers:
            event.triggers.append(self._by_hash(entry))
        event.decide(event.triggers[0].cause, event.triggers[0].alternatives)
        self._convert(event, entry)
        event.members = len(self._members) if self._is_whole else None
        self._hash, self._generation, self._open = entry.reason, entry.number, None
        self.events.append(event)
        self._unaimed.append(event)

    def _apply_step(self, event: Rebalance, message: LogMessage) -> None:
        trigger = trigger_above_a_bump(message, self._entrant(message))
        self._apply(event, trigger)
        if trigger.cause in DEPARTURES and message.member:
            known = next(each for each in event.triggers if is_same_step(each, trigger))
            self._gone[message.member] = (event, known)
            if len(self._gone) > _MOST_GONE:
                del self._gone[next(iter(self._gone))]

    def _entrant(self, message: LogMessage) -> Member:
        assert message.member
        known = self._members.get(message.member)
        if message.instance:
            return Member(message.member, known.client_id if known else None, message.instance)
        return known or (
            self._member(message.member)
            if message.kind == "leaves" or message.state == CLASSIC
            else Member(message.member)
        )

    def _by_hash(self, message: LogMessage) -> Trigger:
        if message.reason is None or self._hash is None or self._hash == message.reason:
            alternatives = (
                ()
                if message.reason is not None and self._hash == message.reason
                else ("metadata_changed",)
            )
            return Trigger("subscription_changed", message.at, message.place, None, alternatives)
        return Trigger(
            "metadata_changed", message.at, message.place, None, ("subscription_changed",)
        )

    def _convert(self, event: Rebalance, message: LogMessage) -> None:
        converted, self._converted = self._converted, None
        if converted and converted.reason and 0 <= message.at - converted.at <= CONVERTED_MS:
            event.conversion = converted.reason.replace(" group to a ", "_to_")
            show(event, converted, first=True)
            event.decide("protocol_converted")

    def _on_target(self, message: LogMessage) -> None:
        assert message.number is not None
        for event in self._unaimed:
            if event.generation <= message.number:
                event.joined, event.assignor = message.at, message.reason
                show(event, message)
        self._unaimed = [event for event in self._unaimed if event.generation > message.number]


def _polled(event: Rebalance, trigger: Trigger) -> None:
    """Set the trigger's cause to `poll_timeout`: the departed member's process is still running."""
    cause = trigger.cause
    trigger.cause, trigger.alternatives = (
        "poll_timeout",
        (cause,) if cause != "poll_timeout" else (),
    )
    if event.triggers[0] is trigger and event.cause != "protocol_converted":
        event.decide(trigger.cause, trigger.alternatives)
