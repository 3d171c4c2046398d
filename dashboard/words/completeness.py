"""Completeness of an input: what it shows, and what is missing for exact answers."""

import numpy as np

from assignors.group import NO_RACK, GroupSnapshot
from assignors.group.lag import lag_taken_as_zero
from dashboard.words.formats import count, exact
from data.columns.observed import ObservedGroup
from data.words.lists import listed


def shown(observed: ObservedGroup) -> str:
    """Say what the input shows besides topics; for a full input, what it shows besides subscriptions."""
    has = _has(observed)
    if all(has.values()):
        return listed(["subscriptions", *_beside(observed.snapshot)])
    return listed([*(word for word, is_there in has.items() if is_there)] or ["topics and partitions"])


def missing(observed: ObservedGroup) -> list[str]:
    """Return the inputs that an answer may need and that are missing; missing racks and static ids are no fault."""
    group = observed.snapshot
    ids, lags = int(np.count_nonzero(group.topic_known & ~group.topic_id_known)), int(np.count_nonzero(lag_taken_as_zero(group)))
    found, is_shared = [word for word, is_there in _has(observed).items() if not is_there], observed.group_type == "share"
    if any(path.endswith("].partitions") for path in observed.assumed):
        found.append("the size of some topics")
    if ids:
        found.append(f"{_of(ids, 'topic id', int(group.topic_known.sum()))} ({'simple' if is_shared else 'uniform'} needs them)")
    if lags and not is_shared and "offsets" not in found:
        found.append(f"offsets of {_partitions(lags, group.tp_count)} (lag needs them)")
    return found


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
