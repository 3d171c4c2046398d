"""Merges rebalances from logs with rebalances from records."""

from collections.abc import Mapping, Sequence

from evenkeel.data.rebalances.event import Member, Rebalance, Trigger, in_order

_SAME_MS = 10 * 60_000


# Merge the same rebalance from a log and from records.


def merged(ours: Sequence[Rebalance], stored: Sequence[Rebalance]) -> list[Rebalance]:
    """Return the rebalances of logs and records, each rebalance once.

    If a rebalance is in both sources, its start and reasons come from the log; its client ids and
    moves, and the end of a KIP-848 rebalance, come from the records.
    """
    places: dict[tuple[str, str, int], list[Rebalance]] = {}
    for event in ours:
        places.setdefault((event.group, event.protocol, event.generation), []).append(event)
    alone = []
    for event in stored:
        near = _nearest(places.get((event.group, event.protocol, event.generation), []), event)
        if near is None:
            alone.append(event)
        else:
            _join(near, event)
    return in_order([*ours, *alone])


def _nearest(candidates: Sequence[Rebalance], event: Rebalance) -> Rebalance | None:
    """Return the candidate from the log that is nearest in time to a rebalance of the records.

    None if no candidate is near. The generation is not enough, because a recreated group repeats
    its generation numbers.
    """
    free = [other for other in candidates if other.source == "log"]
    near = min(
        free,
        key=lambda other: abs(
            (other.joined or other.time or 0) - (event.joined or event.time or 0)
        ),
        default=None,
    )
    if (
        near is None
        or abs((near.joined or near.time or 0) - (event.joined or event.time or 0)) > _SAME_MS
    ):
        return None
    return near


def _join(event: Rebalance, stored: Rebalance) -> None:
    _decide(event, stored)
    for name in (
        "moved",
        "stable",
        "roster",
        "owned",
        "partitions",
        "static_members",
        "rebalance_timeout_ms",
        "session_timeout_ms",
    ):
        setattr(event, name, getattr(stored, name))
    for name in ("assigned", "joined", "start", "members", "leader", "assignor", "conversion"):
        if getattr(event, name) is None:
            setattr(event, name, getattr(stored, name))
    event.completed = event.completed or stored.completed
    known = {
        member.member_id: member
        for member in (*stored.members_joined, *stored.members_left, *(stored.roster or ()))
    }
    event.members_joined = _named(event.members_joined, known) or stored.members_joined
    event.members_left = _named(event.members_left, known) or stored.members_left
    for trigger in event.triggers:
        trigger.member = trigger.member and known.get(trigger.member.member_id, trigger.member)
    if event.slowest is not None:
        event.slowest = known.get(event.slowest[0].member_id, event.slowest[0]), event.slowest[1]
    if event.cause == "follow_up" and event.follow_up_of is None:
        event.follow_up_of = event.generation_before
    event.source = "both"
    event.evidence += stored.evidence


def _decide(event: Rebalance, stored: Rebalance) -> None:
    """Set the causes that both sources permit. If the log permits only one, use it."""
    causes, permitted = (event.cause, *event.alternatives), (stored.cause, *stored.alternatives)
    if event.cause == "unknown":
        event.triggers = stored.triggers
        event.decide(stored.cause, stored.alternatives)
        return
    if not event.alternatives or stored.cause == "unknown":
        return
    both = [cause for cause in permitted if cause in causes] or list(causes)
    first = event.triggers[0]
    event.decide(both[0], both[1:])
    first.cause, first.alternatives = event.cause, event.alternatives
    same = next(
        (trigger for trigger in stored.triggers if trigger.cause == event.cause and trigger.member),
        None,
    )
    if first.member is None and same is not None:
        event.triggers[0] = Trigger(
            first.cause, first.at, first.evidence, same.member, first.alternatives, first.reason
        )


def _named(members: Sequence[Member], known: Mapping[str, Member]) -> list[Member]:
    return [known.get(member.member_id, member) for member in members]
