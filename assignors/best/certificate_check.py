"""A check of `evenkeel.certificate/1`. It shares no code with `bounds.py`, which computes the
bounds.
"""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from evenkeel.assignors.best.objective import NEVER, Value

FORMAT = "evenkeel.certificate/1"

UNCHECKED = ("search", "solver")
"""Bounds that cannot be checked from the certificate alone."""


# The check, in plain Python, from the group document and the certificate alone.


def check(
    group: Mapping[str, Any],
    certificate: Mapping[str, Any],
    assignment: Mapping[str, Mapping[str, list[int]]] | None = None,
) -> list[str]:
    """Return a sentence for each bound that is not proved. Empty if every bound that can be checked
    is proved.

    Parameters
    ----------
    group : group document
        `subscribed` contains all topics that a member reads, including matches of regular
        expressions.
    certificate : certificate
    assignment : mapping, optional
        The assignment of the answer. If given, its value and the limits are checked too.
    """
    if certificate.get("format") != FORMAT:
        return [f"format: found {certificate.get('format')}, expected {FORMAT}"]
    facts = _Facts(group, certificate)
    wrong = [reason for bound in certificate["bounds"] if (reason := facts.why_not(bound))]
    named = [
        _value(bound["value"])
        for bound in certificate["bounds"]
        if bound["name"] == certificate["bound_by"]
    ]
    bound, value = _value(certificate["bound"]), _value(certificate["value"])
    if bound not in named:
        wrong.append(f"bound: no bound {certificate['bound_by']} has the value {_text(bound)}")
    if bound > value:
        wrong.append(f"bound: {_text(bound)} is more than the value {_text(value)}")
    load = certificate["worst_load"]
    if load and facts.value(load["lag"], load["rate"], load["capacity"]) != value:
        wrong.append(f"worst_load: does not give the value {_text(value)}")
    return wrong + (facts.why_not_answer(assignment, value) if assignment is not None else [])


def _value(pair: list[int] | None) -> Value:
    return NEVER if pair is None else Fraction(*pair)


def _text(value: Value) -> str:
    return "never" if value == NEVER else str(value)


