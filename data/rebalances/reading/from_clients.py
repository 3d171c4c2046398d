"""Rebalances and events from clients' logs.

A client's log says why this client rejoins, but not which other members rejoin.
"""

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Sequence
from typing import Any

from evenkeel.assignors.protocol import CLASSIC
from evenkeel.data.rebalances.event import (
    UNNUMBERED,
    Evidence,
    Member,
    Rebalance,
    Trigger,
    iso,
)
from evenkeel.data.sources.client_event import BROKER, ClientEvent
from evenkeel.data.text.formats import counted

_BEGINS = {
    "rejoin_requested",
    "rebalancing",
    "revoked",
    "lost",
    "poll_timeout",
    "session_timeout",
    "left",
    "heartbeat_failed",
    "coordinator_lost",
    "joining",
}
_REASONS = (
    ("poll timeout", "poll_timeout"),
    ("cached metadata has changed", "metadata_changed"),
    ("changed from", "metadata_changed"),
    ("Metadata for topic has changed", "metadata_changed"),
    ("need to revoke partitions and re-join", "follow_up"),
    ("followup rebalance", "follow_up"),
    ("Requested to schedule", "follow_up"),
    ("config state offset", "connect_config"),
)
_SESSION = ("UNKNOWN_MEMBER_ID", "not recognized", "UnknownMemberId", "not aware of this member")
_MORE = ("from", "to", "leader", "connectors", "tasks", "revoked_tasks", "delay_ms", "members")
_OF_STREAMS = ("active", "standby", "stable")


_NAMES = {"java": "Java consumer", BROKER: "what a broker refused", "spring": "Spring"}


def document_of(event: ClientEvent) -> dict[str, Any]:
    """Return an event as a line of `evenkeel.log-event/1`."""
    return {
        "schema": "evenkeel.log-event/1",
        "at": iso(event.at),
        "source": "broker" if event.library == BROKER else "client",
        "library": event.library,
        "group": event.group,
        "client_id": event.client_id,
        "instance_id": event.instance_id,
        "member_id": event.member_id,
        "event": event.event,
        "generation": event.generation,
        "reason": event.reason,
        "partitions": event.partitions,
        "assignment": event.assignment,
        **{name: event.more.get(name) for name in _MORE},
        **{name: event.more[name] for name in _OF_STREAMS if name in event.more},
        "assignor": event.more.get("protocol"),
        "evidence": event.place,
    }


def whose_view(events: Sequence[ClientEvent]) -> str:
    """Return a sentence about the limits of clients' logs."""
    clients = {event.handle or event.client_id for event in events}
    libraries = sorted({_NAMES.get(event.library, event.library) for event in events})
    return (
        f"These lines are of clients ({', '.join(libraries)}, {counted(len(clients), 'member')}):"
        " each line says why its member rejoined, not which other members did"
    )


def rebalances_of(events: Iterable[ClientEvent], group: str | None = None) -> list[Rebalance]:
    """Return one rebalance for each group and generation that a client joined."""
    rounds: dict[tuple[str, int], Rebalance] = {}
    rising: dict[tuple[str, str | None], list[ClientEvent]] = {}
    last: dict[str, int] = {}
    for event in events:
        if event.group is None or group not in (None, event.group):
            continue
        key = event.group, event.handle or event.client_id
        if event.event in _BEGINS:
            rising.setdefault(key, []).append(event)
        elif event.event == "joined":
            latest = rounds.get((event.group, last.get(event.group, UNNUMBERED)))
            generation = _generation_of(event, latest)
            place = event.group, generation
            if place not in rounds:
                rounds[place] = Rebalance(event.group, CLASSIC, generation, source="client")
                before = last.get(event.group, -1)
                rounds[place].generation_before = before if before >= 0 else None
                last[event.group] = generation
            _join(rounds[place], event, rising.pop(key, []))
        elif event.group in last:
            _add(rounds[event.group, last[event.group]], event)
    return list(rounds.values())


def not_known(rounds: Sequence[Rebalance], events: Iterable[Rebalance]) -> list[Rebalance]:
    """Return the rebalances of `rounds` (from clients' logs) that are missing in `events`."""
    known = {(event.group, event.generation) for event in events}
    groups = {group for group, _ in known}
    return [
        event
        for event in rounds
        if (event.group, event.generation) not in known
        and not (event.number is None and event.group in groups)
    ]


_TOGETHER_MS = 1_000


