"""Readiness as answers: of files, of a live cluster, as JSON, and as sums."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from evenkeel.assignors import CLIENTS
from evenkeel.assignors.readiness.bounces import DRAWS, Back, Bounce
from evenkeel.assignors.readiness.rules import Member, Reason, Verdict, family, member_can
from evenkeel.assignors.rounds.mixed import EXTRA, Owners
from evenkeel.data.readiness import words
from evenkeel.data.readiness.answer import (
    Asked,
    Ready,
    Way,
    answered,
    broker_of,
    facts_of,
    require_remote,
)

if TYPE_CHECKING:
    from evenkeel.data.live.reading.readiness import LiveReadiness

EXTRA_MEMBER = "extra consumer member"
FIGURES = ("groups", *Verdict, "members", "moves")
_MOVABLE = (Verdict.UNKNOWN, Verdict.NOTE, Verdict.READY)
Names = dict[str, dict[str, list[int]]]


def answered_live(
    found: "LiveReadiness",
    given: Mapping[str, str],
    versions: Mapping[str, str],
    remote: str | None = None,
    draws: int = DRAWS,
) -> list[Ready]:
    """Answer about the groups of a cluster, each with the settings of its coordinator; `given`
    counts before what the brokers say.
    """
    features = {"group.version": str(found.features.get("group.version", 0))}
    brokers = {
        node: broker_of(features | settings | dict(given))
        for node, settings in found.settings.items()
    }
    unread = broker_of(features | dict(given))
    require_remote(remote, next(iter(brokers.values()), unread))
    return [
        answered(
            one.observed,
            Asked(brokers.get(one.node, unread), versions, remote),
            None if one.clients is None else facts_of(one.observed, one.clients, one.malformed),
            draws,
        )
        for one in found.groups
    ]


# The line of `--json` about one group.


def document_of(one: Ready) -> dict[str, Any]:
    """Return the line."""
    judged, facts, way = one.judged, one.facts, one.way
    return {
        "group_id": facts.group_id,
        "verdict": judged.verdict.value,
        "broker": judged.broker.value if judged.broker else None,
        "refusal": judged.refusal,
        "type": facts.group_type,
        "state": facts.state,
        "members": one.member_count,
        "reasons": [_reason(reason, one.names) for reason in judged.reasons],
        "clients": [_client(member, one) for member in facts.members],
        "switch": None if way is None else _switch(way),
        "steps": []
        if way is None
        else [_step(number, bounce, one) for number, bounce in enumerate(way.bounces, 1)],
        "settings": {name: change_of(name, one.asked.remote) for name in one.families},
    }


def _reason(one: Reason, names: Mapping[str, str]) -> dict[str, Any]:
    text = words.text(one, names)
    return {
        "code": one.code,
        "kind": one.kind.value,
        "members": list(one.members),
        "topics": list(one.topics),
        "text": text,
    }


def _client(member: Member, one: Ready) -> dict[str, Any]:
    name = family(member, one.facts)
    joins = CLIENTS[name].consumer_protocol if name else None
    return {
        "member_id": member.member_id,
        "client_id": member.client_id,
        "family": name,
        "certain": one.facts.has_bytes and len(member.clients) == 1,
        "can": member_can(member, one.facts, one.asked.versions).value,
        "since": joins.since or None if joins else None,
    }


def _switch(way: Way) -> dict[str, Any]:
    racks = (
        None if way.racks is None else {"local": {"before": way.racks[0], "after": way.racks[1]}}
    )
    together = [
        {"topics": list(one.topics), "before": one.before, "after": one.after} for one in way.pairs
    ]
    about = {
        "assignor": way.assignor,
        "moves": way.moves,
        "moved_total": way.moved_total,
        "pairs": together,
    }
    return about | {"more_pairs": way.together.count - len(together), "racks": racks}


def _step(number: int, bounce: Bounce, one: Ready) -> dict[str, Any]:
    member = None if bounce.member == EXTRA else one.facts.members[bounce.member]
    return {
        "step": number,
        "member_id": member.member_id if member else EXTRA_MEMBER,
        "client_id": member.client_id if member else None,
        "static": bounce.is_static,
        "stopped": _owners(bounce.stopped, one.way, bounce.member),
        "started": _owners(bounce.started, one.way),
        "back": None if bounce.back is None else _back(bounce.back, one.asked.broker.goes_back),
    }


def _back(back: Back, is_open: bool | None) -> dict[str, Any]:
    """Return the way back: `open` null where the policy is unknown; `without_owner`: partitions
    that lose theirs where it is closed.
    """
    left = {"without_owner": back.left} if is_open is False else {}
    return {
        "open": is_open,
        "restarts": back.restarts,
        "moved": None if is_open is False else back.moved,
        **left,
    }


def _owners(one: Owners | None, way: Way, gone: int | None = None) -> dict[str, Any] | None:
    if one is None:
        return None
    about = {
        "type": one.group_type,
        "assignor": one.assignor,
        "owners": owners_by_name(one, way, gone),
    }
    return about | {
        "moved": one.moved,
        "certain": one.is_certain,
        "others": len(one.others),
        "moved_between": list(one.moves),
    }


def owners_by_name(one: Owners, way: Way, gone: int | None = None) -> Names:
    """Return the owners by member and topic; a restarted member stands under its former id. `gone`:
    a row that is stopped.
    """
    group = way.observed.snapshot
    found: Names = {name: {} for row, name in enumerate(group.member_id) if row != gone}
    for tp in np.flatnonzero(one.owner != -1).tolist():
        row = int(one.owner[tp])
        topics = found.setdefault(EXTRA_MEMBER if row == EXTRA else group.member_id[row], {})
        topics.setdefault(group.topic_name[group.tp_topic[tp]], []).append(
            int(group.tp_partition[tp])
        )
    return found


def label(one: Ready, member: int) -> str:
    """Return what to call the member of a restart."""
    return "an extra member" if member == EXTRA else one.names[one.facts.members[member].member_id]


def ways_back(one: Ready, shown: Callable[[str], str]) -> list[str]:
    """Return for each restart how the group goes back from there, in words; `shown` makes a label
    fit to be shown.
    """
    found, restarted, bounces = [], [], one.way.bounces
    for number, bounce in enumerate(bounces, 1):
        restarted += [] if bounce.member == EXTRA else [shown(label(one, bounce.member))]
        is_last = number == len(bounces)
        has_extra = one.way.has_extra and not is_last
        found.append(
            words.goes_back(restarted, one.asked.broker.goes_back, is_last, bounce.back, has_extra)
        )
    return found


def change_of(name: str, remote: str | None) -> dict[str, Any]:
    """Return what members of a family add and remove to join with the consumer protocol; both empty
    where they cannot.
    """
    joins = CLIENTS[name].consumer_protocol
    if joins is None:
        return {"add": {}, "remove": []}
    asks = {joins.remote: remote} if remote and joins.remote else {}
    return {"add": dict(joins.added) | asks, "remove": list(joins.removed)}


def in_order(found: Iterable[Ready]) -> list[Ready]:
    """Return the groups by verdict, from the worst, then by id."""
    rank = {verdict: place for place, verdict in enumerate(Verdict)}
    return sorted(found, key=lambda one: (rank[one.judged.verdict], one.facts.group_id or ""))


def summary(found: Sequence[Ready]) -> dict[str, int | None]:
    """Return how many groups have each verdict, their members, and their moves: None where those of
    one of them are not predicted.
    """
    counts = {
        verdict.value: sum(one.judged.verdict == verdict for one in found) for verdict in Verdict
    }
    members = sum(one.member_count or 0 for one in found)
    moves = None if any(map(is_unpredicted, found)) else known_moves(found)
    return {"groups": len(found), **counts, "members": members, "moves": moves}


def known_moves(found: Iterable[Ready]) -> int:
    """Return the moves that are predicted."""
    return sum(one.way.moves for one in found if one.way)


def is_unpredicted(one: Ready) -> bool:
    """Tell whether a group can move, with members of whose restarts no move is predicted."""
    return one.way is None and one.member_count != 0 and one.judged.verdict in _MOVABLE


def most_moves(one: Ready) -> float:
    """Return how many partitions of a group that is not predicted can move: all, endless where they
    are unknown.
    """
    is_known = (
        one.observed is not None
        and one.facts.members_known
        and one.observed.snapshot.topic_known.all()
    )
    return one.observed.snapshot.tp_count if is_known else math.inf
