"""Readiness of groups: judged from files or a live cluster, as JSON, and as totals."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.readiness.bounces import DRAWS, Back, Bounce
from evenkeel.assignors.readiness.clients import family, member_can
from evenkeel.assignors.readiness.facts import Member, Reason, Verdict
from evenkeel.assignors.rounds.mixed import EXTRA, Owners
from evenkeel.data.readiness import restart_words, words
from evenkeel.data.readiness.answer import Ready, answered
from evenkeel.data.readiness.columns import COLUMNS
from evenkeel.data.readiness.environment import Environment, broker_of, require_remote
from evenkeel.data.readiness.facts import facts_of
from evenkeel.data.readiness.way import Way
from evenkeel.data.text.columns import record

if TYPE_CHECKING:
    from evenkeel.data.live.reading.readiness import LiveReadiness

EXTRA_MEMBER = "extra consumer member"
FIGURES = ("groups", *Verdict, "members", "moves")
_MOVABLE = (Verdict.UNKNOWN, Verdict.NOTE, Verdict.READY)
Names = dict[str, dict[str, list[int]]]
_INSIDE = ("source_file", "assignor", "clients", "moves", "moved_total", "reasons", "why")
"""Columns that the `--json` line does not copy, because other fields of the line have
these facts.
"""


def answered_live(
    live: "LiveReadiness",
    given: Mapping[str, str],
    versions: Mapping[str, str],
    remote: str | None = None,
    draws: int = DRAWS,
) -> list[Ready]:
    """Judge the groups of a cluster, each with the settings of its coordinator.

    `given`: settings that replace settings of the brokers.
    """
    features = {"group.version": str(live.features.get("group.version", 0))}
    brokers = {
        node: broker_of({**features, **settings, **given})
        for node, settings in live.settings.items()
    }
    unread = broker_of(features | dict(given))
    require_remote(remote, next(iter(brokers.values()), unread))
    return [
        answered(
            group.observed,
            Environment(brokers.get(group.node, unread), versions, remote),
            None
            if group.clients is None
            else facts_of(group.observed, group.clients, group.malformed),
            draws,
        )
        for group in live.groups
    ]


# The `--json` line of a group.


def document_of(ready: Ready) -> dict[str, Any]:
    """Return a group's line of `--json`, as an object."""
    way = ready.way
    return record([column for column in COLUMNS if column.key not in _INSIDE], ready) | {
        "reasons": [_reason(reason, ready.names) for reason in ready.judged.reasons],
        "clients": [_client(member, ready) for member in ready.facts.members],
        "switch": None if way is None else _switch(way),
        "steps": []
        if way is None
        else [_step(number, bounce, ready) for number, bounce in enumerate(way.bounces, 1)],
        "settings": {name: change_of(name, ready.asked.remote) for name in ready.families},
    }


def _reason(reason: Reason, names: Mapping[str, str]) -> dict[str, Any]:
    text = words.text(reason, names)
    return {
        "code": reason.code,
        "kind": reason.kind.value,
        "members": list(reason.members),
        "topics": list(reason.topics),
        "text": text,
    }


def _client(member: Member, ready: Ready) -> dict[str, Any]:
    name = family(member, ready.facts)
    joins = CLIENTS[name].consumer_protocol if name else None
    return {
        "member_id": member.member_id,
        "client_id": member.client_id,
        "family": name,
        "certain": ready.facts.has_bytes and len(member.clients) == 1,
        "can": member_can(member, ready.facts, ready.asked.versions).value,
        "since": joins.since or None if joins else None,
    }


def _switch(way: Way) -> dict[str, Any]:
    racks = (
        None if way.racks is None else {"local": {"before": way.racks[0], "after": way.racks[1]}}
    )
    together = [
        {"topics": list(pair.topics), "before": pair.before, "after": pair.after}
        for pair in way.pairs
    ]
    return {
        "assignor": way.assignor,
        "moves": way.moves,
        "moved_total": way.moved_total,
        "pairs": together,
        "more_pairs": way.together.count - len(together),
        "racks": racks,
    }


def _step(number: int, bounce: Bounce, ready: Ready) -> dict[str, Any]:
    assert ready.way
    member = None if bounce.member == EXTRA else ready.facts.members[bounce.member]
    return {
        "step": number,
        "member_id": member.member_id if member else EXTRA_MEMBER,
        "client_id": member.client_id if member else None,
        "static": bounce.is_static,
        "stopped": _owners(bounce.stopped, ready.way, bounce.member),
        "started": _owners(bounce.started, ready.way),
        "back": None if bounce.back is None else _back(bounce.back, ready.asked.broker.goes_back),
    }