def _generation_of(joined: ClientEvent, latest: Rebalance | None) -> int:
    """Return the generation that a client joined.

    kafkajs logs no generation, so clients that join within one second count as one generation.
    """
    if joined.generation is not None and joined.generation >= 0:
        return joined.generation
    if latest is None or latest.generation >= 0:
        return UNNUMBERED
    is_same = abs((joined.at or 0) - (latest.joined or 0)) <= _TOGETHER_MS
    return latest.generation + (not is_same)


def with_causes_of(events: Iterable[ClientEvent], rebalances: Iterable[Rebalance]) -> None:
    """Set the causes of a broker's rebalances from the events of clients' logs.

    A cause is replaced only if it is uncertain and equals the cause of the first trigger. The new
    cause comes from an event that the trigger's member logged within a second of the trigger.
    """
    groups: dict[str, _Group] = {}
    for event in events:
        if event.group is not None:
            groups.setdefault(event.group, _Group()).add_event(event)
    groups = {name: group for name, group in groups.items() if group.saying}
    ours = [rebalance for rebalance in rebalances if rebalance.group in groups]
    for rebalance in ours:
        groups[rebalance.group].add_rebalance(rebalance)
    for rebalance in ours:
        saying = groups[rebalance.group].event_for(rebalance)
        if saying is not None:
            _take_cause(rebalance, rebalance.triggers[0], saying)


def _at(event: ClientEvent) -> int:
    return event.at or 0


_GONE = ("member_left", "session_timeout", "poll_timeout", "rebalance_timeout", "sync_timeout")
_JOINS, _IS, _LEAVES = "joins", "is", "leaves"


class _Group:
    """The members of a group, and the events of its clients that name a cause.

    For each member, the first and the last time in the logs is known.
    """

    def __init__(self) -> None:
        self.saying: list[ClientEvent] = []
        self._first: dict[str, tuple[float, bool]] = {}
        self._last: dict[str, tuple[float, bool]] = {}
        self._members: dict[str, Member] = {}
        self._by_client: dict[str, tuple[list[float], list[float]]] | None = None

    def add_event(self, event: ClientEvent) -> None:
        cause = cause_of(event)
        if event.at is not None and cause not in (None, "unknown"):
            insort(self.saying, event, key=_at)
        if event.member_id:
            member = Member(event.member_id, event.client_id, event.instance_id)
            self._add(member, event.at, _LEAVES if cause in _GONE else _IS)

    def add_rebalance(self, rebalance: Rebalance) -> None:
        for trigger in rebalance.triggers:
            if trigger.member is not None:
                causes = {trigger.cause, *trigger.alternatives}
                does = _JOINS if trigger.cause == "member_joined" else _IS
                self._add(trigger.member, trigger.at, does if causes - {*_GONE} else _LEAVES)
        for member in rebalance.members_left:
            self._add(member, rebalance.time, _LEAVES)
        after = rebalance.end if rebalance.end is not None else rebalance.time
        for member in rebalance.members_joined:
            self._add(member, after, _JOINS)
        for member in rebalance.roster or ():
            self._add(member, after, _IS)

    def _add(self, member: Member, at: int | None, does: str) -> None:
        name = member.member_id
        if name not in self._members or member.client_id:
            self._members[name] = member
        first = (-math.inf, True) if at is None else (at, does != _JOINS)
        last = (math.inf, True) if at is None else (at, does != _LEAVES)
        self._first[name] = min(first, self._first.get(name, first))
        self._last[name] = max(last, self._last.get(name, last))

    def event_for(self, rebalance: Rebalance) -> ClientEvent | None:
        """Return the client's event that explains a rebalance.

        The member of the first trigger logged this event within a second of the trigger. Events
        whose cause is a possible cause of the trigger come first. None if there is no such event,
        if the cause of the rebalance is certain, or if the first trigger has another cause.
        """
        first = rebalance.triggers[0] if rebalance.triggers else None
        if first is None or first.reason is not None or first.cause != rebalance.cause:
            return None
        if first.at is None or first.member is None:
            return None
        if first.cause != "unknown" and not first.alternatives:
            return None
        begin = bisect_left(self.saying, first.at - _TOGETHER_MS, key=_at)
        end = bisect_right(self.saying, first.at + _TOGETHER_MS, key=_at)
        permitted = {first.cause, *first.alternatives}
        return min(
            (
                event
                for event in self.saying[begin:end]
                if self._is_of(event, first.member, first.at)
            ),
            key=lambda event: cause_of(event) not in permitted,
            default=None,
        )

    def _is_of(self, event: ClientEvent, member: Member, at: int) -> bool:
        """Return whether an event was logged by a member.

        If the event or the member has no member id, the client ids must be equal, and no other
        member of that client may exist at the time `at`.
        """
        if event.member_id and member.member_id:
            return event.member_id == member.member_id
        client = event.client_id
        if client is None or client not in _clients_of(member):
            return False
        if self._by_client is None:
            self._by_client = self._times()
        begins, ends = self._by_client.get(client, ([], []))
        # An event may also be of another member of the client that left just before.
        return bisect_right(begins, at) - bisect_left(ends, at - 2 * _TOGETHER_MS) == 1

    def _times(self) -> dict[str, tuple[list[float], list[float]]]:
        """Return by client id: start times and end times of the client's members, each sorted."""
        times: dict[str, tuple[list[float], list[float]]] = {}
        for name, member in self._members.items():
            (begin, is_older), (end, stays) = self._first[name], self._last[name]
            for client in _clients_of(member):
                begins, ends = times.setdefault(client, ([], []))
                begins.append(-math.inf if is_older else begin)
                ends.append(math.inf if stays else end)
        for begins, ends in times.values():
            begins.sort()
            ends.sort()
        return times


