"""Readiness: notes about a group that may move."""

from evenkeel.assignors.clients.client import COOPERATIVE_STICKY
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.readiness.facts import (
    LIBRDKAFKA,
    PROTOCOL_TYPE,
    Broker,
    Facts,
    Reason,
    Verdict,
    of_members,
)

_DEFAULT_SESSION_MS, _DEFAULT_HEARTBEAT_MS = 45_000, 5_000


# Facts that matter although the group may move.


def notes_of(facts: Facts, broker: Broker) -> list[Reason]:
    """Return the notes about a group. There are none for Connect and other protocol types."""
    if facts.protocol_type not in (None, PROTOCOL_TYPE):
        return []
    notes = [
        note(facts, broker)
        for note in (_full, _user_data_soon, _no_way_back, _static, _regex, _timeouts)
    ]
    return [reason for reason in notes if reason is not None]


def _full(facts: Facts, broker: Broker) -> Reason | None:
    is_full = broker.max_size is not None and len(facts.members) == broker.max_size
    return Reason("full", Verdict.NOTE, facts={"most": broker.max_size}) if is_full else None


def _user_data_soon(facts: Facts, broker: Broker) -> Reason | None:
    """Return a note if assignments will have user data after the first member restarts.

    The restart causes a rebalance, in which the leader writes user data into the other members'
    assignments.
    """
    is_soon = (
        facts.leader == LIBRDKAFKA
        and facts.protocol == COOPERATIVE_STICKY
        and facts.group_type != CONSUMER
        and len(facts.members) > 1
    )
    return (
        Reason("user-data-soon", Verdict.NOTE)
        if is_soon and all(member.user_data == 0 for member in facts.members)
        else None
    )


def _no_way_back(facts: Facts, broker: Broker) -> Reason | None:
    return (
        Reason("no-way-back", Verdict.NOTE)
        if broker.policy is not None and broker.policy.lower() == "upgrade"
        else None
    )


def _static(facts: Facts, broker: Broker) -> Reason | None:
    return of_members(
        "static",
        Verdict.NOTE,
        (member for member in facts.members if member.instance_id),
        of=len(facts.members),
    )


def _regex(facts: Facts, broker: Broker) -> Reason | None:
    return of_members(
        "regex", Verdict.NOTE, (member for member in facts.members if member.has_expression)
    )


def _timeouts(facts: Facts, broker: Broker) -> Reason | None:
    session, heartbeat = broker.session_timeout_ms, broker.heartbeat_interval_ms
    if session in (None, _DEFAULT_SESSION_MS) and heartbeat in (None, _DEFAULT_HEARTBEAT_MS):
        return None
    return Reason(
        "timeouts", Verdict.NOTE, facts={"session_ms": session, "heartbeat_ms": heartbeat}
    )
