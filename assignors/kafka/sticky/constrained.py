"""The sticky algorithm for equal subscriptions (KAFKA-9987): partition counts differ by at most
one.

Members keep owned partitions up to their quota. Partitions that are not kept go to members below
the lower quota in rounds, then to members at it; with racks first to members in a rack with a
replica.
"""

from bisect import bisect_left
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import deal_in_turn, stable_order
from evenkeel.assignors.assignment import UNASSIGNED, AssignorError, Assumption
from evenkeel.assignors.group import GroupSnapshot
from evenkeel.assignors.group.dealing import deal_and_tell
from evenkeel.assignors.group.racks import Racks
from evenkeel.assignors.kafka.sticky.claims import (
    NO_EXTRA,
    NO_ROWS,
    Outcome,
    PriorOwners,
    extra_rows,
    rows_beyond,
    topic_and_partition,
    unassigned_rows,
)
from evenkeel.assignors.trace import (
    KeepStep,
    Lacking,
    Reason,
    ReleaseStep,
    Trace,
    Turn,
    asked,
    pairs,
)


class Quota(NamedTuple):
    """`least` partitions for every member, and one more for `may_exceed` members."""

    least: int
    may_exceed: int


class RetainedPartitions(NamedTuple):
    """What members keep.

    `owner` int32 (P + B,). `held_count` int64 (M,). `over`: number of members with more than the
    least. `released` int64: owned partitions that no member keeps. Where everything was owned, only
    `released` is left to assign, and `owner` may still name the former owners.
    """

    owner: np.ndarray
    held_count: np.ndarray
    over: int
    released: np.ndarray
    assumed: tuple[Assumption, ...]


@dataclass(frozen=True, eq=False)
class Queues:
    """`under` int32: members below the lower quota, by id. `missing` int64: how many partitions
    each of them lacks.

    `exact` int32: members at the lower quota that may get one more.
    """

    under: np.ndarray
    missing: np.ndarray
    exact: np.ndarray


def assign_constrained(group: GroupSnapshot, owned: PriorOwners, racks: Racks | None) -> Outcome:
    """Return who gets what.

    Raises
    ------
    AssignorError
        ArithmeticException without members; IllegalStateException where partitions beyond their
        topic's size leave more to assign than members may take.
    """
    # Java divides by the number of members. A group without any always comes here, because no
    # subscription differs.
    if not group.member_count:
        raise AssignorError("ArithmeticException", "the group has 0 members, expected at least 1")
    if group.is_all_in_play and racks is None and not (owned.held_count.any() or owned.doubly.size):
        return _dealt_out(group)
    quota = Quota(*divmod(int(group.partition_count[group.in_play].sum()), group.member_count))
    retained = kept_partitions(group, owned, racks, quota)
    if (trace := asked()) is not None:
        _tell_kept(trace, group.tp_count, owned, retained, racks, quota)
    queues = _queues(group, retained, quota)
    rows = (
        np.sort(retained.released)
        if owned.is_complete
        else unassigned_rows(group, retained.owner, owned.beyond)
    )
    if racks is None:
        given = takers(queues, rows.size)
        if trace is not None:
            _tell_given(trace, rows, queues, given)
    else:
        rows, given = takers_by_rack(queues, rows, racks, quota.may_exceed - retained.over)
    return _outcome(group, owned, retained, rows, given)


def _dealt_out(group: GroupSnapshot) -> Outcome:
    """Return the answer for a group that owns nothing: one partition for each member in every
    round."""
    owner = np.empty(group.tp_count, dtype=np.int32)
    deal_and_tell(owner, group.members_by_id, slice(0, group.tp_count))
    return Outcome(owner, NO_EXTRA, NO_ROWS, True, ())


def _queues(group: GroupSnapshot, retained: RetainedPartitions, quota: Quota) -> Queues:
    members = group.members_by_id
    count = retained.held_count[members]
    missing = quota.least - count
    below = missing > 0
    exact = members[missing == 0] if retained.over < quota.may_exceed else members[:0]
    return Queues(members[below], missing[below], exact)