class _Facts:
    """Each partition's possible owners, home and weight, and each member's capacity."""

    def __init__(self, group: Mapping[str, Any], certificate: Mapping[str, Any]):
        self.objective, limits = certificate["objective"], certificate.get("limits") or {}
        self.moves, self.cap = limits.get("moves"), limits.get("partitions_per_member")
        rates = certificate.get("rates") or {}
        self.members = [member["member_id"] for member in group["members"]]
        capacity = rates.get("capacity") or dict.fromkeys(self.members, 1000)
        self.capacity = dict.fromkeys(self.members, 1) if self.objective == "lag" else capacity
        self.untouched = set(limits.get("untouched") or ())
        self.allowed: dict[tuple[str, int], set[str]] = {}
        self.home: dict[tuple[str, int], str] = {}
        self.lag: dict[tuple[str, int], int] = {}
        self.rate: dict[tuple[str, int], int] = {}
        pinned = {
            (topic, number)
            for topic, numbers in (limits.get("pinned") or {}).items()
            for number in numbers
        }
        claims = _claims(group)
        for topic in group["topics"]:
            listed = topic["partitions"]
            listed = [{}] * listed if isinstance(listed, int) else listed
            subscribed = {
                member["member_id"]
                for member in group["members"]
                if topic["name"] in member["subscribed"]
            }
            given = (rates.get("in") or {}).get(topic["name"]) or [None] * len(listed)
            for number, partition in enumerate(listed):
                key = topic["name"], number
                self._add(
                    key,
                    claims.get(key, set()),
                    subscribed,
                    key in pinned,
                    _near(group, partition, limits),
                )
                self.lag[key] = (
                    0
                    if self.objective == "rate"
                    else _lag(partition, group.get("auto_offset_reset"))
                )
                self.rate[key] = 0 if self.objective == "lag" else given[number] or 0
        self.keys = [key for key, members in self.allowed.items() if members]
        self.active = sorted({member for key in self.keys for member in self.allowed[key]})

    def _add(
        self,
        key: tuple[str, int],
        claims: set[str],
        subscribed: set[str],
        is_pinned: bool,
        near: set[str] | None,
    ) -> None:
        owner = next(iter(claims)) if len(claims) == 1 else None
        if owner in subscribed and owner in self.untouched:
            self.allowed[key], self.home[key] = {owner}, owner
            return
        others = subscribed - self.untouched
        allowed = others if near is None or not others & near else others & near
        if owner in allowed:
            self.home[key] = owner
            allowed = {owner} if is_pinned else allowed
        self.allowed[key] = set(allowed)

    def value(self, lag: int, rate: int, capacity: int) -> Value:
        if self.objective == "lag":
            return Fraction(lag)
        if self.objective == "rate":
            return Fraction(rate, capacity)
        if lag == 0 and rate <= capacity:
            return Fraction(0)
        return Fraction(1000 * lag, capacity - rate) if rate < capacity else NEVER

    def weight(self, key: tuple[str, int]) -> int:
        return self.rate[key] if self.objective == "rate" else self.lag[key]

    def why_not(self, bound: Mapping[str, Any]) -> str | None:
        """Return the reason that a bound is not proved. None if it is proved or cannot be
        checked.
        """
        name, claimed = bound["name"], _value(bound["value"])
        if name in UNCHECKED or claimed == 0:
            return None
        try:
            proved = getattr(self, f"_{name}")(bound, claimed)
        except (
            KeyError,
            AttributeError,
            IndexError,
            ValueError,
            ZeroDivisionError,
            TypeError,
        ) as error:
            return f"{name}: cannot be read, {type(error).__name__}: {error}"
        return (
            None
            if claimed <= proved
            else f"{name}: {_text(claimed)} is claimed, {_text(proved)} is proved"
        )

    def _average(self, keys: Iterable[tuple[str, int]], members: list[str]) -> Value:
        keys = list(keys)
        lag, rate = sum(self.lag[key] for key in keys), sum(self.rate[key] for key in keys)
        capacities = [self.capacity[member] for member in members]
        if self.objective == "lag":
            return Fraction(-(-lag // len(members)))
        if self.objective == "rate" and len(set(capacities)) == 1:
            return Fraction(-(-rate // len(members)), capacities[0])
        return self.value(lag, rate, sum(capacities))

    def _mean(self, _one: Mapping[str, Any], _claimed: Value) -> Value:
        return self._average(self.keys, self.active)

    def _largest(self, bound: Mapping[str, Any], _claimed: Value) -> Value:
        key = tuple(bound["partition"])
        return self.value(
            self.lag[key],
            self.rate[key],
            max(self.capacity[member] for member in self.allowed[key]),
        )

    def _fastest(self, load: int) -> Value:
        return self.value(load, load, max(self.capacity[member] for member in self.active))

    def _pigeonhole(self, bound: Mapping[str, Any], _claimed: Value) -> Value:
        weights, i, m = (
            sorted(map(self.weight, self.keys), reverse=True),
            bound["i"],
            len(self.active),
        )
        if not i >= 1 or i * m + 1 > len(weights):
            raise ValueError(f"i = {i}")
        return self._fastest(sum(weights[i * m - i : i * m + 1]))

    def _count(self, bound: Mapping[str, Any], _claimed: Value) -> Value:
        weights, i, m, least = (
            sorted(map(self.weight, self.keys), reverse=True),
            bound["i"],
            len(self.active),
            bound["least"],
        )
        room = {
            member: sum(member in self.allowed[key] for key in self.keys) for member in self.active
        }
        if self.cap is not None:
            room = {
                member: most if member in self.untouched else min(most, self.cap)
                for member, most in room.items()
            }
        proved = min(len(self.keys) - (sum(room.values()) - room[member]) for member in self.active)
        if least > proved or not i >= 0 or i + 1 > least or i * m + 1 > len(weights):
            raise ValueError(f"i = {i}, least = {least}, {proved} is proved")
        rest = least - i - 1
        return self._fastest(
            sum(weights[i * m - i : i * m + 1]) + sum(weights[len(weights) - rest :])
        )

    def _subscriptions(self, bound: Mapping[str, Any], _claimed: Value) -> Value:
        inside = set(bound["members"])
        return self._average(
            (key for key in self.keys if self.allowed[key] <= inside), sorted(inside)
        )

    def _moves(self, bound: Mapping[str, Any], claimed: Value) -> Value:
        """Return the bound in the certificate, `claimed`, if a smaller value needs more moves than
        the limit allows; else 0.
        """
        if self.moves is None or bound["moves"] != self.moves:
            raise ValueError(f"moves = {bound['moves']}")
        return (
            claimed
            if sum(self._must_give(member, claimed) for member in self.active) > self.moves
            else Fraction(0)
        )

    def _must_give(self, member: str, below: Value) -> float:
        """Return the fewest partitions that a member must give away so that its value is less than
        `below` and its cap is kept. Infinite if no number is enough.
        """
        mine = [key for key, home in self.home.items() if home == member]
        size, most = self._sizes(member, below)
        load, given = sum(map(size, mine)), 0
        for key in sorted(
            (key for key in mine if len(self.allowed[key]) > 1), key=size, reverse=True
        ):
            if load < most:
                break
            load, given = load - size(key), given + 1
        excess = (
            len(mine) - self.cap if self.cap is not None and member not in self.untouched else 0
        )
        return max(given, excess) if load < most else math.inf

    def _sizes(self, member: str, below: Value):
        """Return (a function from a partition to its size, the member's capacity), in integers of
        the same unit. At the value `below`, the member's size equals its capacity.
        """
        if below == NEVER:
            raise ValueError("never")
        u, v, capacity = below.numerator, below.denominator, self.capacity[member]
        if self.objective == "lag":
            return (lambda key: self.lag[key] * v), u
        if self.objective == "rate":
            return (lambda key: self.rate[key] * v), u * capacity
        return (lambda key: 1000 * self.lag[key] * v + self.rate[key] * u), u * capacity

    def _largest_moves(self, bound: Mapping[str, Any], _claimed: Value) -> Value:
        key, k = tuple(bound["partition"]), bound["moves"]
        if self.moves is None or k != self.moves or self.objective == "drain":
            raise ValueError(f"moves = {k}")
        weight, home = self.weight(key), self.home.get(key)
        stays = NEVER if home is None else self._holds(home, key, k, weight)
        leaves = k if home is None else k - 1
        takers = self.allowed[key] - {home} if leaves >= 0 else set()
        return min([stays, *(self._holds(member, None, leaves, weight) for member in takers)])

    def _holds(self, member: str, beside: tuple[str, int] | None, k: int, weight: int) -> Value:
        """Return the value of a member that gives away its k largest movable partitions at home and
        also owns partitions of the size `weight`.

        `beside`: a partition at home that is left out, because `weight` contains it.
        """
        mine = [key for key, home in self.home.items() if home == member and key != beside]
        movable = sorted(
            (self.weight(key) for key in mine if len(self.allowed[key]) > 1), reverse=True
        )
        load = weight + sum(map(self.weight, mine)) - sum(movable[:k])
        return self.value(load, load, self.capacity[member])

    def why_not_answer(
        self, assignment: Mapping[str, Mapping[str, list[int]]], value: Value
    ) -> list[str]:
        """Return the reasons that an assignment breaks the limits or does not have this value."""
        owner, wrong = {}, []
        for member, topics in assignment.items():
            for topic, numbers in topics.items():
                for number in numbers:
                    key = topic, number
                    if member not in self.allowed.get(key, ()) or key in owner:
                        wrong.append(
                            f"assignment: {member} may not own {topic} {number}, or another member"
                            " owns it too"
                        )
                    owner[key] = member
        wrong += [
            f"assignment: {topic} {number} has no owner"
            for topic, number in self.keys
            if (topic, number) not in owner
        ]
        if wrong:
            return wrong
        held = {
            member: [key for key in self.keys if owner[key] == member] for member in self.active
        }
        loads = {
            member: (sum(self.lag[key] for key in keys), sum(self.rate[key] for key in keys))
            for member, keys in held.items()
        }
        worst = max(
            (self.value(*loads[member], self.capacity[member]) for member in self.active),
            default=Fraction(0),
        )
        if worst != value:
            wrong.append(f"value: {_text(value)} is claimed, the assignment has {_text(worst)}")
        moves = sum(owner[key] != home for key, home in self.home.items())
        if self.moves is not None and moves > self.moves:
            wrong.append(f"moves: {moves} partitions move, at most {self.moves} may")
        if self.cap is not None:
            over = [
                member
                for member, keys in held.items()
                if len(keys) > self.cap and member not in self.untouched
            ]
            wrong += [
                f"partitions_per_member: {member} has {len(held[member])}, at most {self.cap}"
                " may be"
                for member in over
            ]
        return wrong


def _claims(group: Mapping[str, Any]) -> dict[tuple[str, int], set[str]]:
    members: dict[tuple[str, int], set[str]] = {}
    for member in group["members"]:
        for topic, numbers in (member.get("owned") or {}).items():
            for number in numbers:
                members.setdefault((topic, number), set()).add(member["member_id"])
    return members


def _near(
    group: Mapping[str, Any], partition: Mapping[str, Any], limits: Mapping[str, Any]
) -> set[str] | None:
    """Return the members that are in a rack with a replica of the partition. None if the request
    does not require racks.
    """
    if limits.get("racks") != "require":
        return None
    racks = {rack for rack in partition.get("racks") or () if rack is not None}
    return {
        member["member_id"]
        for member in group["members"]
        if member.get("rack") and member["rack"] in racks
    }


def _lag(partition: Mapping[str, Any], reset: str | None) -> int:
    """Return the lag in records, 0 if unknown."""
    if partition.get("lag") is not None:
        return partition["lag"]
    end, committed, begin = (
        partition.get("end_offset"),
        partition.get("committed_offset"),
        partition.get("begin_offset"),
    )
    if end is None:
        return 0
    if committed is not None:
        return max(end - max(committed, begin or 0), 0)
    if reset is None or reset.lower() == "latest" or begin is None:
        return 0
    return max(end - begin, 0)
