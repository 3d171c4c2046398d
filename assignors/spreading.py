"""The algorithm of the `evenkeel-weighted` assignor: deal the partitions, then move partitions as
long as the balance improves.
"""

import heapq
from bisect import bisect_left, insort
from functools import reduce
from operator import add

import numpy as np

from evenkeel.assignors.assignment import UNASSIGNED

_NEAR, _PARTNERS, _STEPS, _MANY = 1.05, 8, 4, 16
_SMALL, _SMALL_MEMBERS, _LOOKS = 32, 64, 10_000


def sum_in_order(numbers: list[float]) -> float:
    """Add the numbers in their order, like Java. The built-in `sum` of newer Pythons is more
    exact.
    """
    return reduce(add, numbers, 0.0)


class Spreading:
    """The algorithm of the `evenkeel-weighted` assignor.

    Members are numbered in the order of their ids. `load`, `count`: total weight and number of
    partitions of each member, in the last result.
    """

    def __init__(
        self,
        weight: np.ndarray,
        subscribers: list[np.ndarray],
        member_count: int,
        above_even: int | None,
    ):
        self._weight, self._subscribers = weight.tolist(), subscribers
        self._is_same = all(len(some) == member_count for some in subscribers)
        self._even = -(-len(weight) // member_count) if member_count else 0
        self._most = self._even + above_even if above_even is not None else len(weight) + 1
        self.load, self.count = np.zeros(member_count), np.zeros(member_count, dtype=np.int64)
        self._members = np.arange(member_count)

    def weighted(self, owner: np.ndarray, gain: float) -> np.ndarray:
        """Return owners with evenly spread weights.

        Partitions move only if the largest load falls by more than `gain`, such as 0.1 for 10 %, or
        if an idle member gets a partition. Otherwise only unowned partitions are dealt.
        """
        retained = self._dealt(owner)
        worst, idle = self.load.max(initial=0.0), np.count_nonzero(self.count == 0)
        spread_owner = self._moved(retained, is_weighted=True)
        pays = self.load.max(initial=0.0) < (1 - gain) * worst
        return spread_owner if pays or np.count_nonzero(self.count == 0) < idle else retained

    def by_count(self, owner: np.ndarray) -> np.ndarray:
        """Return owners with evenly spread partition counts. All weights must be 1."""
        return self._moved(self._dealt(owner), is_weighted=False)

    def _dealt(self, owner: np.ndarray) -> np.ndarray:
        """Return `owner` after all unowned partitions are dealt."""
        dealt = owner.copy()
        self._count(dealt.tolist())
        self._deal(dealt, np.flatnonzero(dealt == UNASSIGNED))
        return dealt

    def _count(self, owner: list[int]) -> None:
        self.load[:], self.count[:] = 0, 0
        for partition, member in enumerate(owner):
            if member != UNASSIGNED:
                self._give(partition, member)

    def _deal(self, owner: np.ndarray, partitions: np.ndarray) -> None:
        """Deal partitions, heaviest first, to the member with the least load."""
        queue = [self._key(member) for member in self._members.tolist()] if self._is_same else []
        heapq.heapify(queue)
        for partition in self._heaviest_first(partitions):
            member = queue[0][-1] if self._is_same else self._lightest(self._subscribers[partition])
            owner[partition] = member
            self._give(partition, member)
            if self._is_same:
                heapq.heapreplace(queue, self._key(member))

    def _release(self, owner: np.ndarray) -> None:
        """Take partitions from members with far more than the even share, and deal them.

        Such a member loses its heaviest partitions first, and keeps at least the mean load.
        """
        mean = sum_in_order(self._weight) / len(self.load) if len(self.load) else 0.0
        for member in np.flatnonzero(self.count > 2 * self._even + _MANY).tolist():
            for partition in self._heaviest_first(np.flatnonzero(owner == member)):
                if self.load[member] - self._weight[partition] >= mean:
                    self._take(partition, member)
                    owner[partition] = UNASSIGNED
        self._deal(owner, np.flatnonzero(owner == UNASSIGNED))

    def _heaviest_first(self, partitions: np.ndarray) -> list[int]:
        return sorted(
            partitions.tolist(), key=lambda partition: (-self._weight[partition], partition)
        )

    def _moved(self, retained: np.ndarray, is_weighted: bool) -> np.ndarray:
        """Move partitions, one at a time, away from the member with the most load."""
        owner, is_closed = retained.copy(), np.zeros(len(self.load), dtype=bool)
        self._release(owner)
        owned = [np.flatnonzero(owner == member).tolist() for member in self._members.tolist()]
        bound = _NEAR * self._bound()
        for _ in range(_STEPS * len(owner) + len(self.load)):
            giver = int(np.argmax(np.where(is_closed, -1.0, self.load)))
            has_no_idle = bool(self.count.all())
            if is_closed.all() or is_weighted and has_no_idle and self.load[giver] <= bound:
                break
            is_far = is_weighted and self.load[giver] > bound
            is_closed[giver] = not (
                self._move(owner, owned, giver) or is_far and self._exchange(owner, owned, giver)
            )
            if is_closed[giver] and is_weighted and has_no_idle:
                break
        return (
            self._with_fewer_moves(retained, owner, max(bound, self.load.max(initial=0.0)))
            if is_weighted
            else owner
        )

    def _with_fewer_moves(
        self, retained: np.ndarray, owner: np.ndarray, limit: float
    ) -> np.ndarray:
        """Return owners with fewer moves, no load above `limit` and no more idle members than
        before.

        In a small group, a search for the fewest possible moves follows.
        """
        self._take_back(retained, owner, limit)
        if len(owner) > _SMALL or len(self.load) > _SMALL_MEMBERS:
            return owner
        moves, idle = (
            int(np.count_nonzero(owner != retained)),
            int(np.count_nonzero(self.count == 0)),
        )
        order = self._heaviest_first(np.arange(len(owner)))
        fewest = _Fewest(
            self._weight, self._subscribers, len(self.load), order, self._most, limit, idle
        ).below(moves, retained.tolist())
        if fewest is None:
            return owner
        self._count(fewest)
        return np.array(fewest, dtype=owner.dtype)

    def _move(self, owner: np.ndarray, owned: list[list[int]], giver: int) -> bool:
        """Move one partition from `giver` to another member.

        Return False if no move reduces the larger load of the two members.
        """
        load = self.load.tolist()
        best, least = None, load[giver]
        taker = self._lightest(self._members) if self._is_same else UNASSIGNED
        seen = None
        for partition in owned[giver]:
            if not self._is_same and self._subscribers[partition] is not seen:
                seen = self._subscribers[partition]
                taker = self._lightest(seen)
            if taker == giver:
                continue
            heavier = max(
                load[giver] - self._weight[partition], load[taker] + self._weight[partition]
            )
            if heavier < least:
                best, least = (partition, taker), heavier
        if best is not None:
            self._hand(owner, owned, best[0], giver, best[1])
        return best is not None

    def _exchange(self, owner: np.ndarray, owned: list[list[int]], giver: int) -> bool:
        """Exchange a partition of `giver` for a lighter partition of a member with little load.

        Return False if no exchange helps.
        """
        for taker in np.argsort(self.load, kind="stable")[:_PARTNERS].tolist():
            pair = self._pair(owned, giver, taker) if taker != giver else None
            if pair:
                self._hand(owner, owned, pair[0], giver, taker)
                self._hand(owner, owned, pair[1], taker, giver)
                return True
        return False

    def _pair(self, owned: list[list[int]], giver: int, taker: int) -> tuple[int, int] | None:
        """Return the best exchange: a partition of the giver and a partition of the taker.

        The best exchange reduces the larger load of the two members most. None if no exchange
        reduces it.
        """
        weight, of_giver, of_taker = self._weight, float(self.load[giver]), float(self.load[taker])
        theirs = sorted(
            (partition for partition in owned[taker] if self._reads(giver, partition)),
            key=lambda partition: (weight[partition], partition),
        )
        sizes = [weight[partition] for partition in theirs]
        best, least = None, of_giver
        for mine in owned[giver] if theirs else ():
            if not self._reads(taker, mine):
                continue
            near = bisect_left(sizes, weight[mine] - (of_giver - of_taker) / 2)
            for partition in theirs[max(near - 1, 0) : near + 1]:
                difference = weight[mine] - weight[partition]
                heavier = max(of_giver - difference, of_taker + difference)
                if heavier < least:
                    best, least = (mine, partition), heavier
        return best

    def _take_back(self, retained: np.ndarray, owner: np.ndarray, limit: float) -> None:
        """Give moved partitions back to their old owners, if the old owner's load remains within
        the limit.
        """
        for partition in np.flatnonzero(owner != retained).tolist():
            now, before = int(owner[partition]), int(retained[partition])
            has_room = (
                self.load[before] + self._weight[partition] <= limit
                and self.count[before] < self._most
            )
            if has_room and (self.count[now] > 1 or self.count[before] == 0):
                self._take(partition, now)
                self._give(partition, before)
                owner[partition] = before

    def _hand(
        self, owner: np.ndarray, owned: list[list[int]], partition: int, giver: int, taker: int
    ) -> None:
        owner[partition] = taker
        owned[giver].remove(partition)
        self._take(partition, giver)
        insort(owned[taker], partition)
        self._give(partition, taker)

    def _give(self, partition: int, member: int) -> None:
        self.load[member] += self._weight[partition]
        self.count[member] += 1

    def _take(self, partition: int, member: int) -> None:
        self.load[member] -= self._weight[partition]
        self.count[member] -= 1

    def _reads(self, member: int, partition: int) -> bool:
        return self._is_same or member in self._subscribers[partition]

    def _bound(self) -> float:
        """Return a lower bound of the largest load.

        This is the mean load, the weight of the heaviest partition, or the weight of a pair of
        partitions, whichever is largest. The pair: the two lightest of the M + 1 heaviest
        partitions, because one of M members must have two of these partitions.
        """
        members, heaviest = len(self.load), sorted(self._weight, reverse=True)
        if not members or not heaviest:
            return 0.0
        pair = heaviest[members] + heaviest[members - 1] if len(heaviest) > members else 0.0
        return max(sum_in_order(self._weight) / members, heaviest[0], pair)

    def _lightest(self, some: np.ndarray) -> int:
        """Return the member with the least load. Members that have the largest allowed count come
        last.
        """
        open_ones = some[self.count[some] < self._most]
        some = open_ones if open_ones.size else some
        some = some[self.load[some] == self.load[some].min()]
        return int(some[np.argmin(self.count[some])])

    def _key(self, member: int) -> tuple[bool, float, int, int]:
        return (
            bool(self.count[member] >= self._most),
            float(self.load[member]),
            int(self.count[member]),
            member,
        )


class _Fewest:
    """Search in a small group for the fewest moves after which no load is above a limit.

    The search tries all possibilities. A member above the limit must give up a partition. So each
    partition of the member with the most load is tried with each subscriber. A partition moves at
    most once.
    """

    def __init__(
        self,
        weight: list[float],
        subscribers: list[np.ndarray],
        members: int,
        order: list[int],
        most: int,
        limit: float,
        idle: int,
    ):
        """`order`: all partitions, the heaviest first. `most`: largest partition count of a member.
        `idle`: how many members may have no partitions.
        """
        self._weight, self._subscribers, self._order = (
            weight,
            [some.tolist() for some in subscribers],
            order,
        )
        self._member_count, self._most, self._limit, self._idle, self._looks = (
            members,
            most,
            limit,
            idle,
            _LOOKS,
        )

    def below(self, moves: int, retained: list[int]) -> list[int] | None:
        """Return owners after fewer than `moves` moves.

        None if there are no such owners, or if the search takes too many steps.
        """
        for left in range(moves):
            self._owner, self._is_moved = retained.copy(), [False] * len(retained)
            self._load = [self._carried(member) for member in range(self._member_count)]
            self._count = [retained.count(member) for member in range(self._member_count)]
            if self._reaches(left):
                return self._owner
        return None

    def _reaches(self, left: int) -> bool:
        self._looks -= 1
        if self._looks < 0 or self._needed() > left:
            return False
        giver = self._load.index(max(self._load))
        is_above = self._load[giver] > self._limit
        if not is_above and self._count.count(0) <= self._idle:
            return True
        return left > 0 and any(
            self._moves(partition, is_above, left)
            for partition in self._candidates(giver, is_above)
        )

    def _candidates(self, giver: int, is_above: bool) -> list[int]:
        return [
            partition
            for partition, member in enumerate(self._owner)
            if not self._is_moved[partition] and (member == giver or not is_above)
        ]

    def _moves(self, partition: int, is_above: bool, left: int) -> bool:
        before = self._owner[partition]
        for taker in self._subscribers[partition]:
            has_room = self._count[taker] < self._most and (is_above or not self._count[taker])
            if self._looks > 0 and taker != before and has_room:
                self._hand(partition, taker)
                self._is_moved[partition] = True
                if self._reaches(left - 1):
                    return True
                self._is_moved[partition] = False
                self._hand(partition, before)
        return False

    def _needed(self) -> float:
        """Return a lower bound of the number of further moves.

        Each member above the limit gives up its heaviest partitions that have not moved yet.
        Infinite if its load then still is above the limit.
        """
        needed = 0
        for member, rest in enumerate(self._load):
            for partition in self._order if rest > self._limit else ():
                can_move = self._owner[partition] == member and not self._is_moved[partition]
                if rest > self._limit and can_move:
                    rest -= self._weight[partition]
                    needed += 1
            if rest > self._limit:
                return float("inf")
        return needed

    def _hand(self, partition: int, taker: int) -> None:
        giver, self._owner[partition] = self._owner[partition], taker
        self._count[giver] -= 1
        self._count[taker] += 1
        self._load[giver], self._load[taker] = self._carried(giver), self._carried(taker)

    def _carried(self, member: int) -> float:
        """Return a member's load, added in the order of partitions.

        Another order would change the last digit.
        """
        return sum_in_order(
            [load for load, owner in zip(self._weight, self._owner, strict=True) if owner == member]
        )