def _clients_of(member: Member) -> list[str]:
    """Return the possible client ids of a member.

    If the client id is unknown, the text before any `-` of the member id may be the client id.
    """
    if member.client_id:
        return [member.client_id]
    name = member.member_id
    return [name[:place] for place, sign in enumerate(name) if sign == "-" and place]


def _take_cause(rebalance: Rebalance, first: Trigger, event: ClientEvent) -> None:
    first.cause, first.alternatives = cause_of(event) or first.cause, ()
    first.reason = event.reason
    rebalance.decide(first.cause)
    rebalance.evidence.append(Evidence(event.place, event.at or 0))


def _join(rebalance: Rebalance, joined: ClientEvent, before: Sequence[ClientEvent]) -> None:
    started = [event.at for event in before if event.at is not None]
    rebalance.start = min(
        [*started, *([rebalance.start] if rebalance.start is not None else [])], default=None
    )
    rebalance.joined = (
        joined.at
        if rebalance.joined is None
        else min(rebalance.joined, joined.at or rebalance.joined)
    )
    rebalance.assignor = rebalance.assignor or joined.more.get("protocol")
    rebalance.leader = rebalance.leader or joined.more.get("leader")
    rebalance.members = rebalance.members or joined.more.get("members")
    rebalance.evidence += [Evidence(event.place, event.at or 0) for event in (*before, joined)]
    for event in before:
        cause = cause_of(event)
        if cause is None:
            continue
        member = Member(
            event.member_id or joined.member_id or "", event.client_id, event.instance_id
        )
        rebalance.triggers.append(Trigger(cause, event.at, event.place, member, (), event.reason))
    known = next(
        (trigger.cause for trigger in rebalance.triggers if trigger.cause != "unknown"), None
    )
    rebalance.decide(known or "unknown")
    if not rebalance.triggers:
        rebalance.triggers = [Trigger("unknown", rebalance.start or rebalance.joined, joined.place)]


def _add(rebalance: Rebalance, event: ClientEvent) -> None:
    """Add an event that a client logged after it joined the generation of `rebalance`."""
    if event.generation not in (None, rebalance.generation):
        return
    if event.event == "assignment_made":
        rebalance.assigned = event.at
        rebalance.assignment = event.assignment or rebalance.assignment
        rebalance.members = len(event.assignment or ()) or rebalance.members
        rebalance.leader = rebalance.leader or event.member_id or _leader(rebalance, event)
        rebalance.assignor = rebalance.assignor or event.more.get("protocol")
    elif event.event == "synced" and rebalance.assigned is None:
        rebalance.assigned = event.at
    elif event.event == "connect_assignment":
        rebalance.leader = event.more.get("leader") or rebalance.leader
    else:
        return
    rebalance.evidence.append(Evidence(event.place, event.at or 0))


def _leader(rebalance: Rebalance, event: ClientEvent) -> str | None:
    """Return the member whose client computed the assignment; None if unknown.

    The member's id begins with the client id of the event.
    """
    own = [
        member
        for member in event.assignment or ()
        if event.client_id and member.startswith(f"{event.client_id}-")
    ]
    return own[0] if len(own) == 1 else None


def cause_of(event: ClientEvent) -> str | None:
    """Return the cause that an event names, or None if the event names no cause."""
    if event.event in ("poll_timeout", "session_timeout"):
        return event.event
    if event.event == "coordinator_lost":
        return "coordinator_moved"
    reason = event.reason or ""
    if event.event == "heartbeat_failed":
        return "session_timeout" if any(sign in reason for sign in _SESSION) else None
    if event.event in ("left", "rejoin_requested"):
        known = next((cause for text, cause in _REASONS if text in reason), None)
        return known or ("member_left" if event.event == "left" else "unknown")
    return None
