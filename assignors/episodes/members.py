"""Members over time: consumers that leave and return, bursts of rebalances, and idle members."""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.episodes.evidence import WINDOW, Evidence
from evenkeel.assignors.episodes.progress import Holding, in_a_row

_RUN_SECONDS = 900.0
_RETURNS = 3
_PAUSES = 3
_CHANGES = 4
_SPAN_SECONDS = 300.0
_SPAN_SLOTS = 20
_SHARED = -2


@dataclass(frozen=True, eq=False)
class Unstable:
    """Consumers that leave the group and return. `holding`: the result of the rule, slots by
    consumers (S, C). `name`: the name of each consumer.

    `count`: number of returns in the present series of returns, (S, C). `pace`: usual seconds
    between these returns, (S, C). `changes`: whether the consumer left or returned at the slot,
    bool (S, C).
    """

    holding: Holding
    name: tuple[str, ...]
    count: np.ndarray
    pace: np.ndarray
    changes: np.ndarray


def unstable(evidence: Evidence) -> Unstable:
    """Judge each consumer over time. A consumer is known by its instance id or, without one, by its
    client id, as long as only one live member has this client id.
    """
    series = evidence.series
    listed = np.flatnonzero(series.shows_owners)
    consumers = _consumers(evidence, listed)
    renamed = _renamed(consumers.member)
    rows = [
        (name, comings)
        for column, name in enumerate(consumers.name)
        if (comings := _comings(consumers.member[:, column], renamed, listed)) is not None
    ]
    shape = (series.slot_count, len(rows))
    result = Unstable(
        Holding.never(shape),
        tuple(name for name, _ in rows),
        np.zeros(shape, dtype=np.int64),
        np.zeros(shape),
        np.zeros(shape, dtype=bool),
    )
    for column, (_, (left, back)) in enumerate(rows):
        _judge(result, column, series.time, left, back)
    return result


class _Consumers(NamedTuple):
    """The consumers of a group. `member`, int32 (L, C): the member of each consumer at the listed
    slots; `UNASSIGNED` if the consumer is absent.

    If two live members have the same name at a slot, `member` is `_SHARED` from this slot on.
    """

    name: tuple[str, ...]
    member: np.ndarray


def _consumers(evidence: Evidence, listed: np.ndarray) -> _Consumers:
    of_consumer = defaultdict(list)
    for member, who in enumerate(evidence.identity):
        name = who.instance_id or who.client_id
        if name is not None:
            of_consumer[name].append(member)
    result = np.full((listed.size, len(of_consumer)), UNASSIGNED, dtype=np.int32)
    is_member = evidence.series.is_member[listed]
    for column, members in enumerate(of_consumer.values()):
        count = is_member[:, members].sum(axis=1)
        who = np.array(members)[np.argmax(is_member[:, members], axis=1)]
        result[:, column] = np.where(count > 0, who, UNASSIGNED)
        result[np.maximum.accumulate(count > 1), column] = _SHARED
    return _Consumers(tuple(of_consumer), result)


def _renamed(member: np.ndarray) -> np.ndarray:
    """Return, bool (L,), for each listed slot: whether all members that stayed have new ids after a
    rebalance. Some clients join with a new id each time.

    If only one consumer has a new id, it has restarted.
    """
    result = np.zeros(member.shape[0], dtype=bool)
    before, after = member[:-1], member[1:]
    stays = (before >= 0) & (after >= 0)
    changes = stays & (before != after)
    others = ((before >= 0) != (after >= 0)).any(axis=1)
    count = changes.sum(axis=1)
    result[1:] = (count == stays.sum(axis=1)) & ((count > 1) | others)
    return result


