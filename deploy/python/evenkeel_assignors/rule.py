"""Rule: assign a topic by lag, or keep its owners if one of its lags is unknown. The functions have
no side effects and need no Kafka client.

KAFKA-5337: each topic is assigned separately. The partition with the most lag is first. It goes to
the subscriber with the fewest partitions of the topic; if equal, to the subscriber with the least
lag of the topic; if equal, to the smallest member id. `evenkeel assign` gives the same answer.

    >>> members = [Member("a", ["orders"]), Member("b", ["orders"])]
    >>> assign(members, {"orders": [0, 1, 2]}, {("orders", 0): 9, ("orders", 1): 5,
    ...     ("orders", 2): 3}).assignment
    {'a': {'orders': [0]}, 'b': {'orders': [1, 2]}}
"""

from collections.abc import Collection, Mapping, Sequence
from heapq import heapify, heapreplace
from typing import NamedTuple

Held = dict[str, list[int]]
"""Partition numbers by topic."""

Place = tuple[str, int]
"""A topic and the number of a partition."""


class Member(NamedTuple):
    """A member, its subscribed topics, and the partitions that it reports as its own. `generation`:
    generation in which it got these partitions, -1 if unknown.
    """

    member_id: str
    subscribed: Collection[str]
    owned: Mapping[str, Collection[int]] = {}
    generation: int = -1


class Answer(NamedTuple):
    """`assignment`: partition numbers by member and topic, ascending. `kept_topics`: topics whose
    partitions stay with their owners, because a lag is unknown.
    """

    assignment: dict[str, Held]
    kept_topics: list[str]


def assign(
    members: Sequence[Member], partitions: Mapping[str, Collection[int]], lags: Mapping[Place, int]
) -> Answer:
    """Assign partitions. If all lags of a topic are known, the topic is assigned by lag; else its
    partitions stay with their owners.

    `partitions`: partition numbers by topic. The answer has a key for each member. Topics and
    partitions that do not exist are not assigned.
    """
    given: dict[str, Held] = {member.member_id: {} for member in members}
    owners, kept_topics = claims(members, partitions), []
    for topic, readers in _readers(members).items():
        if not (numbers := sorted(partitions.get(topic) or ())):
            continue
        if all((topic, number) in lags for number in numbers):
            dealt = by_lag([lags[topic, number] for number in numbers], len(readers))
        else:
            kept_topics.append(topic)
            dealt = keep([owners.get((topic, number), [None])[0] for number in numbers], readers)
        for number, place in zip(numbers, dealt, strict=True):
            given[readers[place]].setdefault(topic, []).append(number)
    return Answer(given, kept_topics)


def by_lag(lags: Sequence[int], reader_count: int) -> list[int]:
    """Return the owner of each partition of a topic, as a position in the readers sorted by id.
    `lags`: the lags of the topic in the order of its partitions.
    """
    # The count decides first, so partitions are assigned in rounds. In a round each reader gets one
    # partition; the reader with the least lag so far is first.
    owner, totals = [0] * len(lags), [0] * reader_count
    order = sorted(range(len(lags)), key=lambda place: -lags[place])
    for start in range(0, len(order), reader_count):
        turn = sorted(range(reader_count), key=totals.__getitem__)
        for partition, reader in zip(order[start : start + reader_count], turn, strict=False):
            owner[partition] = reader
            totals[reader] += lags[partition]
    return owner


def keep(owners: Sequence[str | None], readers: Sequence[str]) -> list[int]:
    """Return the owner of each partition of a topic, as a position in `readers`.

    An owner keeps its partitions up to an equal share. The other partitions go to the readers that
    have the fewest partitions. The counts of any two readers differ by at most one, as in `by_lag`.
    """
    place, spare = {reader: number for number, reader in enumerate(readers)}, []
    owned: list[list[int]] = [[] for _ in readers]
    for partition, owner in enumerate(owners):
        (owned[place[owner]] if owner in place else spare).append(partition)
    share, more = divmod(len(owners), len(readers))
    for mine in owned:
        allowed = share + (len(mine) > share and more > 0)
        more -= allowed > share
        spare += mine[allowed:]
        del mine[allowed:]
    fewest = [(len(mine), number) for number, mine in enumerate(owned)]
    heapify(fewest)
    for partition in sorted(spare):
        count, number = fewest[0]
        owned[number].append(partition)
        heapreplace(fewest, (count + 1, number))
    owner = [0] * len(owners)
    for number, mine in enumerate(owned):
        for partition in mine:
            owner[partition] = number
    return owner


