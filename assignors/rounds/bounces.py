"""Bounces: members of a classic group restart one after another under another protocol; who owns what after each stop and start.

While the group is classic, its leader's assignor answers. The first member that starts with the new protocol turns the group over: the
broker takes today's owners as the stored target, and from then on its assignor answers every stop and start (KIP-848's online upgrade,
`GroupMetadataManager.convertToConsumerGroup` and `ConsumerGroup.fromClassicGroup`). A static member takes the place of the one with its
instance id, and nothing is assigned.
"""

import base64
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, zip_longest
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.edits import EditResult, add_members, carry_over, remove_members, replace_members, with_member_rows
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.coordinator_order import order_with_inserted
from evenkeel.assignors.group.owned import are_among, claim_rows, distinct_rows, held_rows, numbers_of, with_claims, with_target
from evenkeel.assignors.group.racks import has_racks
from evenkeel.assignors.java.collections import put_order, put_orders, spread_bits, timeline_slots
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, string_hashes, threshold
from evenkeel.assignors.protocol import Assignor, TopicOrder
from evenkeel.assignors.rounds.switch import group_at_rest

EXTRA = -2
"""Stands for the member that joins before the bounces and stays until they are over."""

DRAWS = 33
"""Ways in which ids of new members are chosen: where the answers differ, the id of a new member decides."""

_ENOUGH = 5
"""Draws after which only the first restart is tried further, if no later change is certain any more."""

_TRIES, _FINE = 8, 1 << 20
"""Ids that are tried for a bucket, and slots of the coordinator's table to compare them by."""

_LATE = np.int64(1) << 62
"""Behind every partition of every topic."""

