"""Two snapshots of one group on one set of rows: then moves between them can be counted."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.group import NO_GENERATION, NO_RACK, GroupSnapshot
from evenkeel.data.columns.observed import ObservedGroup


def succession(
    earlier: ObservedGroup, later: ObservedGroup, renamed: Mapping[str, str] | None = None
) -> tuple[ObservedGroup, Assignment | None]:
    """Return the later snapshot with departed members at its end, and the owners in the earlier one, in these rows; None if unknown.

    A static member is identified by its instance id, unless the listing names it twice, any other by its member id; `renamed`: members
    that have another id in the later snapshot. Partitions of deleted topics are left out. No assignor may run on the result: departed
    members subscribe to nothing.
    """
    if not _has_known_owners(earlier):
        return later, None
    before, after, held = earlier.snapshot, later.snapshot, earlier.current.owner
    shared = _shared_instance_ids(before) | _shared_instance_ids(after)
    rows = {key: row for row, key in enumerate(_keys(later, {}, shared))}
    keys = _keys(earlier, renamed or {}, shared)
    left = [row for row, key in enumerate(keys) if key not in rows]
    row_of = np.array([rows.get(key, UNASSIGNED) for key in keys] + [UNASSIGNED], dtype=np.int32)
    row_of[left] = np.arange(after.member_count, after.member_count + len(left))
    owner = np.full(after.tp_count, UNASSIGNED, dtype=np.int32)
    topics = {name: row for row, name in enumerate(before.topic_name)}
    for topic, name in enumerate(after.topic_name):
        if name in topics:
            here, there = owner[after.tps_of(topic)], held[before.tps_of(topics[name])]
            shared = min(here.size, there.size)
            here[:shared] = row_of[there[:shared]]
    return _with_members(later, earlier, left), Assignment(owner)


def _has_known_owners(observed: ObservedGroup) -> bool:
    """Tell whether the owners are known: without a named member they are, if the source says that there are none."""
    return observed.current is not None and bool(observed.snapshot.member_count or "members" not in observed.assumed)


def _shared_instance_ids(group: GroupSnapshot) -> set[str | None]:
    """Return the instance ids that identify no member, None among them."""
    return {None} | {instance for instance, count in Counter(group.instance_id).items() if count > 1}


def _keys(observed: ObservedGroup, renamed: Mapping[str, str], shared: set[str | None]) -> list[tuple[bool, str]]:
    group = observed.snapshot
    return [
        (False, renamed.get(member, member)) if instance in shared else (True, instance)
        for member, instance in zip(group.member_id, group.instance_id, strict=True)
    ]


def _with_members(later: ObservedGroup, earlier: ObservedGroup, left: list[int]) -> ObservedGroup:
    group, old, count = later.snapshot, earlier.snapshot, len(left)
    if not count:
        return later
    snapshot = replace(
        group,
        member_id=(*group.member_id, *(old.member_id[row] for row in left)),
        instance_id=(*group.instance_id, *(old.instance_id[row] for row in left)),
        member_rack=np.append(group.member_rack, np.full(count, NO_RACK, dtype=group.member_rack.dtype)),
        has_empty_rack=None if group.has_empty_rack is None else np.append(group.has_empty_rack, np.zeros(count, dtype=bool)),
        generation=np.append(group.generation, np.full(count, NO_GENERATION, dtype=group.generation.dtype)),
        topic_lists=(*group.topic_lists, np.empty(0, dtype=np.int32)),
        subscription=np.append(group.subscription, np.full(count, len(group.topic_lists), dtype=group.subscription.dtype)),
    )
    nothing = (None,) * count
    return replace(
        later,
        snapshot=snapshot,
        client_id=(*later.client_id, *(earlier.client_id[row] for row in left)),
        host=(*later.host, *(earlier.host[row] for row in left)),
        epoch=np.append(later.epoch, np.full(count, -1, dtype=later.epoch.dtype)),
        subscribed_regex=(*later.subscribed_regex, *nothing) if later.subscribed_regex else (),
        joined_with=(*later.joined_with, *nothing) if later.joined_with else (),
    )