def _outcome(
    group: GroupSnapshot,
    owned: PriorOwners,
    retained: RetainedPartitions,
    rows: np.ndarray,
    given: np.ndarray,
) -> Outcome:
    """Combine retained and assigned partitions, in place if possible. A kept row may be assigned
    again, see `unassigned_rows`.
    """
    owner = np.require(retained.owner[: group.tp_count], requirements="W")
    before = owned.owner[rows]
    transferred = (before != UNASSIGNED) & (before != given)
    # assignNewPartition also counts what several members claimed
    # (partitionsWithMultiplePreviousOwners), whoever gets it.
    if owned.doubly.size:
        transferred |= np.isin(rows, owned.doubly)
    if not len(owned.beyond):
        owner[rows] = given
        return Outcome(owner, NO_EXTRA, rows[transferred], True, retained.assumed)
    again = owner[rows] != UNASSIGNED
    second = again & (owner[rows] != given)
    beyond = rows_beyond(group, retained.owner)
    extra = extra_rows(
        group,
        owned.beyond,
        np.append(given[second], retained.owner[beyond]),
        np.append(rows[second], beyond),
    )
    owner[rows[~again]] = given[~again]
    return Outcome(owner, extra, rows[transferred & ~again], True, retained.assumed)


# What stays with its owner


def kept_partitions(
    group: GroupSnapshot, owned: PriorOwners, racks: Racks | None, quota: Quota
) -> RetainedPartitions:
    """Decide which partitions stay with their owner: each member keeps owned partitions up to its
    quota.
    """
    owner, count = owned.owner, owned.held_count
    lost = _lost(owned, racks)
    if lost.size:
        owner = owner.copy()
        owner[lost] = UNASSIGNED
        count = np.bincount(owner[owner != UNASSIGNED], minlength=group.member_count)
    if count.max() <= quota.least:
        return RetainedPartitions(owner, count, 0, lost, owned.assumed)
    full, assumed = _full(group, count, quota)
    limit = quota.least + full
    surplus = _surplus(group, owned, owner, count, limit)
    if surplus.size and not owned.is_complete:
        owner = owner.copy()
        owner[surplus] = UNASSIGNED
    return RetainedPartitions(
        owner,
        np.minimum(count, limit),
        int(np.count_nonzero(full)),
        np.concatenate((lost, surplus)),
        owned.assumed or assumed,
    )


def _full(
    group: GroupSnapshot, count: np.ndarray, quota: Quota
) -> tuple[np.ndarray, tuple[Assumption, ...]]:
    """Return which members keep one partition more than the least number, bool (M,).

    Where too many members have one more, Kafka's first ones in map order keep it.
    """
    if not quota.may_exceed:
        return np.zeros(count.size, dtype=bool), ()
    full = count > quota.least
    if np.count_nonzero(full) <= quota.may_exceed:
        return full, ()
    order = group.member_refilled_order
    first = order.rows[full[order.rows]][: quota.may_exceed]
    full[:] = False
    full[first] = True
    return full, order.assumed


def _lost(owned: PriorOwners, racks: Racks | None) -> np.ndarray:
    """Return the rows that no member keeps at any quota: claimed twice in one generation, or in
    another rack than their owner.
    """
    if racks is None:
        return owned.doubly
    rows = np.flatnonzero(owned.owner != UNASSIGNED)
    return np.union1d(owned.doubly, rows[racks.mismatch(owned.owner[rows], rows)])


def _surplus(
    group: GroupSnapshot,
    owned: PriorOwners,
    owner: np.ndarray,
    count: np.ndarray,
    quota: np.ndarray,
) -> np.ndarray:
    """Return the rows of each member beyond its quota, by partition number, then topic."""
    has_more = count > quota
    if not has_more.any():
        return np.empty(0, dtype=np.int64)
    held, excess = count[has_more], (count - quota)[has_more]
    if (
        owned.is_undisputed
        and owner is owned.owner
        and group.is_all_in_play
        and group.is_claimed_inside
        and (excess == 1).all()
    ):
        return _last_rows(group)[has_more[count > 0]]
    start = np.cumsum(held) - held
    rows = np.flatnonzero(np.append(has_more, False).take(owner))
    topic, partition = topic_and_partition(group, owned.beyond, rows)
    from_end = np.arange(excess.sum()) - np.repeat(np.cumsum(excess) - excess, excess)
    last = np.repeat(start + held, excess) - 1 - from_end
    # KAFKA-16277: sorted by partition number first, so that the surplus comes from all topics
    # evenly.
    if len(owned.beyond):
        return rows[np.lexsort((topic, partition, owner[rows]))[last]]
    # Member, partition number and topic in one integer, which also gives the row: sorting values is
    # three times as fast as sorting rows.
    most = int(group.partition_count.max())
    key = (owner[rows].astype(np.int64) * most + partition) * group.topic_count + topic
    key.sort()
    partition, topic = np.divmod(key[last], group.topic_count)
    return group.first_tp[topic] + partition % most


