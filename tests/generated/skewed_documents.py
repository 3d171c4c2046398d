"""Random groups in which few members own most and subscriptions overlap: many partitions move, some
of them back and forth, and loads meet every limit.
"""

from random import Random

from hypothesis import strategies

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
    "é",
    "\ue000",
    "\U0001f600",
]
_MOST_TOPICS, _MOST_MEMBERS = 8, 12


def skewed_documents():
    """Return a strategy of such group documents."""
    return strategies.randoms(use_true_random=False).map(skewed_document)


def skewed_document(random: Random) -> dict:
    """Make one group."""
    names = random.sample(
        [f"t{number}" for number in range(_MOST_TOPICS)], random.randint(1, _MOST_TOPICS)
    )
    most, replicas = random.choice([2, 5, 12, 30]), random.choice([0, 0, 1, 2])
    topics = [
        {
            "name": name,
            "partitions": [
                _partition(random, replicas)
                for _ in range(random.randint(random.random() < 0.9, most))
            ],
        }
        for name in names
    ]
    ids = random.sample(_MEMBERS, random.randint(1, _MOST_MEMBERS))
    subscribed = random.choice([_window, _some, _nested, _quarter, _nearly_equal])
    generations = random.choice([[3], [3], [3, 3, 4], [1, 2, 3, -1], [2, 3]])
    members = [
        {
            "member_id": name,
            "subscribed": subscribed(random, names, row),
            "owned": {},
            "generation": random.choice(generations),
        }
        for row, name in enumerate(ids)
    ]
    for member in members:
        if member["subscribed"] and random.random() < 0.06:
            member["subscribed"].append(random.choice(member["subscribed"]))
        if replicas and random.random() < 0.7:
            member["rack"] = random.choice("abcd")
    if random.random() < 0.9:
        _own_much(random, topics, members)
    _claim_oddly(random, topics, members)
    return {"format": "evenkeel.group/1", "topics": topics, "members": members}


def _partition(random: Random, replicas: int) -> dict:
    return {"racks": [random.choice("abc") for _ in range(replicas)]} if replicas else {}


def _window(random: Random, names: list[str], row: int) -> list[str]:
    return [names[(row + step) % len(names)] for step in range(random.randint(1, len(names)))]


def _some(random: Random, names: list[str], _row: int) -> list[str]:
    return [name for name in names if random.random() < 0.5]


def _nested(_random: Random, names: list[str], row: int) -> list[str]:
    return names[: 1 + row % len(names)]


def _quarter(_random: Random, names: list[str], row: int) -> list[str]:
    return names[: (len(names) + 1) // 2] if row % 4 == 0 else names[len(names) // 2 :]


def _nearly_equal(random: Random, names: list[str], _row: int) -> list[str]:
    return names[:1] if random.random() < 0.2 else list(names)


def _own_much(random: Random, topics: list[dict], members: list[dict]):
    """Give most partitions to a few members, which nearly always subscribe to them."""
    favoured = random.sample(members, max(1, len(members) // random.choice([1, 1, 2, 4])))
    is_wild = random.random() < 0.3
    for topic in topics:
        name = topic["name"]
        able = [member for member in favoured if is_wild or name in member["subscribed"]] or [
            member for member in members if name in member["subscribed"]
        ]
        for number in range(len(topic["partitions"])):
            if able and random.random() < 0.9:
                random.choice(able[: random.choice([1, 2, 99])])["owned"].setdefault(
                    name, []
                ).append(number)


def _claim_oddly(random: Random, topics: list[dict], members: list[dict]):
    """Claim what others own, and numbers beyond the topic."""
    odd = random.choice([0, 0, 0.2, 0.5])
    for member in members:
        while random.random() < odd:
            topic = random.choice(topics)
            size = len(topic["partitions"])
            member["owned"].setdefault(topic["name"], []).append(
                random.choice([size, size + 1, size + 5, *[random.randrange(max(size, 1))] * 2])
            )
