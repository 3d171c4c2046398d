"""Completeness of an input: what it shows, and which inputs are missing for exact answers."""

import numpy as np

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.lag import lag_taken_as_zero
from evenkeel.assignors.protocol import serving
from evenkeel.data.columns.observed import ObservedGroup
from evenkeel.data.words.formats import count, exact, listed

SUBSCRIPTIONS, RATES = 4, 5
"""The levels of all subscriptions, and of two moments."""


def reached(observed: ObservedGroup, has_rates: bool, is_certain: bool) -> int:
    """Return the level of an input: rates complete one that lacks nothing else, and do not make up for what is assumed.

    `is_certain`: no answer to it depends on what is unknown.
    """
    is_whole = observed.level == SUBSCRIPTIONS and not observed.assumed and not missing(observed)
    return RATES if has_rates and is_whole and is_certain else observed.level


def level_words(level: int, has_rates: bool) -> str:
    """Return the words of a badge: `Level 2 of 5, with rates`."""
    return f"Level {level} of {RATES}" + ", with rates" * (has_rates and level < RATES)


def shown(observed: ObservedGroup) -> str:
    """List what the input shows: for a full one subscriptions, racks and static ids, else the parts that it has beside topics."""
    has = _has(observed)
    if all(has.values()):
        return listed(["subscriptions", *_beside(observed.snapshot)])
    return listed([*(word for word, is_there in has.items() if is_there)] or ["topics and partitions"])


def missing(observed: ObservedGroup) -> list[str]:
    """Return the missing inputs that an answer may need; racks and static ids may be missing."""
    group = observed.snapshot
    ids, lags = int(np.count_nonzero(group.topic_known & ~group.topic_id_known)), int(np.count_nonzero(lag_taken_as_zero(group)))
    found = [word for word, is_there in _has(observed).items() if not is_there]
    needs_ids, needs_lags = (_users(observed.group_type, fact) for fact in ("uses_topic_ids", "uses_lag"))
    if any(path.endswith("].partitions") for path in observed.assumed):
        found.append("the size of some topics")
    if ids and needs_ids:
        found.append(f"{_of(ids, 'topic id', int(group.topic_known.sum()))} ({needs_ids} them)")
    if lags and needs_lags and "offsets" not in found:
        found.append(f"offsets of {_partitions(lags, group.tp_count)} ({needs_lags} them)")
    return found


def _users(group_type: str | None, fact: str) -> str:
    """Say which assignors of this type of group use an input; empty where none does."""
    names = [name for name in serving(group_type, ASSIGNORS) if getattr(ASSIGNORS[name], fact)]
    return f"{listed(names)} {'needs' if len(names) == 1 else 'need'}" if names else ""


def _has(observed: ObservedGroup) -> dict[str, bool]:
    members, assumed = observed.snapshot.member_count, observed.assumed
    return {
        "offsets": observed.level > 0,
        "owners": observed.current is not None,
        "all members": bool(members) and "members" not in assumed,
        "subscriptions": bool(members) and "members" not in assumed and not any(path.endswith("].subscribed") for path in assumed),
    }


def _beside(group: GroupSnapshot) -> list[str]:
    racks = (group.member_rack != NO_RACK).any() or (group.replica_rack != NO_RACK).any()
    return ["racks"] * bool(racks) + ["static ids"] * any(group.instance_id)


def _of(number: int, noun: str, total: int) -> str:
    return f"{noun}s" if number == total else f"{exact(number)} of {count(total, noun)}"


def _partitions(number: int, total: int) -> str:
    return "every partition" if number == total else f"{exact(number)} of {count(total, 'partition')}"
