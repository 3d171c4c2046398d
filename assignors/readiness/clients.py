"""Readiness: whether the members' clients can join with the consumer protocol."""

import re
from collections.abc import Sequence

from evenkeel.assignors.clients import CLIENTS, JAVA
from evenkeel.assignors.protocol import CONSUMER
from evenkeel.assignors.readiness.facts import (
    EMPTY,
    PROTOCOL_TYPE,
    STABLE,
    Can,
    Facts,
    Member,
    Reason,
    Verdict,
    Versions,
    of_members,
)


def can(name: str, versions: Versions) -> Can:
    """Return whether members of a client family can join with the consumer protocol."""
    joins = CLIENTS[name].consumer_protocol
    if joins is None:
        return Can.NO
    if name not in versions:
        return Can.ASK
    if not joins.since:
        return Can.ASK
    return Can.YES if _numbers(versions[name]) >= _numbers(joins.since) else Can.NO


def is_preview(name: str, versions: Versions) -> bool:
    """Return whether the family's release has the protocol only as a preview, not for
    production.
    """
    joins = CLIENTS[name].consumer_protocol
    given = versions.get(name)
    return bool(
        joins
        and given
        and joins.preview
        and _numbers(joins.preview) <= _numbers(given) < _numbers(joins.since)
    )


def _numbers(release: str) -> tuple[int, ...]:
    """Return the numbers of a release, without zeros at the end: (3, 9, 1) for 3.9.1.

    Letters and what follows are left out: (4,) for 4.0-rc1.
    """
    numbers: list[int] = []
    for part in release.split("."):
        digits = re.match("[0-9]+", part)
        if digits is None:
            break
        numbers.append(int(digits[0]))
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def family(member: Member, facts: Facts) -> str | None:
    """Return the client family to show for a member. None if no family is known.

    If several families are possible: the leader's family, else Java, else the first by name.
    """
    if len(member.clients) == 1:
        return next(iter(member.clients))
    if facts.leader in member.clients:
        return facts.leader
    return JAVA if JAVA in member.clients else next(iter(sorted(member.clients)), None)


def member_can(member: Member, facts: Facts, versions: Versions) -> Can:
    """Return whether a member can join with the consumer protocol.

    If several families are possible, the result is for the family that `family` returns. It is `NO`
    only if this family is certain, or if no possible family can join.
    """
    answers = {can(name, versions) for name in member.clients}
    name = family(member, facts)
    if name is None or answers == {Can.NO}:
        return Can.NO if answers else Can.ASK
    answer = can(name, versions)
    is_sure = name == facts.leader and facts.is_leader_certain
    return Can.ASK if answer == Can.NO and not is_sure else answer


def reasons_of_clients(
    facts: Facts, versions: Versions, members: Sequence[Member] | None = None
) -> list[Reason]:
    """Return the reasons that come from the clients of the members."""
    members = facts.members if members is None else members
    if facts.protocol_type not in (None, PROTOCOL_TYPE):
        return []
    if (
        facts.state != STABLE
        and facts.group_type != CONSUMER
        and not any(member.clients for member in members)
    ):
        return (
            [Reason("rebalancing", Verdict.UNKNOWN, facts={"state": facts.state})]
            if facts.state not in (None, EMPTY)
            else []
        )
    kinds = {member.clients: member for member in members}
    kind_of = {
        clients: (member_can(example, facts, versions), family(example, facts))
        for clients, example in kinds.items()
    }
    by_kind: dict[tuple[Can, str | None], list[Member]] = {}
    for member in members:
        by_kind.setdefault(kind_of[member.clients], []).append(member)
    reasons = []
    for code, answer, kind in (
        ("client", Can.NO, Verdict.BLOCKED),
        ("ask-version", Can.ASK, Verdict.NOTE),
    ):
        for (verdict, name), some in by_kind.items():
            if verdict != answer:
                continue
            preview = name is not None and is_preview(name, versions)
            given = {
                "family": name,
                "version": versions.get(name or ""),
                "preview": preview,
                "of": len(members),
            }
            reason = of_members(
                "ask-version" if preview else code, Verdict.NOTE if preview else kind, some, **given
            )
            reasons += [reason] if reason else []
    return reasons
