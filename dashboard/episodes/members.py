"""Lag and partitions of a group's members in the group's last slot, by client id and host, for
gauges.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.timeline.time_lag import time_lag


class MemberLoad(NamedTuple):
    """The members of one group that have the same client id and host: their lag in records, the
    largest time lag of their partitions, and their number of partitions. A lag is None if unknown.
    """

    cluster: str
    group: str
    client_id: str
    host: str
    lag: int | None
    lag_seconds: float | None
    partitions: int


def member_loads(cluster: str, group: str, evidence: Evidence) -> list[MemberLoad]:
    """Return the members of the group in its last slot."""
    series = evidence.series
    last = series.slot_count - 1
    if last < 0 or evidence.lacks_owners[last]:
        return []
    seconds = time_lag(series, np.array([last]))[0][0]
    of_place = defaultdict(list)
    for member in np.flatnonzero(series.is_member[last]).tolist():
        who = evidence.identity[member]
        of_place[who.client_id or "", who.host or ""].append(member)
    return [
        _load(
            (cluster, group, *place),
            series.lag[last],
            seconds,
            np.isin(series.owner[last], members),
        )
        for place, members in sorted(of_place.items())
    ]


def _load(
    labels: tuple[str, str, str, str], lag: np.ndarray, seconds: np.ndarray, is_theirs: np.ndarray
) -> MemberLoad:
    known, ages = lag[is_theirs & (lag >= 0)], seconds[is_theirs & (seconds >= 0)]
    count = int(np.count_nonzero(is_theirs))
    return MemberLoad(
        *labels,
        lag=int(known.sum()) if known.size or not count else None,
        lag_seconds=float(ages.max()) if ages.size else None,
        partitions=count,
    )


def largest(loads: Iterable[MemberLoad], most: int) -> tuple[list[MemberLoad], int]:
    """Return the `most` members with the highest lag, and the number of all other members."""
    every = sorted(loads, key=lambda load: (-(load.lag or 0), load[:4]))
    return every[:most], max(len(every) - most, 0)
