"""Random group documents, odd ones among them: quick with a seeded `random.Random`, shrinking with
hypothesis.

Every choice is made so that its lowest outcome is the plainest one: that is where hypothesis
shrinks to.
"""

import base64
from random import Random

from hypothesis import strategies

_TOPICS = [
    "t0",
    "t1",
    "t2",
    "t3",
    "t4",
    "t5",
    "topic",
    "topic1",
    "Aa",
    "BB",
    "AaAa",
    "BBBB",
    "AaBB",
    "BBAa",
    "orders.v1",
    "t-6",
]
"""Aa and BB have one hash code, and so have the names made of them."""
_MEMBERS = [
    "A",
    "B",
    "C",
    "a-1",
    "Aa",
    "BB",
    "C#",
    "Bb",
    "AaAa",
    "BBBB",
    "AaBB",
    "BBAa",
    *(f"consumer{i}" for i in range(10)),
    *(f"m{i}-3f0c{i}" for i in range(10)),
    "é",
    "\ue000",
    "\U0001f600",
]
"""The last two sort the other way round by UTF-16 unit than by code point."""
_RACKS = ["a", "b", "c"]
_RESETS = [None, "latest", "earliest", "LATEST", "none", ""]
_FEW, _MANY = 8, 30


def group_documents(stored: bool = False):
    """Return a strategy of group documents; `stored` is the meaning of `owned` for the broker's
    assignors.
    """
    return strategies.randoms(use_true_random=False).map(
        lambda random: group_document(random, stored)
    )


def group_document(random: Random, stored: bool = False, expressions: bool = False) -> dict:
    """Make one group.

    Parameters
    ----------
    stored : bool
        `owned` is a stored target assignment: in an order of its own, nearly always without double
        claims. Else it is what members claim when they join.
    expressions : bool
        Some members subscribe by regular expression.
    """
    many = _chance(random, 0.05)
    names = _some(random, _TOPICS, random.randint(0, 6))
    topics = [_topic(random, name, most=40 if _chance(random, 0.05) else 6) for name in names]
    members = [
        {"member_id": member_id}
        for member_id in _some(random, _MEMBERS, random.randint(0, _MANY if many else _FEW))
    ]
    _subscribe(random, members, names)
    if expressions:
        _subscribe_by_expression(random, members)
    _set_statics(random, members)
    _set_racks(random, topics, members)
    _set_offsets(random, topics)
    if _chance(random, 0.8):
        _own(random, topics, members, stored)
    return {
        "format": "evenkeel.group/1",
        "group_id": "g",
        "auto_offset_reset": random.choice(_RESETS),
        "topics": topics,
        "members": members,
    }


def _chance(random: Random, probability: float) -> bool:
    return random.random() >= 1 - probability


def _some(random: Random, pool: list, count: int) -> list:
    """Draw different elements, in any order."""
    left = list(pool)
    return [left.pop(random.randrange(len(left))) for _ in range(min(count, len(left)))]


def _subset(random: Random, pool: list) -> list:
    return [each for each in pool if not _chance(random, 0.5)]


def _topic(random: Random, name: str, most: int) -> dict:
    topic = {"name": name, "partitions": [{} for _ in range(random.randint(0, most))]}
    if _chance(random, 0.8):
        octets = bytes(random.randrange(256) for _ in range(16))
        topic["topic_id"] = base64.urlsafe_b64encode(octets).decode().rstrip("=")
    return topic


def _subscribe(random: Random, members: list[dict], names: list[str]):
    names = [*names, "unknown"] if _chance(random, 0.2) else names
    common = names if not _chance(random, 0.3) else _subset(random, names)
    differing = random.choice([0.0, 0.2, 1.0])
    for member in members:
        subscribed = list(_subset(random, names) if _chance(random, differing) else common)
        if _chance(random, 0.05):
            subscribed = []
        if subscribed and _chance(random, 0.05):
            subscribed.append(random.choice(subscribed))
        member["subscribed"] = subscribed


def _subscribe_by_expression(random: Random, members: list[dict]):
    likely = random.choice([0.0, 0.3, 1.0])
    for member in members:
        if _chance(random, likely):
            member["subscribed_regex"] = random.choice(
                ["t.*", ".*", "(Aa|BB)+", "topic|t0", "nothing"]
            )
            member["subscribed"] = member["subscribed"] if _chance(random, 0.3) else []