def _comings(
    member: np.ndarray, renamed: np.ndarray, listed: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return (the slots at which a consumer had left, the slots at which it had returned). None if
    it never returned.
    """
    seen = np.flatnonzero(member >= 0)
    if seen.size < 2:
        return None
    is_away = np.diff(seen) > 1
    again = np.flatnonzero(is_away | ((np.diff(member[seen]) != 0) & ~renamed[seen[1:]]))
    if not again.size:
        return None
    return listed[seen[again] + 1], listed[seen[again + 1]]


def _judge(
    result: Unstable, column: int, time: np.ndarray, left: np.ndarray, back: np.ndarray
) -> None:
    holding = result.holding
    result.changes[left, column] = result.changes[back, column] = True
    moments = time[back]
    starts = np.flatnonzero(np.diff(moments, prepend=-np.inf) > _RUN_SECONDS)
    for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), back.size], strict=True):
        for place in range(start + _RETURNS - 1, stop):
            run = moments[start : place + 1]
            end = run[-1] + _PAUSES * np.diff(run).max()
            following = back[place + 1] if place + 1 < stop else time.size
            rows = np.arange(back[place], following)
            rows = rows[time[rows] < end]
            holding.holds[rows, column] = True
            holding.since[rows, column] = time[left[start]]
            result.count[rows, column] = run.size
            result.pace[rows, column] = np.median(np.diff(run))


def bursts(evidence: Evidence) -> tuple[Holding, np.ndarray, np.ndarray]:
    """Return three arrays: the result of the rule, (S, 1); whether members or owners changed at the
    slot, bool (S,); the number of changes in the minutes up to the slot, int64 (S,).
    """
    series = evidence.series
    listed = np.flatnonzero(series.shows_owners)
    name = [
        who.instance_id or series.member_id[member] for member, who in enumerate(evidence.identity)
    ]
    number = {each: place for place, each in enumerate(dict.fromkeys(name))}
    code = np.array([*(number[each] for each in name), UNASSIGNED], dtype=np.int32)
    owner = code[series.owner[listed]]
    present = np.zeros((listed.size, len(number)), dtype=bool)
    for member, place in enumerate(code[:-1].tolist()):
        present[:, place] |= series.is_member[listed, member]
    differs = np.zeros(listed.size, dtype=bool)
    differs[1:] = (owner[1:] != owner[:-1]).any(axis=1) | (present[1:] != present[:-1]).any(axis=1)

    time = series.time[listed]
    step = float(np.median(np.diff(time))) if listed.size > 1 else 0.0
    span = max(_SPAN_SECONDS, _SPAN_SLOTS * step)
    changes = np.cumsum(differs)
    start = np.searchsorted(time, time - span, side="left")
    count = changes - np.where(start > 0, changes[np.maximum(start - 1, 0)], 0)
    moments = time[differs]
    first = np.clip(changes - count, 0, max(moments.size - 1, 0))

    shape = (series.slot_count, 1)
    holding = Holding.never(shape)
    is_changed, in_span = np.zeros(shape[0], dtype=bool), np.zeros(shape[0], dtype=np.int64)
    holding.holds[listed, 0] = count >= _CHANGES
    if moments.size:
        holding.since[listed, 0] = moments[first]
    is_changed[listed], in_span[listed] = differs, count
    return holding, is_changed, in_span


def idle(evidence: Evidence) -> Holding:
    """Return the result of the rule for each member: True if the member has had no partition for a
    whole window while other members had partitions. A consumer with a new member id counts as the
    same member.
    """
    series = evidence.series
    slots, members = series.is_member.shape
    owns = np.zeros((slots, members + 1), dtype=bool)
    # UNASSIGNED (-1) is the index of the last column.
    owns[np.arange(slots)[:, None], series.owner] = True
    owns = owns[:, :-1]
    is_asked = evidence.is_stable & owns.any(axis=1) & (not evidence.is_share)
    is_idle = series.is_member & ~owns & is_asked[:, None]
    result = in_a_row(evidence, is_idle, WINDOW)
    if not is_idle.any():
        return result
    consumers = _consumers(evidence, np.arange(slots)).member
    own = np.take_along_axis(is_idle, np.maximum(consumers, 0), axis=1) & (consumers >= 0)
    lasting = in_a_row(evidence, own, WINDOW)
    rows, columns = np.nonzero(lasting.holds)
    cells = rows, consumers[rows, columns]
    result.holds[cells] = True
    result.since[cells] = lasting.since[rows, columns]
    result.is_least[cells] = lasting.is_least[rows, columns]
    return result
