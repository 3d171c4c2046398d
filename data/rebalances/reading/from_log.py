"""Rebalances from coordinators' logs: the table of causes, line by line.

causes = LogCauses()
for said in LogHistory(paths):
    causes.take(said)
events = causes.events()
"""

import re
from collections import deque
from collections.abc import Callable

from evenkeel.assignors.protocol import CLASSIC, CONSUMER
from evenkeel.data.rebalances.event import Evidence, Member, Rebalance, Trigger
from evenkeel.data.rebalances.reading.reasons import (
    Context,
    given,
    left_by,
    trigger_above_a_bump,
    triggers_of,
)
from evenkeel.data.sources.coordinator_log import Said

_UUID = re.compile(r"(.*)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.S)
_CONVERTED_MS, _LOADED_MS, _JUST_BEFORE_MS = 2_000, 15_000, 500
_LONG_PHASE_MS, _AT_THE_END_MS = 1_000, 100
_MOST_LINES_BEFORE = 2_000
_FIRST_EPOCH = 2
_MOST_OPEN, _MOST_GONE = 16, 1_000

_LEFT = ("member_left", "session_timeout", "poll_timeout", "rebalance_timeout")


class LogCauses:
    """Takes messages in order of time; `events` are complete when all were taken.

    `done` is given rebalances as soon as nothing more can be told of them; `events` are the others
    then.
    """

    def __init__(self, group: str | None = None, done: Callable[[Rebalance], None] | None = None):
        self._only, self._done = group, done
        self._groups: dict[str, _Group] = {}

    def take(self, message: Said) -> None:
        """Take the next message."""
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


class _Group:
    """One group in its coordinators' messages."""

    def __init__(self, name: str):
        self.events: list[Rebalance] = []
        self.most_open = _MOST_OPEN
        self._name = name
        self._broker: int | None = None
        self._open: Rebalance | None = None
        self._before: deque[Said] = deque(maxlen=_MOST_LINES_BEFORE)
        self._members: dict[str, Member] = {}
        self._instances: set[str] = set()
        self._is_whole = False
        self._loaded: Said | None = None
        self._converted: Said | None = None
        self._hash: str | None = None
        self._generation: int | None = None
        self._gone: dict[str, tuple[Rebalance, Trigger]] = {}
        self._unaimed: list[Rebalance] = []
        self._context = Context(self._before, self.events, self._instances, self._member)

    def take(self, message: Said) -> None:
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
        """Give away the rebalances that no later message can change, except the last two, the
        context of the next one.
        """
        awaited = [*self._unaimed, *(event for event, _ in self._gone.values()), *self.events[-2:]]
        ids = {id(event) for event in (*awaited, self._open)}
        for rebalance in self.events:
            if id(rebalance) not in ids:
                done(rebalance)
        self.events[:] = [event for event in self.events if id(event) in ids]
        self.most_open = max(_MOST_OPEN, 2 * len(self.events))

    def _interrupt(self) -> None:
        """Another coordinator: rebalances that began at the former coordinator did not end
        there.
        """
        if self._open is not None:
            self._open.completed = False
            self._open = None
        self._before.clear()

    # Members.

    def _member(self, member_id: str, message: Said | None = None) -> Member:
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
        """Add a trigger, or complete a trigger that is there already."""
        same = next((other for other in event.triggers if _is_same(other, trigger)), None)
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
        if trigger.member is not None and trigger.cause in _LEFT:
            self._went(event, trigger.member)

    # Classic groups.

    def _on_begins(self, message: Said) -> None:
        event = self._open
        if event is not None and event.generation_before == message.number and event.joined is None:
            _show(event, message)
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

    def _begun(self, line: Said) -> Rebalance:
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
        _show(
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

    def _decide(self, event: Rebalance, message: Said, loaded: Said | None, knew: set) -> None:
        first = event.triggers[0] if event.triggers else None
        if first is None:
            return
        event.decide(first.cause, first.alternatives)
        if first.cause == "follow_up":
            event.follow_up_of = event.generation_before
        if loaded and self._is_moved(first, message, loaded, knew):
            _show(event, loaded, first=True)
            event.decide("coordinator_moved")
        if self._converted is not None and message.at - self._converted.at <= _CONVERTED_MS:
            event.conversion = "consumer_to_classic"
            event.decide("protocol_converted")
        self._converted = None

    def _is_moved(self, first: Trigger, message: Said, loaded: Said, knew: set) -> bool:
        if not 0 <= message.at - loaded.at <= _LOADED_MS or loaded.count == 0:
            return False
        is_known = (
            first.cause == "member_joined"
            and first.member is not None
            and first.member.client_id in knew
        )
        return is_known or (message.reason or "").lower().startswith("leader ")

    def _on_joined(self, message: Said) -> None:
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
        _show(event, message)
        event.slowest = event.slowest or _slowest(event)

    def _unseen(self, message: Said) -> Rebalance:
        """Return a rebalance without a logged begin."""
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

    def _on_assigned(self, message: Said) -> None:
        event = self._open
        if event is None or event.generation != message.number:
            if message.number == self._generation or message.number == 0:
                return
            event = self._unseen(message)
        event.assigned, event.completed, event.leader = message.at, True, message.member
        event.members = message.count if message.count is not None else event.members
        self._generation = message.number
        _show(event, message)
        self._open = None

    def _on_empty(self, message: Said) -> None:
        event = self._open
        if event is None or event.generation != message.number:
            if message.number in (0, self._generation):
                return
            event = self._unseen(message)
        event.joined, event.members, event.completed = message.at, 0, True
        self._generation = message.number
        self._members.clear()
        _show(event, message)
        self._open = None

    def _on_joins(self, message: Said) -> None:
        member = self._member(message.member or "", message)
        self._during(message, Trigger("member_joined", message.at, message.place, member))

    def _on_leaves(self, message: Said) -> None:
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

    def _on_fails(self, message: Said) -> None:
        self._during(
            message,
            Trigger(
                "session_timeout", message.at, message.place, self._member(message.member or "")
            ),
        )

    def _on_removed(self, message: Said) -> None:
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

    def _during(self, message: Said, trigger: Trigger) -> None:
        """A line between begin and end of the join phase is one more trigger; any other line
        belongs to the next rebalance.
        """
        event = self._open
        if event is None or event.joined is not None:
            self._before.append(message)
            return
        _show(event, message)
        is_first_known = event.triggers and _is_same(event.triggers[0], trigger)
        self._apply(event, trigger)
        if is_first_known and event.cause in ("unknown", *_LEFT, "member_joined"):
            event.decide(event.triggers[0].cause, event.triggers[0].alternatives)
        elif (
            event.triggers
            and trigger.member is not None
            and trigger.cause in _LEFT
            and event.start is not None
        ):
            event.slowest = (
                (trigger.member, message.at - event.start) if message.at - event.start > 0 else None
            )

    # The coordinator.

    def _on_loaded(self, message: Said) -> None:
        self._interrupt()
        self._loaded = message

    def _on_unloaded(self, message: Said) -> None:
        self._interrupt()

    # KIP-848 groups.

    def _on_enters(self, message: Said) -> None:
        departure = self._gone.pop(message.member or "", None)
        if departure is not None:
            _polled(*departure)
        if message.member in self._members and message.state == CLASSIC:
            self._members[message.member] = self._member(message.member)
            return
        self._before.append(message)

    def _on_exits(self, message: Said) -> None:
        self._before.append(message)

    _on_fenced = _on_exits

    def _on_replaces(self, message: Said) -> None:
        assert message.member
        assert message.reason
        self._members.pop(message.reason, None)
        self._members[message.member] = Member(message.member, None, message.instance)

    def _on_converted(self, message: Said) -> None:
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
        """The group has no member and no number of before: it was empty, or deleted."""
        self._generation = self._hash = None
        self._members.clear()
        self._is_whole = is_whole
        self._unaimed.clear()

    def _on_hashed(self, message: Said) -> None:
        self._hash = message.reason

    def _on_subscribes(self, message: Said) -> None:
        self._before.append(message)

    def _on_bumped(self, entry: Said) -> None:
        assert entry.number is not None
        if self._generation is not None and entry.number <= self._generation:
            if entry.number == self._generation or entry.number > _FIRST_EPOCH:
                return
            self._begin_anew(is_whole=True)
        known = self._generation
        is_new = known is None and not self.events
        self._is_whole = self._is_whole or (is_new and entry.number <= _FIRST_EPOCH)
        before = (
            known
            if known is not None
            else (entry.number - 1 if entry.number > _FIRST_EPOCH else None)
        )
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
        _show(event, *lines, entry)
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

    def _apply_step(self, event: Rebalance, message: Said) -> None:
        trigger = trigger_above_a_bump(message, self._entrant(message))
        self._apply(event, trigger)
        if trigger.cause in _LEFT and message.member:
            known = next(each for each in event.triggers if _is_same(each, trigger))
            self._gone[message.member] = (event, known)
            if len(self._gone) > _MOST_GONE:
                del self._gone[next(iter(self._gone))]

    def _entrant(self, message: Said) -> Member:
        assert message.member
        known = self._members.get(message.member)
        if message.instance:
            return Member(message.member, known.client_id if known else None, message.instance)
        return known or (
            self._member(message.member)
            if message.kind == "leaves" or message.state == CLASSIC
            else Member(message.member)
        )

    def _by_hash(self, message: Said) -> Trigger:
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

    def _convert(self, event: Rebalance, message: Said) -> None:
        converted, self._converted = self._converted, None
        if converted and converted.reason and 0 <= message.at - converted.at <= _CONVERTED_MS:
            event.conversion = converted.reason.replace(" group to a ", "_to_")
            _show(event, converted, first=True)
            event.decide("protocol_converted")

    def _on_target(self, message: Said) -> None:
        assert message.number is not None
        for event in self._unaimed:
            if event.generation <= message.number:
                event.joined, event.assignor = message.at, message.reason
                _show(event, message)
        self._unaimed = [event for event in self._unaimed if event.generation > message.number]


def _show(event: Rebalance, *line: Said, first: bool = False) -> None:
    shown = [Evidence(message.place, message.at, message.text) for message in line]
    event.evidence[:] = [*shown, *event.evidence] if first else [*event.evidence, *shown]


def _is_same(trigger: Trigger, other: Trigger) -> bool:
    """Return whether two triggers are the same member's going, or the same one's coming."""
    if (
        trigger.member is None
        or other.member is None
        or trigger.member.member_id != other.member.member_id
    ):
        return False
    return (trigger.cause in _LEFT) == (other.cause in _LEFT)


def _polled(event: Rebalance, trigger: Trigger) -> None:
    """The process that went is still there: it had run out of its poll interval."""
    cause = trigger.cause
    trigger.cause, trigger.alternatives = (
        "poll_timeout",
        (cause,) if cause != "poll_timeout" else (),
    )
    if event.triggers[0] is trigger and event.cause != "protocol_converted":
        event.decide(trigger.cause, trigger.alternatives)


def _slowest(event: Rebalance) -> tuple[Member, int] | None:
    """Return who went within 100 ms before the end of a long join phase: it was waited for."""
    if event.start is None or event.joined is None or event.joined - event.start <= _LONG_PHASE_MS:
        return None
    last = [
        (trigger.member, trigger.at - event.start)
        for trigger in event.triggers
        if trigger.cause in _LEFT
        and trigger.member
        and trigger.at is not None
        and trigger.at > event.start
    ]
    phase = event.joined - event.start
    near = [(member, ms) for member, ms in last if 0 <= phase - ms <= _AT_THE_END_MS]
    return near[-1] if near else None
