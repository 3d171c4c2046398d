"""Bounces: members of a classic group restart one after another under another protocol; who owns what after each stop and start.

While the group is classic, its leader's assignor answers. The first member that starts with the new protocol turns the group over: the
broker takes today's owners as the stored target, and from then on its assignor answers every stop and start (KIP-848's online upgrade,
`GroupMetadataManager.convertToConsumerGroup` and `ConsumerGroup.fromClassicGroup`). A static member takes the place of the one with its
instance id, and nothing is assigned.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from evenkeel.assignors.arrays import row_ranges
from evenkeel.assignors.assignment import UNASSIGNED, Assignment
from evenkeel.assignors.edits import EditResult, add_members, carry_over, remove_members, replace_members, with_member_rows
from evenkeel.assignors.group import NO_RACK, GroupSnapshot
from evenkeel.assignors.group.coordinator_order import order_with_inserted
from evenkeel.assignors.group.owned import held_rows, with_claims, with_target
from evenkeel.assignors.java.collections import put_orders, spread_bits
from evenkeel.assignors.java.hashing import FIRST_CAPACITY, string_hashes, threshold
from evenkeel.assignors.protocol import Assignor
from evenkeel.assignors.rounds.switch import group_at_rest

EXTRA = -2
"""Stands for the member that joins before the bounces and stays until they are over."""

DRAWS = 5
"""Ways in which ids of new members are chosen: where the answers differ, the id of a new member decides."""

_TRIES = 48

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
    """

    group_type: str
    assignor: str | None
    owner: np.ndarray
    moved: int
    assumed: bool = False
    is_certain: bool = True


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
    returned, and the others tell whether it is certain. `ids`: those that members get, where they are known.

    Raises
    ------
    AssignorError
        Where Kafka's own class would throw.
    """
    tried = [_walked(group, current, change, order, extra, _Ids(draw, ids, group.member_count)) for draw in range(max(draws, 1))]
    return tuple(_certain(tuple(each)) for each in zip(*tried, strict=True))


def default_order(group: GroupSnapshot, current: Assignment, rows: Sequence[int]) -> list[int]:
    """Return the rows with the most partitions first: the fewer partitions an eager member has later, the fewer stop with it."""
    counts = np.bincount(current.owner[current.owner != UNASSIGNED], minlength=group.member_count)
    return sorted(rows, key=lambda row: (-int(counts[row]), row))


def _walked(group: GroupSnapshot, current: Assignment, change: Change, order: Sequence[int], extra: bool, ids: "_Ids") -> list[Bounce]:
    state = _State(group, current, change, ids)
    found = [Bounce(EXTRA, False, None, state.start(EXTRA, group, order[0]))] if extra and order else []
    for row in order:
        if group.instance_id[row] is not None:
            found.append(Bounce(row, True, None, state.replaced(row)))
        else:
            found.append(Bounce(row, False, state.stop(row), state.start(row, group, row)))
    return [*found, Bounce(EXTRA, False, state.stop(EXTRA), None)] if extra and order else found


def _certain(tried: tuple[Bounce, ...]) -> Bounce:
    stopped, started = (_same([getattr(one, name) for one in tried]) for name in ("stopped", "started"))
    return replace(tried[0], stopped=stopped, started=started)


def _same(tried: list[Owners | None]) -> Owners | None:
    first = tried[0]
    if first is None:
        return None
    is_same = all(np.array_equal(first.owner, other.owner) for other in tried[1:])
    return replace(first, is_certain=is_same and not first.assumed)


class _State:
    """The group between two changes. `rows`: of the listed group, for each present member; `is_over`: the new protocol assigns."""

    def __init__(self, group: GroupSnapshot, current: Assignment, change: Change, ids: "_Ids"):
        self.group, self.current, self.change, self.ids = group, current, change, ids
        self.rows = list(range(group.member_count))
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
        self._turn_over()
        is_broker = self.change.after.group_type == "consumer"
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
            self._as_reported(np.array([name == new_id for name in self.group.member_id]))
        return found

    def replaced(self, row: int) -> Owners:
        """Let a static member come back under the new protocol: it takes its place, and no one is assigned anything."""
        self._turn_over()
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
        self.group, self.current = rest.group, rest.assignment
        return self._owners(bool(rest.answer.assumed))

    def _turn_over(self) -> None:
        """Store today's owners as the target; the first member of the new protocol does it."""
        if self.is_over:
            return
        self.is_over = True
        if self.change.after.group_type == "consumer":
            rows, self._is_guessed = _in_order_of_ids(self.group, held_rows(self.group, self.current))
            self.group = with_claims(self.group, rows, -1)
            # The broker inserts the classic group's members, in the order of their HashMap, into a table of its own.
            self._as_reported(np.ones(self.group.member_count, dtype=bool))

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