def require_whole(
    assignment: Mapping[str, Held],
    members: Sequence[Member],
    partitions: Mapping[str, Collection[int]],
) -> None:
    """Raise ValueError if a partition has no owner or two owners, or does not exist. Kafka does not
    check this.
    """
    reads = {member.member_id: frozenset(member.subscribed) for member in members}
    if assignment.keys() != reads.keys():
        raise ValueError(
            f"the answer is for {len(assignment)} members, expected the {len(reads)} of the group"
        )
    given: dict[str, list[int]] = {}
    for member, held in assignment.items():
        for topic, numbers in held.items():
            if topic not in reads[member]:
                raise ValueError(f"{member} has partitions of {topic}, which it does not read")
            given.setdefault(topic, []).extend(numbers)
    expected = {
        topic: sorted(numbers)
        for topic in frozenset().union(*reads.values())
        if (numbers := partitions.get(topic))
    }
    wrong = next(
        (
            topic
            for topic in given.keys() | expected.keys()
            if sorted(given.get(topic, ())) != expected.get(topic, [])
        ),
        None,
    )
    if wrong is not None:
        raise ValueError(
            f"partitions of {wrong} are missing from the answer, are in it twice or do not exist"
        )


def claims(
    members: Sequence[Member], partitions: Mapping[str, Collection[int]]
) -> dict[Place, list[str]]:
    """Return for each existing partition the members that claim it, ordered by member id. A claim
    counts only if its member subscribes to the topic, and if no claim of the partition has a higher
    generation.
    """
    claimants: dict[Place, list[str]] = {}
    newest: dict[Place, int] = {}
    exists = {topic: frozenset(numbers) for topic, numbers in partitions.items()}
    for member in sorted(members, key=lambda claimant: java_order(claimant.member_id)):
        for topic in set(member.subscribed) & exists.keys() & member.owned.keys():
            for place in ((topic, number) for number in set(member.owned[topic]) & exists[topic]):
                if member.generation > newest.setdefault(place, member.generation):
                    newest[place], claimants[place] = member.generation, []
                if member.generation == newest[place]:
                    claimants.setdefault(place, []).append(member.member_id)
    return claimants


def without_withheld(
    assignment: Mapping[str, Held], owners: Mapping[Place, Sequence[str]]
) -> tuple[dict[str, Held], int]:
    """Return the partitions that each member gets in this round, and the number of withheld
    partitions. A withheld partition waits because another member still owns it.
    """
    sent: dict[str, Held] = {}
    for member, held in assignment.items():
        free = {
            topic: [
                number for number in numbers if set(owners.get((topic, number), ())) <= {member}
            ]
            for topic, numbers in held.items()
        }
        sent[member] = {topic: numbers for topic, numbers in free.items() if numbers}
    return sent, count(assignment) - count(sent)


def count(assignment: Mapping[str, Held]) -> int:
    """Return the number of assigned partitions."""
    return sum(len(numbers) for held in assignment.values() for numbers in held.values())


def java_order(member_id: str) -> bytes:
    """Return a sort key that puts member ids in Java's order: by UTF-16 code unit."""
    return member_id.encode("utf-16-be", "surrogatepass")


def _readers(members: Sequence[Member]) -> dict[str, list[str]]:
    """Return the subscribers of each topic, sorted by id."""
    readers: dict[str, list[str]] = {}
    for member in sorted(members, key=lambda reader: java_order(reader.member_id)):
        for topic in dict.fromkeys(member.subscribed):
            readers.setdefault(topic, []).append(member.member_id)
    return {topic: readers[topic] for topic in sorted(readers)}