def _last_rows(group: GroupSnapshot) -> np.ndarray:
    """Return the last row, by partition number, then topic, of each member with claims."""
    has_claims = group.claim_start[:-1] < group.claim_start[1:]
    # int32 halves the time: the largest of each 500 of a million keys takes 0.14 ms, in int64 0.28
    # ms.
    fits = int(group.partition_count.max()) * group.topic_count <= np.iinfo(np.int32).max
    key = np.multiply(
        group.claim_partition, group.topic_count, dtype=np.int32 if fits else np.int64
    )
    key += group.claim_topic
    partition, topic = np.divmod(
        np.maximum.reduceat(key, group.claim_start[:-1][has_claims]), group.topic_count
    )
    return group.first_tp[topic] + partition


def _tell_kept(
    trace: Trace,
    tp_count: int,
    owned: PriorOwners,
    retained: RetainedPartitions,
    racks: Racks | None,
    quota: Quota,
) -> None:
    """Trace whether each partition stays with its owner."""
    released, doubly = set(retained.released.tolist()), set(owned.doubly.tolist())
    for row in trace.of(slice(0, tp_count)):
        member = int(owned.owner[row])
        if row in doubly:
            trace.add(row, ReleaseStep(UNASSIGNED, UNASSIGNED, Reason.CLAIMED_TWICE))
        elif member != UNASSIGNED:
            count, limit = (
                int(owned.held_count[member]),
                max(int(retained.held_count[member]), quota.least),
            )
            if row not in released:
                trace.add(row, KeepStep(member, count, limit, quota.least))
            elif racks is not None and racks.mismatch(member, row):
                trace.add(row, ReleaseStep(UNASSIGNED, member, Reason.RACK))
            else:
                trace.add(row, ReleaseStep(UNASSIGNED, member, Reason.SURPLUS, count, limit))


# Who gets the rest


def takers(queues: Queues, number: int) -> np.ndarray:
    """Return the member for each of `number` partitions, int32.

    First `under` in rounds until no member is below the lower quota; then `exact`, then the others
    in the order in which they reached it.

    Raises
    ------
    AssignorError
        IllegalStateException if there are more partitions than members may take.
    """
    under, missing = queues.under, queues.missing
    lacking = int(missing.sum())
    rest = number - lacking
    if not 0 <= rest <= queues.exact.size + under.size:
        most = lacking + queues.exact.size + under.size
        raise AssignorError(
            "IllegalStateException", f"{number} partitions are left, expected {lacking} to {most}"
        )
    if not under.size:
        return queues.exact[:number]
    result = np.empty(number, dtype=np.int32)
    if (missing == missing[0]).all():
        deal_in_turn(result[:lacking], under)
    else:
        result[:lacking] = _in_rounds(under, missing)
    result[lacking:] = _above_least(queues)[:rest]
    return result


def _above_least(queues: Queues) -> np.ndarray:
    """Return the members that may have one more than the least, in the order in which they get it,
    int32.
    """
    return np.concatenate((queues.exact, queues.under[stable_order(queues.missing)]))


def _tell_given(trace: Trace, rows: np.ndarray, queues: Queues, given: np.ndarray) -> None:
    lacking, above = int(queues.missing.sum()), _above_least(queues)
    under, more = pairs(queues.under, queues.missing), pairs(above, np.ones(above.size))
    for at in trace.places(rows):
        of_queue = (at, under, True, False) if at < lacking else (at - lacking, more, True, True)
        trace.add(rows[at], Lacking(int(given[at]), *of_queue))