_NOTHING = np.empty((0, 3), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Owners:
    """The group at rest after one change.

    Parameters
    ----------
    owner : int32 (P,)
        Rows of the group as it was listed; a restarted member keeps its row, `EXTRA` is the extra member.
    moved : int
        Partitions that had another owner before.
    assumed : bool
        Unknown inputs can decide the answer.
    others : tuple of int32 (P,) arrays
        Answers for other ids of new members; `moves`: how few and how many partitions move in all of them.
    """

    group_type: str
    assignor: str | None
    owner: np.ndarray
    moved: int
    assumed: bool = False
    is_certain: bool = True
    others: tuple[np.ndarray, ...] = ()
    moves: tuple[int, int] = (0, 0)


@dataclass(frozen=True, eq=False)
class Bounce:
    """One restart: `stopped` is None where nothing is assigned meanwhile, `started` where the member does not come back.

    `member`: row of the listed group, or `EXTRA`.
    """

    member: int
    is_static: bool
    stopped: Owners | None
    started: Owners | None

    @property
    def moved(self) -> int:
        """Partitions that move in this restart."""
        return sum(each.moved for each in (self.stopped, self.started) if each is not None)


class Change(NamedTuple):
    """Which assignor answers before the first member starts with the new protocol, and which one from then on.

    `before` None: the broker answers already, because some members have started.
    """

    before: Assignor | None
    after: Assignor


def bounces(
    group: GroupSnapshot,
    current: Assignment,
    change: Change,
    order: Sequence[int],
    *,
    extra: bool = False,
    draws: int = DRAWS,
    ids: Mapping[int, str] = MappingProxyType({}),
) -> tuple[Bounce, ...]:
    """Return every restart, in this order of rows.

    `extra`: a member with the new protocol joins first and leaves last. `draws`: how often new ids are chosen; the first answer is
    returned, and the others tell whether it is certain, or which others there are: all of them after the first restart of a group of at
    most 12 members, some after the later ones. `ids`: those that members get, where they are known.

    Raises
    ------
    AssignorError
        Where Kafka's own class would throw.
    """
    tried: list[list[Bounce]] = []
    taken = set(_buckets_of(group.member_id, group.member_count).tolist())
    for draw in range(max(draws, 1)):
        if (one := _Ids(draw, ids, group.member_count)).repeats(taken):
            continue
        few = 1 + extra if draw >= _ENOUGH and not _some_certain(tried, 1 + extra) else None
        tried.append(list(islice(_walked(group, current, change, order, extra, one), few)))
    return tuple(_told([one for one in each if one is not None]) for each in zip_longest(*tried))


def _some_certain(tried: Sequence[Sequence[Bounce]], first: int) -> bool:
    """Tell whether a change after the first restarts came out alike in all draws."""
    changes = ([getattr(one, name) for one in each] for each in zip(*(walk[first:] for walk in tried)) for name in ("stopped", "started"))
    return any(each[0] is not None and _is_same(each) for each in changes)


def default_order(group: GroupSnapshot, current: Assignment, rows: Sequence[int]) -> list[int]:
    """Return the rows with the most partitions first: the fewer partitions an eager member has later, the fewer stop with it."""
    counts = np.bincount(current.owner[current.owner != UNASSIGNED], minlength=group.member_count)
    return sorted(rows, key=lambda row: (-int(counts[row]), row))


def _walked(group: GroupSnapshot, current: Assignment, change: Change, order: Sequence[int], extra: bool, ids: "_Ids") -> Iterator[Bounce]:
    state = _State(group, current, change, ids)
    if extra and order:
        yield Bounce(EXTRA, False, None, state.start(EXTRA, group, order[0]))
    for row in order:
        if group.instance_id[row] is not None:
            yield Bounce(row, True, None, state.replaced(row))
        else:
            yield Bounce(row, False, state.stop(row), state.start(row, group, row))
    if extra and order:
        yield Bounce(EXTRA, False, state.stop(EXTRA), None)


def _told(tried: list[Bounce]) -> Bounce:
    stopped, started = (_together([getattr(one, name) for one in tried]) for name in ("stopped", "started"))
    return replace(tried[0], stopped=stopped, started=started)


def _together(tried: list[Owners | None]) -> Owners | None:
    first = tried[0]
    if first is None:
        return None
    distinct = {one.owner.tobytes(): one.owner for one in tried}
    moves = [one.moved for one in tried]
    others = tuple(distinct.values())[1:]
    return replace(first, is_certain=not others and not first.assumed, others=others, moves=(min(moves), max(moves)))


def _is_same(tried: list[Owners]) -> bool:
    return not tried[0].assumed and all(np.array_equal(tried[0].owner, other.owner) for other in tried[1:])


class _State:
    """The group between two changes. `rows`: of the listed group, for each present member; `is_over`: the new protocol assigns."""

    def __init__(self, group: GroupSnapshot, current: Assignment, change: Change, ids: "_Ids"):
        self.group, self.current, self.change, self.ids = group, current, change, ids
        self.rows = list(range(group.member_count))
        self._joined: GroupSnapshot | None = None
        self.is_over, self._is_guessed = change.before is None, False
        self._last = self._owner()

    def stop(self, row: int) -> Owners:
        """Take a member out and assign what it had."""
        edited = remove_members(self.group, [self.group.member_id[self.rows.index(row)]])
        held = carry_over(self.current, self.group, edited)
        self.rows.remove(row)
        self.group, self.current = edited.group, held
        return self._assigned()

    def start(self, row: int, listed: GroupSnapshot, model: int) -> Owners:
        """Bring a member in with the new protocol, like row `model` of the listed group."""
        is_first, is_broker = self._turn_over(), self.change.after.group_type == "consumer"
        named = None if listed.named is None else [listed.topic_name[topic] for topic in listed.topic_lists[listed.named[model]].tolist()]
        topics = [listed.topic_name[topic] for topic in listed.topic_lists[listed.subscription[model]].tolist()]
        expression = listed.expression[model] if listed.expression else None
        rack = None if listed.member_rack[model] == NO_RACK else listed.rack_name[listed.member_rack[model]]
        new_id = self.ids.of_consumer(row) if is_broker else self.ids.of_classic(row, listed.member_id[model])
        edited = add_members(self.group, [new_id], [None], rack, topics, named or (), expression, is_classic=not is_broker)
        held = carry_over(self.current, self.group, edited)
        self._reorder(edited, row)
        self.current = held
        found = self._assigned()
        if is_broker:
            # The broker fills the group's table from the records, in which the table that the assignor saw stands in its order.
            self._as_reported(np.array([is_first or name == new_id for name in self.group.member_id]))
        return found

    def replaced(self, row: int) -> Owners:
        """Let a static member come back under the new protocol: it takes its place, and no one is assigned anything."""
        if self._turn_over():
            self._as_reported(np.ones(self.group.member_count, dtype=bool))
        old = self.group.member_id[self.rows.index(row)]
        is_broker = self.change.after.group_type == "consumer"
        edited = replace_members(self.group, {old: self.ids.of_consumer(row)}, is_classic=not is_broker)
        self.current = carry_over(self.current, self.group, edited)
        self._reorder(edited)
        return self._owners(False)

    def _assigned(self) -> Owners:
        """Let the assignor answer; without members nothing is assigned."""
        if not self.rows:
            self.current = Assignment(np.full(self.group.tp_count, UNASSIGNED, dtype=np.int32))
            self.group = with_claims(self.group, _NOTHING, -1)
            return self._owners(False)
        assignor = self._assignor
        if assignor.group_type == "consumer":
            self.current = assignor.assign(self.group)
            self.group = with_target(self.group, self.current)
            return self._owners(bool(self.current.assumed))
        rest = group_at_rest(self.group, self.current, assignor)
        self._joined = self.group if rest.round_count == 1 else None
        self.group, self.current = rest.group, rest.assignment
        return self._owners(bool(rest.answer.assumed))

    def _turn_over(self) -> bool:
        """Store today's owners as the target; the first member of the new protocol does it. Tell whether the broker assigns from now on."""
        turns = not self.is_over and self.change.after.group_type == "consumer"
        self.is_over = True
        if turns:
            held = held_rows(self.group, self.current)
            order = None if self._joined is None else self.change.before.topic_order
            listed = _listed(self.group, self._joined, held, order)
            rows, self._is_guessed = _in_order_of_ids(self.group, held, listed, is_descending=self.ids.is_odd)
            self.group = with_claims(self.group, rows, -1)
            # The broker inserts the classic group's members, in the order of their HashMap, into a table of its own.
            self._as_reported(np.ones(self.group.member_count, dtype=bool))
        return turns

    def _reorder(self, edited: EditResult, new: int | None = None) -> None:
        rows = [EXTRA if new is None else new] * edited.group.member_count
        for row, place in zip(self.rows, edited.member_row.tolist(), strict=True):
            rows[place] = row
        self.group, self.rows = edited.group, rows

    def _as_reported(self, is_new: np.ndarray) -> None:
        """Put new members, bool (M,), where the broker's table has them from now on."""
        after, member_row = with_member_rows(self.group, order_with_inserted(self.group, is_new, is_classic=False))
        edited = EditResult(after, member_row, np.arange(after.topic_count, dtype=np.int32))
        self.current = carry_over(self.current, self.group, edited)
        self._reorder(edited)

    @property
    def _assignor(self) -> Assignor:
        return self.change.after if self.is_over else self.change.before

    def _owner(self) -> np.ndarray:
        """Return the owners in rows of the listed group."""
        return np.append(np.array(self.rows, dtype=np.int32), np.int32(UNASSIGNED))[self.current.owner]

    def _owners(self, assumed: bool) -> Owners:
        owner, last = self._owner(), self._last
        self._last = owner
        moved = int(np.count_nonzero((owner != last) & (owner != UNASSIGNED) & (last != UNASSIGNED)))
        assignor = self._assignor
        protocol = assignor.protocol if self.rows and assignor else None
        kind = "consumer" if self.is_over and self.change.after.group_type == "consumer" else "classic"
        return Owners(kind, protocol, owner, moved, assumed or self._is_guessed)


def _in_order_of_ids(group: GroupSnapshot, rows: np.ndarray, listed: np.ndarray | None, *, is_descending: bool) -> tuple[np.ndarray, bool]:
    """Return (member, topic, partition), by member, with topics in the order of a HashMap of their ids; and whether that is a guess.

    The leader lists a member's topics, and they are put into the map: that matters where two topics of a member share a bucket.

    Parameters
    ----------
    listed : int64 (N,) or None
        By row, the topic's place in the leader's list; rows of a topic have one. None where it is unknown: the guess is that topics ascend
        or, `is_descending`, that they descend.
    """
    starts = np.flatnonzero(np.diff(rows[:, 0], prepend=-1) | np.diff(rows[:, 1], prepend=-1))
    member, topic = rows[starts, 0], rows[starts, 1]
    first = np.append(np.flatnonzero(np.diff(member, prepend=-1)), member.size)
    place = (-topic if is_descending else topic) if listed is None else listed[starts]
    put = np.lexsort((place, member))
    hashes, sizes = group.topic_uuid_hash[topic[put]], np.full(first.size - 1, FIRST_CAPACITY)
    order = put_orders(hashes, first, sizes)
    # Put the other way round, a map without shared buckets has the same order.
    backwards = put_orders(hashes[::-1], member.size - first[::-1], sizes)
    is_guessed = listed is None and bool((member.size - 1 - backwards.rows != _by_maps_backwards(order.rows, first)).any())
    pairs = put[order.rows]
    return rows[row_ranges(starts[pairs], np.append(starts[1:], len(rows))[pairs])], is_guessed


def _by_maps_backwards(rows: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return rows, map by map, with the maps in the opposite order."""
    return np.concatenate([rows[start:stop] for start, stop in zip(first[-2::-1], first[:0:-1], strict=True)] or [rows])


def _listed(group: GroupSnapshot, before: GroupSnapshot, rows: np.ndarray, order: TopicOrder | None) -> np.ndarray | None:
    """Return for each row of (member, topic, partition) the place of its topic in the leader's list, None where that is unknown.

    `before`: the group as it joined the last rebalance.
    """
    if order is None or len(group.topic_lists) > 1 or (order == TopicOrder.KEPT_FIRST and has_racks(group)):
        return None
    if order == TopicOrder.HASHED:
        topics = np.unique(group.topic_lists[0])
        walked, backwards = (some[put_order(group.topic_name_hash[some]).rows] for some in (topics, topics[::-1]))
        place = np.zeros(group.topic_count, dtype=np.int64)
        place[walked] = np.arange(topics.size)
        return place[rows[:, 1]] if np.array_equal(walked, backwards) else None
    if order == TopicOrder.ASCENDING:
        return rows[:, 1].astype(np.int64)
    is_kept = are_among(numbers_of(group, rows), numbers_of(group, distinct_rows(group, claim_rows(before))))
    at = np.where(is_kept, rows[:, 2].astype(np.int64) * group.topic_count + rows[:, 1], _LATE + rows[:, 1])
    starts = np.flatnonzero(np.diff(rows[:, 0], prepend=-1) | np.diff(rows[:, 1], prepend=-1))
    return np.repeat(np.minimum.reduceat(at, starts), np.diff(starts, append=len(rows))) if starts.size else at


class _Ids:
    """The ids that members get, where they are not known: random ones, and ones that stand in chosen places of Java's maps.

    The broker's assignors walk a HashMap of member ids. In draw 0 new ids are random; in those that follow each of them stands in every
    bucket once, and two of them in either order; and then once more, where a bucket is shared on the other side of the member that it has.
    `is_odd`: of a draw in which unknown orders are the other way round.
    """

    def __init__(self, draw: int, known: Mapping[int, str], member_count: int):
        self._rng, self._known, self._draw, self._given = np.random.default_rng(draw), known, draw, 0
        self._buckets = _bucket_count(member_count)
        self._turn, self._place = divmod(draw - 1, self._buckets)
        self.is_odd = bool(draw % 2)

    def repeats(self, taken: Set[int]) -> bool:
        """Tell whether a draw of the second turn is one of the first turn again: no member is in the bucket of its first new one."""
        return self._turn > 0 and bool(_place_of(self._buckets, 1)[self._place] not in taken)

    def of_consumer(self, row: int) -> str:
        """Return an id as members of the consumer protocol make theirs: 22 characters of base64url."""
        if row in self._known:
            return self._known[row]
        if not self._draw:
            return _random_id(self._rng)
        self._given += 1
        return _ids_by_bucket(self._buckets, self._given)[_place_of(self._buckets, self._given)[self._place]][self._turn % 2]

    def of_classic(self, row: int, model: str) -> str:
        """Return an id as the coordinator makes it: the client id and a UUID."""
        text = self._rng.bytes(16).hex()
        uuid = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
        return self._known.get(row) or f"{model[: -len(uuid)]}{uuid}"


def _bucket_count(member_count: int) -> int:
    return 2 * FIRST_CAPACITY if member_count >= threshold(FIRST_CAPACITY) else FIRST_CAPACITY


def _buckets_of(member_ids: Sequence[str], member_count: int) -> np.ndarray:
    return spread_bits(string_hashes(member_ids)) & np.uint32(_bucket_count(member_count) - 1)


@lru_cache(256)
def _place_of(buckets: int, number: int) -> list[int]:
    """Return the bucket of each draw, in an order of its own for each new member."""
    return np.random.default_rng(number).permutation(buckets).tolist()


@lru_cache(256)
def _ids_by_bucket(buckets: int, number: int) -> list[tuple[str, str]]:
    """Return two ids for each bucket of a HashMap: those that the coordinator's own table has first and last of many."""
    rng, tried = np.random.default_rng((buckets, number)), []
    found: dict[int, list[str]] = {}
    while len(found) < buckets or len(tried) < _TRIES * buckets:
        some = [_random_id(rng) for _ in range(buckets)]
        tried += some
        for bucket, name in zip((spread_bits(string_hashes(some)) & np.uint32(buckets - 1)).tolist(), some, strict=True):
            found.setdefault(bucket, []).append(name)
    return [_outermost(found[bucket]) for bucket in range(buckets)]


def _outermost(names: list[str]) -> tuple[str, str]:
    slots = timeline_slots(string_hashes(names), _FINE)
    return names[int(np.argmin(slots))], names[int(np.argmax(slots))]


def _random_id(rng: np.random.Generator) -> str:
    return base64.urlsafe_b64encode(rng.bytes(16)).decode().rstrip("=")
