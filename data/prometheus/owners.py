"""Adds the current owners to slots of a metrics store, because the store has no owners.

Every answer with these slots must say that the owners are assumed.
"""

from dataclasses import replace

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group.series import Series
from evenkeel.data.group.columns.observed import ObservedGroup


def with_assumed_owners(series: Series, observed: ObservedGroup) -> Series:
    """Return a series in which slots without owners get the group's current members and owners.

    `has_owners` stays False for these slots, to show that their owners are assumed.
    """
    group, current = observed.snapshot, observed.current
    if series.has_owners is None or series.has_owners.all() or current is None:
        return series
    member_id = tuple(dict.fromkeys([*series.member_id, *group.member_id]))
    more = len(member_id) - len(series.member_id)
    place = {name: row for row, name in enumerate(member_id)}
    members = np.array([place[name] for name in group.member_id], dtype=np.int32)
    is_assumed = ~series.has_owners[:, None]

    is_member = np.pad(series.is_member, ((0, 0), (0, more)))
    is_member[:, members] |= is_assumed
    owner_of = {
        (group.topic_name[topic], partition): owner
        for topic, partition, owner in zip(
            group.tp_topic.tolist(),
            group.tp_partition.tolist(),
            np.append(members, UNASSIGNED)[current.owner].tolist(),
            strict=True,
        )
    }
    names = [series.topic_name[topic] for topic in series.topic.tolist()]
    places = zip(names, series.partition.tolist(), strict=True)
    of_now = np.array([owner_of.get(each, UNASSIGNED) for each in places], dtype=np.int32)
    return replace(
        series,
        member_id=member_id,
        is_member=is_member,
        owner=np.where(is_assumed & series.is_listed, of_now, series.owner).astype(np.int32),
        client_id=(*series.client_id, *[None] * more) if series.client_id else (),
        lives=(*series.lives, *[()] * more) if series.lives else (),
    )