def _in_rounds(members: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Return each member as often as it lacks a partition: first all members, then members that
    lack two, and so on.
    """
    result, whole = np.empty(missing.sum(), dtype=members.dtype), int(missing.min()) * members.size
    deal_in_turn(result[:whole], members)
    missing = missing - missing.min()
    number_of_round = np.arange(missing.sum()) - np.repeat(np.cumsum(missing) - missing, missing)
    result[whole:] = np.repeat(members, missing)[stable_order(number_of_round)]
    return result


def takers_by_rack(
    queues: Queues, rows: np.ndarray, racks: Racks, room: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows, the fewest nearby members first, and the member for each.

    `room`: number of members that may still exceed the lower quota.
    """
    rows = rows[np.argsort(racks.near_count(rows), kind="stable")]
    near = _Near(queues, racks.member_rack, room)
    given = [
        near.taker(row, np.flatnonzero(has).tolist())
        for row, has in zip(rows.tolist(), racks.has[rows], strict=True)
    ]
    is_given = np.array([member is not None for member in given], dtype=bool)
    left = near.left()
    rest = takers(left, int(np.count_nonzero(~is_given)))
    if (trace := asked()) is not None:
        _tell_given(trace, rows[~is_given], left, rest)
    members = np.array([member for member in given if member is not None], dtype=np.int32)
    return np.concatenate((rows[is_given], rows[~is_given])), np.concatenate((members, rest))


class _Near:
    """The queues by rack.

    Members below the lower quota take turns: the next one in a fitting rack gets the partition. Of
    members at the lower quota, the first one gets it.
    """

    def __init__(self, queues: Queues, member_rack: np.ndarray, room: int):
        self._under, self._missing = queues.under.tolist(), queues.missing.tolist()
        self._rack = member_rack.tolist()
        self._room = room
        self._next = 0
        self._places = defaultdict(list)
        for place, member in enumerate(self._under):
            self._places[self._rack[member]].append(place)
        self._joined, self._before, self._number = 0, UNASSIGNED, 0
        self._trace = asked()
        self._exact: defaultdict[int, deque[tuple[int, int]]] = defaultdict(deque)
        for member in queues.exact.tolist():
            self._join(member)

    def taker(self, row: int, fitting: list[int]) -> int | None:
        """Return the member for a partition with replicas in these racks, None if no member
        there may take it.
        """
        place = min(
            (self._following(self._places[rack]) for rack in fitting if self._places[rack]),
            default=None,
        )
        if place is not None:
            if self._trace is not None:
                self._tell_turn(self._trace, row, self._under[place % len(self._under)], fitting)
            return self._give(place % len(self._under))
        first = min((self._exact[rack][0] for rack in fitting if self._exact[rack]), default=None)
        if first is None:
            return None
        if self._trace is not None and self._trace.watches(row):
            line = [
                member
                for _, member in sorted(each for rack in fitting for each in self._exact[rack])
            ]
            self._trace.add(
                row,
                Lacking(
                    first[1], 0, pairs(line, [1] * len(line)), in_rounds=True, is_above_least=True
                ),
            )
        self._exact[self._rack[first[1]]].popleft()
        self._use_room()
        return first[1]

    def _tell_turn(self, trace: Trace, row: int, member: int, fitting: list[int]) -> None:
        if trace.watches(row):
            ring = sorted(place for rack in fitting for place in self._places[rack])
            trace.add(
                row,
                Turn(
                    member,
                    tuple(self._under[place] for place in ring),
                    self._number,
                    self._before,
                    is_near=True,
                ),
            )
        self._before, self._number = member, self._number + 1

    def left(self) -> Queues:
        """Return the queues as they are now."""
        below = sorted(place for places in self._places.values() for place in places)
        exact = [
            member for _, member in sorted(each for queue in self._exact.values() for each in queue)
        ]
        under = np.array([self._under[place] for place in below], dtype=np.int32)
        return Queues(
            under,
            np.array([self._missing[place] for place in below], dtype=np.int64),
            np.array(exact, dtype=np.int32),
        )

    def _following(self, places: list[int]) -> int:
        """Return the next of these places in turn, plus the length of a turn if it is past the
        end.
        """
        number = bisect_left(places, self._next)
        return places[number] if number < len(places) else places[0] + len(self._under)

    def _give(self, place: int) -> int:
        member = self._under[place]
        self._next = place + 1
        self._missing[place] -= 1
        if not self._missing[place]:
            self._places[self._rack[member]].remove(place)
            if self._room:
                self._join(member)
        return member

    def _join(self, member: int):
        self._exact[self._rack[member]].append((self._joined, member))
        self._joined += 1

    def _use_room(self):
        self._room -= 1
        if not self._room:
            self._exact.clear()