def _back(back: Back, is_open: bool | None) -> dict[str, Any]:
    """Return the way back as JSON.

    `open`: whether the policy allows the way back, null if unknown. `without_owner`, if the policy
    forbids it: partitions that lose their owner when the last consumer member leaves.
    """
    left = {"without_owner": back.left} if is_open is False else {}
    return {
        "open": is_open,
        "restarts": back.restarts,
        "moved": None if is_open is False else back.moved,
        **left,
    }


def _owners(owners: Owners | None, way: Way, gone: int | None = None) -> dict[str, Any] | None:
    if owners is None:
        return None
    return {
        "type": owners.group_type,
        "assignor": owners.assignor,
        "owners": owners_by_name(owners, way, gone),
        "moved": owners.moved,
        "certain": owners.is_certain,
        "others": len(owners.others),
        "moved_between": list(owners.moves),
    }


def owners_by_name(owners: Owners, way: Way, gone: int | None = None) -> Names:
    """Return each member's partitions by topic.

    A restarted member keeps its old member id. `gone`: row number of a stopped member, which is
    left out.
    """
    group = way.observed.snapshot
    by_name: Names = {name: {} for row, name in enumerate(group.member_id) if row != gone}
    for tp in np.flatnonzero(owners.owner != -1).tolist():
        row = int(owners.owner[tp])
        topics = by_name.setdefault(EXTRA_MEMBER if row == EXTRA else group.member_id[row], {})
        topics.setdefault(group.topic_name[group.tp_topic[tp]], []).append(
            int(group.tp_partition[tp])
        )
    return by_name


def ways_back(ready: Ready, shown: Callable[[str], str]) -> list[str]:
    """Return the way back after each restart, in words. `shown` makes a label printable."""
    assert ready.way
    lines, restarted, bounces = [], [], ready.way.bounces
    for number, bounce in enumerate(bounces, 1):
        restarted += [] if bounce.member == EXTRA else [shown(ready.label(bounce.member))]
        is_last = number == len(bounces)
        has_extra = ready.way.has_extra and not is_last
        lines.append(
            restart_words.goes_back(
                restarted, ready.asked.broker.goes_back, is_last, bounce.back, has_extra
            )
        )
    return lines


def change_of(name: str, remote: str | None) -> dict[str, Any]:
    """Return the settings that members must add and remove to use the consumer protocol.

    `name`: the client. If the client does not support the protocol, there are no settings.
    """
    joins = CLIENTS[name].consumer_protocol
    if joins is None:
        return {"add": {}, "remove": []}
    asks = {joins.remote: remote} if remote and joins.remote else {}
    return {"add": dict(joins.added) | asks, "remove": list(joins.removed)}


def in_order(all_ready: Iterable[Ready]) -> list[Ready]:
    """Return the groups by verdict, worst verdict first, then by id."""
    rank = list(Verdict).index
    return sorted(
        all_ready, key=lambda ready: (rank(ready.judged.verdict), ready.facts.group_id or "")
    )


def summary(all_ready: Sequence[Ready]) -> dict[str, int | None]:
    """Return the number of groups by verdict, the number of their members, and the predicted moves.

    Moves are None if a group can move but has no prediction.
    """
    counts = {
        verdict.value: sum(ready.judged.verdict == verdict for ready in all_ready)
        for verdict in Verdict
    }
    members = sum(ready.member_count or 0 for ready in all_ready)
    moves = None if any(map(is_unpredicted, all_ready)) else known_moves(all_ready)
    return {"groups": len(all_ready), **counts, "members": members, "moves": moves}


def known_moves(all_ready: Iterable[Ready]) -> int:
    """Return the number of moves in all predicted restarts."""
    return sum(ready.way.moves for ready in all_ready if ready.way)


def is_unpredicted(ready: Ready) -> bool:
    """Return whether a group with members can move, but its restarts are not predicted."""
    return ready.way is None and ready.member_count != 0 and ready.judged.verdict in _MOVABLE


def most_moves(ready: Ready) -> float:
    """Return the largest possible number of moves in a group without prediction.

    It is the number of the group's partitions; infinite if unknown.
    """
    if ready.observed is None or not ready.facts.members_known:
        return math.inf
    snapshot = ready.observed.snapshot
    return snapshot.tp_count if snapshot.topic_known.all() else math.inf
