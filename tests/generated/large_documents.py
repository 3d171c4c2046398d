"""Random groups of many members and topics: Java's maps grow, some of their buckets fill up, and
sets of partition numbers are as crowded.
"""

from functools import cache
from itertools import product
from random import Random

from evenkeel.assignors.java.collections import spread_bits
from evenkeel.assignors.java.hashing import string_hashes
from evenkeel.data.group.columns.rows import uuid_text

_ONE_HASH = ["".join(pairs) for pairs in product(("Aa", "BB"), repeat=5)]
_SIZES = [5, 11, 12, 13, 24, 25, 48, 49, 97]
"""Around three quarters of a power of two, where tables double and the rules of JDK 17 and 19
differ.
"""


def large_document(random: Random, stored: bool) -> dict:
    """Make one group; `stored` as in `group_document`."""
    stride = random.choice([1, 1, 16, 64])
    topics = [
        _topic(random, number, stride) for number in range(random.choice([1, 1, 2, 6, 13, 25]))
    ]
    subscribed = random.choice([_all, _all, _some])
    members = [
        {"member_id": name, "subscribed": subscribed(random, topics), "owned": {}, "generation": 3}
        for name in _ids(random)
    ]
    for member in members if random.random() < 0.2 else ():
        member["instance_id"] = f"i{random.randrange(len(members))}"
    if random.random() < 0.2:
        _set_racks(random, topics, members)
    if random.random() < 0.8:
        _own(random, topics, members, stored)
    return {"format": "evenkeel.group/1", "topics": topics, "members": members}


def _ids(random: Random) -> list[str]:
    buckets = random.choice([1, 1, 16, 16, 32, 64])
    size = random.choice(_SIZES) if buckets == 1 else random.randint(9, 24 if buckets < 64 else 12)
    ids = random.sample(_in_one_bucket(buckets), size)
    if random.random() < 0.1:
        ids += random.sample(_ONE_HASH, random.choice([3, 8, 12]))
    return random.sample(ids, len(ids))


@cache
def _in_one_bucket(buckets: int) -> list[str]:
    """Return ids that meet in one bucket of a table of so many."""
    ids = [f"x{number}" for number in range(200 * buckets)]
    return [
        name
        for name, spread in zip(ids, spread_bits(string_hashes(ids)).tolist(), strict=True)
        if spread % buckets == 0
    ]


def _topic(random: Random, number: int, stride: int) -> dict:
    topic = {
        "name": f"t{number}",
        "partitions": [{} for _ in range(random.choice([0, 1, 2, 3, 12, 13, 40, 200]))],
    }
    if random.random() < 0.8:
        topic["topic_id"] = uuid_text((0, number * stride + 1))
    return topic


def _all(_random: Random, topics: list[dict]) -> list[str]:
    return [topic["name"] for topic in topics]


def _some(random: Random, topics: list[dict]) -> list[str]:
    return [topic["name"] for topic in topics if random.random() < 0.8]


def _set_racks(random: Random, topics: list[dict], members: list[dict]):
    for member in members:
        member["rack"] = random.choice(["a", "b", "c", None])
    for topic in topics:
        topic["partitions"] = [{"racks": random.sample("abc", 2)} for _ in topic["partitions"]]


def _own(random: Random, topics: list[dict], members: list[dict], stored: bool):
    """Give each topic's partitions out in turn or in blocks, so that sets of numbers are strided or
    dense; few partitions to nobody, to another member, or to one more.
    """
    able = members[: random.choice([len(members), len(members) // 2, 3])]
    loose, doubled = random.choice([0, 0.1]), random.choice([0, 0, 0 if stored else 0.05])
    for topic in topics:
        step = random.choice([1, 1, 16, 64])
        for number in range(len(topic["partitions"])):
            turn = (
                number if step == 1 else number // step if random.random() < 0.5 else number % step
            )
            owner = able[turn % len(able)] if random.random() >= loose else random.choice(members)
            for member in [owner] + [random.choice(members)] * (random.random() < doubled):
                member["owned"].setdefault(topic["name"], []).append(number)
    if stored and random.random() < 0.3:
        _own_nothing_of(random, topics, members)


def _own_nothing_of(random: Random, topics: list[dict], members: list[dict]):
    """List topics without partitions among what members own, in any place."""
    for member in members:
        listed = [(topic["name"], member["owned"].get(topic["name"], [])) for topic in topics]
        member["owned"] = (
            dict(random.sample(listed, random.randint(0, len(listed)))) | member["owned"]
        )
