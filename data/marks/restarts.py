"""Restarts of whole groups: within ten minutes all member ids are replaced, but the instance ids or
client ids are the same.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.group.series import Identity, Series

NEAR = 600.0
"""Longest duration of a restart, in seconds."""

_LEAST = 2


class Restart(NamedTuple):
    """A restart of a whole group. `time`: the first slot that has no former member id, in seconds
    since 1970. `members`: number of restarted members.
    """

    time: float
    members: int


def restarts(series: Series, identity: Sequence[Identity]) -> list[Restart]:
    """Return the restarts of the whole group, oldest first. `identity`: the instance id and client
    id of each member in the series.
    """
    names = [who.instance_id or who.client_id for who in identity]
    listed = np.flatnonzero(series.is_member.any(axis=1))
    time = series.time[listed]
    first = np.searchsorted(time, time - NEAR)
    result: list[Restart] = []
    for place, row in enumerate(listed.tolist()):
        if result and time[place] - result[-1].time <= NEAR:
            continue
        before, now = series.is_member[listed[first[place]]], series.is_member[row]
        if now.sum() < _LEAST or (before & now).any():
            continue
        was, is_now = ([names[each] for each in np.flatnonzero(side)] for side in (before, now))
        if None not in was and Counter(was) == Counter(is_now):
            result.append(Restart(float(time[place]), len(is_now)))
    return result
