"""What an input shows, and what is still missing for answers that are exact."""

import numpy as np

from assignors.group import NO_RACK, GroupSnapshot
from assignors.lag import lag_taken_as_zero
from dashboard.formats import count, exact
from dashboard.names import listed
from data.observed import ObservedGroup

_SUBSCRIPTIONS = 4
_SHOWN = ("topics and partitions", "offsets", "owners", "all members")
_NEXT = ("offsets", "owners", "all members", "subscriptions")


def shown(observed: ObservedGroup) -> str:
    """Say what the input shows at its level: of a full one what it has beside subscriptions."""
    if observed.level < _SUBSCRIPTIONS:
        return _SHOWN[observed.level]
    return listed(["subscriptions", *_beside(observed.snapshot)])


def missing(observed: ObservedGroup) -> list[str]:
    """Return what an answer may need and the input does not say; racks and static ids are no fault where there are none."""
    group = observed.snapshot
    ids, lags = int(np.count_nonzero(group.topic_known & ~group.topic_id_known)), int(np.count_nonzero(lag_taken_as_zero(group)))
    found, is_shared = list(_NEXT[observed.level :]), observed.group_type == "share"
    if ids:
        found.append(f"{_of(ids, 'topic id', int(group.topic_known.sum()))} ({'simple' if is_shared else 'uniform'} needs them)")
    if lags and not is_shared and "offsets" not in found:
        found.append(f"offsets of {_partitions(lags, group.tp_count)} (lag needs them)")
    return found


def _beside(group: GroupSnapshot) -> list[str]:
    racks = (group.member_rack != NO_RACK).any() or (group.replica_rack != NO_RACK).any()
    return ["racks"] * bool(racks) + ["static ids"] * any(group.instance_id)


def _of(number: int, noun: str, total: int) -> str:
    return f"{noun}s" if number == total else f"{exact(number)} of {count(total, noun)}"


def _partitions(number: int, total: int) -> str:
    return "every partition" if number == total else f"{exact(number)} of {count(total, 'partition')}"