def _in_order_of_ids(group: GroupSnapshot, rows: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return (member, topic, partition), by member, with topics in the order of a HashMap of their ids; and whether that is a guess.

    The leader's order of topics is put into the map; it shows nowhere, and matters where two topics of a member share a bucket. The guess
    is that they ascend.
    """
    starts = np.flatnonzero(np.diff(rows[:, 0], prepend=-1) | np.diff(rows[:, 1], prepend=-1))
    member, topic = rows[starts, 0], rows[starts, 1]
    first = np.append(np.flatnonzero(np.diff(member, prepend=-1)), member.size)
    hashes, sizes = group.topic_uuid_hash[topic], np.full(first.size - 1, FIRST_CAPACITY)
    order = put_orders(hashes, first, sizes)
    # Put the other way round, a map without shared buckets has the same order.
    backwards = put_orders(hashes[::-1], member.size - first[::-1], sizes)
    is_guessed = bool((member.size - 1 - backwards.rows != _by_maps_backwards(order.rows, first)).any())
    stops = np.append(starts[1:], len(rows))
    return rows[row_ranges(starts[order.rows], stops[order.rows])], is_guessed


def _by_maps_backwards(rows: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Return rows, map by map, with the maps in the opposite order."""
    return np.concatenate([rows[start:stop] for start, stop in zip(first[-2::-1], first[:0:-1], strict=True)] or [rows])


class _Ids:
    """The ids that members get, where they are not known: random ones, and ones that stand in chosen places of Java's maps.

    The broker's assignors walk a HashMap of member ids. In draw 0 new ids are random; in the others they fill the lower or the upper half
    of its buckets, ascending or descending: each new member stands before and behind each other one in some draw.
    """

    def __init__(self, draw: int, known: Mapping[int, str], member_count: int):
        self._rng, self._known, self._draw, self._given = np.random.default_rng(draw), known, draw, 0
        self._buckets = 2 * FIRST_CAPACITY if member_count >= threshold(FIRST_CAPACITY) else FIRST_CAPACITY

    def of_consumer(self, row: int) -> str:
        """Return an id as members of the consumer protocol make theirs: 22 characters of base64url."""
        if row in self._known or not self._draw:
            return self._known.get(row) or self._random()
        half = self._buckets // 2
        place = self._given % half if self._draw % 2 else half - 1 - self._given % half
        self._given += 1
        tried = [self._random() for _ in range(_TRIES)]
        bucket = spread_bits(string_hashes(tried)) & np.uint32(self._buckets - 1)
        return tried[int(np.argmin(np.abs(bucket.astype(np.int64) - place - half * (self._draw > 2))))]

    def of_classic(self, row: int, model: str) -> str:
        """Return an id as the coordinator makes it: the client id and a UUID."""
        text = self._rng.bytes(16).hex()
        uuid = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
        return self._known.get(row) or f"{model[: -len(uuid)]}{uuid}"

    def _random(self) -> str:
        return base64.urlsafe_b64encode(self._rng.bytes(16)).decode().rstrip("=")