def _set_statics(random: Random, members: list[dict]):
    likely = random.choice([0.0, 0.0, 0.3, 1.0])
    distinct = len(members) if not _chance(random, 0.2) else 2
    for member in members:
        if _chance(random, likely):
            member["instance_id"] = f"i{random.randrange(max(distinct, 1))}"
    if distinct > 2:
        _number_instances(random, members)


def _number_instances(random: Random, members: list[dict]):
    """Give every static member an instance id of its own."""
    static = [member for member in members if "instance_id" in member]
    for member, number in zip(
        static, _some(random, list(range(len(static))), len(static)), strict=True
    ):
        member["instance_id"] = f"i{number}"


def _set_racks(random: Random, topics: list[dict], members: list[dict]):
    likely = random.choice([0.0, 0.0, 0.5, 1.0])
    for member in members:
        if _chance(random, likely):
            member["rack"] = random.choice([*_RACKS, *_RACKS, "d", None, ""])
    replicas = random.choice([None, 1, 1, 2, 3])
    if replicas is None:
        return
    odd = random.choice([0.0, 0.0, 0.2])
    for topic in topics:
        for number, partition in enumerate(topic["partitions"]):
            start = number if not _chance(random, 0.5) else random.randrange(3)
            partition["racks"] = [_RACKS[(start + each) % 3] for each in range(replicas)]
            if _chance(random, odd):
                partition["racks"] = random.choice(
                    [[], [None], [None, "a"], ["a", "a"], ["c", None, "b"], ["e"], None]
                )


def _set_offsets(random: Random, topics: list[dict]):
    kind = random.choice(["none", "lag", "offsets", "mixed"])
    for topic in topics:
        for partition in topic["partitions"]:
            chosen = kind if kind != "mixed" else random.choice(["none", "lag", "offsets"])
            if chosen == "lag":
                partition["lag"] = random.choice(
                    [0, 1, 2, 5, 5, 100, 455_000, 2**40, 2**62, 2**63 - 1]
                )
            if chosen == "offsets":
                partition |= {
                    key: random.choice([None, 0, 3, 7, 10, 10, 1000])
                    for key in ("begin_offset", "end_offset", "committed_offset")
                }


def _own(random: Random, topics: list[dict], members: list[dict], stored: bool):
    """Give members what they own: nearly everything once, and sometimes what nobody should."""
    shares = [
        (topic["name"], number) for topic in topics for number in range(len(topic["partitions"]))
    ]
    if _chance(random, 0.1):
        shares += [("gone", 0), ("gone", 1)]
    claims = [[] for _ in members]
    faithful = _chance(random, 0.6)
    for name, number in shares:
        able = [
            row
            for row, member in enumerate(members)
            if not faithful or name in member["subscribed"]
        ]
        if able and not _chance(random, 0.15):
            claims[random.choice(able)].append((name, number))
    oddity = random.choice([0.0, 0.0, 0.0, 0.05 if stored else 0.3])
    for each in claims:
        if shares and _chance(random, oddity):
            name, number = random.choice(shares)
            each.append((name, number + random.choice([0, 0, 0, 3, 20])))
    empty = random.choice([0.0, 0.0, 0.5]) if stored else 0.0
    for member, each in zip(members, claims, strict=True):
        member["owned"] = _by_topic(
            _some(random, each, len(each)) if stored and _chance(random, 0.5) else each,
            repeats=not stored,
        )
        if shares and _chance(random, empty):
            member["owned"] = {random.choice(shares)[0]: []} | member["owned"]
    _set_generations(random, members)


def _by_topic(claims: list[tuple[str, int]], repeats: bool) -> dict[str, list[int]]:
    topics: dict[str, list[int]] = {}
    for name, number in claims:
        numbers = topics.setdefault(name, [])
        if repeats or number not in numbers:
            numbers.append(number)
    return topics


def _set_generations(random: Random, members: list[dict]):
    odd = random.choice([0.0, 0.0, 0.3, 1.0])
    for member in members:
        member["generation"] = 3 if not _chance(random, odd) else random.choice([2, 4, -1, None, 0])
