"""Holdings after a change as tiles: one for each partition, or one for each topic of a member if partitions are too many."""

from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.figures.moves import OwnerPairs
from evenkeel.assignors.group.lag import UNKNOWN_LAG

KEPT, ADDED, REVOKED = 0, 1, 2
GAP = 1.0


class Holdings(NamedTuple):
    """Partitions that members keep, get and give up: arrays with one entry for each (member, partition).

    `kind` is `KEPT`, `ADDED` or `REVOKED`; `lag` is in records, NaN if unknown.
    """

    member: np.ndarray
    topic: np.ndarray
    partition: np.ndarray
    kind: np.ndarray
    lag: np.ndarray


def holdings(pairs: OwnerPairs, lag: np.ndarray) -> Holdings:
    """Return the holdings of a change; `lag` int64, a value for each pair, `UNKNOWN_LAG` if unknown."""
    kept = pairs.from_member == pairs.to_member
    added, revoked = ~kept & (pairs.to_member != UNASSIGNED), ~kept & (pairs.from_member != UNASSIGNED)
    rows = np.concatenate([np.flatnonzero(shown) for shown in (kept, added, revoked)])
    kind = np.repeat([KEPT, ADDED, REVOKED], [shown.sum() for shown in (kept, added, revoked)])
    member = np.where(kind == REVOKED, pairs.from_member[rows], pairs.to_member[rows])
    return Holdings(member, pairs.topic[rows], pairs.partition[rows], kind, np.where(lag == UNKNOWN_LAG, np.nan, lag.astype(float))[rows])


class Tiles(NamedTuple):
    """Boxes on a plane: row of the member in drawing order, left end and width in partitions.

    `topic_start` has the left end of each topic's panel; it is empty for stacks without panels. `width` is that of the widest row.
    """

    row: np.ndarray
    start: np.ndarray
    size: np.ndarray
    topic: np.ndarray
    partition: np.ndarray
    kind: np.ndarray
    lag: np.ndarray
    topic_start: dict[int, float]
    width: float


def partition_tiles(holdings: Holdings, order: np.ndarray) -> Tiles:
    """Lay out one tile for each partition, in a panel for each topic; a row has kept, added, then revoked tiles, each by partition."""
    row = _rows(order)[holdings.member]
    by = np.lexsort((holdings.partition, holdings.kind, row, holdings.topic))
    member, topic = row[by], holdings.topic[by]
    place = _place_in_run(topic * (len(order) + 1) + member)
    topics = np.unique(topic)
    widest = [place[topic == one].max() + 1 for one in topics]
    starts = np.concatenate(([0.0], np.cumsum(np.array(widest, dtype=float) + GAP)))
    start_of = dict(zip(topics.tolist(), starts.tolist(), strict=False))
    start = np.array([start_of[one] for one in topic.tolist()]) + place
    width = max(float(starts[-1]) - GAP, 0.0)
    return Tiles(member, start, np.ones(len(by)), topic, holdings.partition[by], holdings.kind[by], holdings.lag[by], start_of, width)


def topic_tiles(holdings: Holdings, order: np.ndarray) -> Tiles:
    """Lay out one tile for each topic and kind of a member, one partition wide for each partition; `partition` is -1, `lag` the sum."""
    row = _rows(order)[holdings.member]
    key = np.stack((row, holdings.kind, holdings.topic))
    groups, which, size = np.unique(key, axis=1, return_inverse=True, return_counts=True)
    lag = np.bincount(which.ravel(), weights=holdings.lag, minlength=groups.shape[1])
    member, kind, topic = groups
    ends = np.cumsum(size)
    first = np.searchsorted(member, member)
    start = ends - size - (ends - size)[first]
    width = float((start + size).max()) if len(size) else 0.0
    return Tiles(member, start.astype(float), size.astype(float), topic, np.full(len(size), -1), kind, lag, {}, width)


def _rows(order: np.ndarray) -> np.ndarray:
    rows = np.empty(len(order), dtype=np.int64)
    rows[order] = np.arange(len(order))
    return rows


def _place_in_run(keys: np.ndarray) -> np.ndarray:
    first = np.concatenate(([True], keys[1:] != keys[:-1])) if len(keys) else np.empty(0, dtype=bool)
    starts = np.flatnonzero(first)
    return np.arange(len(keys)) - np.repeat(starts, np.diff(np.append(starts, len(keys))))
