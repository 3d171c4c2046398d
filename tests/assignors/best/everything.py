"""Small random groups with limits as requests, and their answer by trying everything, written from
the rules alone.
"""

from fractions import Fraction
from itertools import product

import numpy as np

NEVER = float("inf")


def random_request(
    rng: np.random.Generator, most_partitions: int = 7, most_members: int = 4
) -> dict:
    """Return a request of `evenkeel best --jsonl`, as a dictionary, with random limits."""
    group = _group(rng, most_partitions, most_members)
    objective = rng.choice(["lag", "lag", "rate", "drain"])
    request = {"group": group, "objective": str(objective)}
    partitions = sum(len(topic["partitions"]) for topic in group["topics"])
    if rng.random() < 0.6:
        request["moves"] = int(rng.integers(0, 5))
    if rng.random() < 0.4:
        request["partitions_per_member"] = int(rng.integers(1, partitions + 1))
    if rng.random() < 0.3:
        request["untouched"] = [
            str(rng.choice([member["member_id"] for member in group["members"]]))
        ]
    if rng.random() < 0.3:
        request["racks"] = "require"
    if rng.random() < 0.5:
        request["tolerance"] = float(rng.choice([0, 0.001, 0.05, 0.3]))
    if rng.random() < 0.3:
        owned = [
            (topic, number) for (topic, number), owner in owners(group).items() if owner is not None
        ]
        request["pinned"] = {topic: [number] for topic, number in owned[:1]}
    if objective != "lag":
        request["rates"] = _rates(rng, group, str(objective))
    return request


def _group(rng: np.random.Generator, most_partitions: int, most_members: int) -> dict:
    names = [f"m{number}" for number in range(int(rng.integers(1, most_members + 1)))]
    sizes = rng.multinomial(int(rng.integers(1, most_partitions + 1)), [1 / 3] * 3)
    high = int(rng.choice([2, 10, 1000, 10**9]))
    topics = [
        {"name": f"t{number}", "partitions": [_partition(rng, high) for _ in range(size)]}
        for number, size in enumerate(sizes)
        if size
    ]
    every = [topic["name"] for topic in topics]
    members = []
    for name in names:
        subscribed = (
            every if rng.random() < 0.6 else [topic for topic in every if rng.random() < 0.6]
        )
        members.append(
            {
                "member_id": name,
                "subscribed": list(subscribed),
                "owned": {},
                "rack": str(rng.choice(["a", "b", "c"])),
            }
        )
    for topic in topics:
        for number in range(len(topic["partitions"])):
            for _ in range(int(rng.choice([0, 1, 1, 1, 1, 2]))):
                owned = members[int(rng.integers(len(members)))]["owned"].setdefault(
                    topic["name"], []
                )
                owned += [number] if number not in owned else []
    return {"format": "evenkeel.group/1", "topics": topics, "members": members}


def _partition(rng: np.random.Generator, high: int) -> dict:
    lag = None if rng.random() < 0.05 else int(rng.integers(0, high))
    return {
        "lag": lag,
        "racks": [str(rack) for rack in rng.choice(["a", "b", "c"], size=int(rng.integers(0, 3)))],
    }


def _rates(rng: np.random.Generator, group: dict, objective: str) -> dict:
    arriving = {
        topic["name"]: [
            None if rng.random() < 0.05 else round(float(rng.random()) * 10, 3)
            for _ in topic["partitions"]
        ]
        for topic in group["topics"]
    }
    names = [member["member_id"] for member in group["members"]]
    kinds = [
        float(rng.integers(5, 60)),
        {name: round(float(rng.integers(5, 60)) / 3, 3) for name in names},
        None,
    ]
    capacity = kinds[int(rng.integers(3 if objective == "rate" else 2))]
    return {"in": arriving, "capacity": capacity}


def owners(group: dict) -> dict:
    """Return the one member that claims each partition, None where none or several do."""
    found = {}
    for topic in group["topics"]:
        for number in range(len(topic["partitions"])):
            claims = [
                one["member_id"]
                for one in group["members"]
                if number in one["owned"].get(topic["name"], ())
            ]
            found[topic["name"], number] = claims[0] if len(claims) == 1 else None
    return found


def may_own(request: dict) -> tuple[dict, dict]:
    """Return who may own each partition, and the homes."""
    group, untouched = request["group"], set(request.get("untouched") or ())
    allowed, home = {}, {}
    for (topic, number), owner in owners(group).items():
        subscribed = {one["member_id"] for one in group["members"] if topic in one["subscribed"]}
        if owner in subscribed and owner in untouched:
            allowed[topic, number], home[topic, number] = {owner}, owner
            continue
        found = subscribed - untouched
        if request.get("racks") == "require":
            replicas = next(one for one in group["topics"] if one["name"] == topic)["partitions"][
                number
            ]["racks"]
            near = {one["member_id"] for one in group["members"] if one["rack"] in replicas} & found
            found = near or found
        if owner in found:
            home[topic, number] = owner
            if number in (request.get("pinned") or {}).get(topic, ()):
                found = {owner}
        allowed[topic, number] = found
    return allowed, home


def best_by_trying(request: dict) -> tuple[object, int] | str:
    """Return value and moves of the best answer, or `Infeasible`."""
    allowed, home = may_own(request)
    keys = [key for key, members in allowed.items() if members]
    names = [member["member_id"] for member in request["group"]["members"]]
    choices = np.array(
        list(product(*([names.index(name) for name in sorted(allowed[key])] for key in keys))),
        dtype=np.int64,
    )
    choices = choices.reshape(len(choices), len(keys))
    moves = sum(
        (
            (choices[:, place] != names.index(home[key])).astype(int)
            for place, key in enumerate(keys)
            if key in home
        ),
        np.zeros(len(choices), int),
    )
    keeps = np.ones(len(choices), dtype=bool)
    if request.get("moves") is not None:
        keeps &= moves <= request["moves"]
    if request.get("partitions_per_member") is not None:
        for place, name in enumerate(names):
            if name not in (request.get("untouched") or ()):
                keeps &= (choices == place).sum(axis=1) <= request["partitions_per_member"]
    if not keeps.any():
        return "Infeasible"
    choices, moves = choices[keeps], moves[keeps]
    values = _values(request, keys, names, choices)
    least = min(values)
    limit = (
        least * (1 + Fraction(repr(request.get("tolerance", 0.001)))) if least != NEVER else NEVER
    )
    good = [
        (count, value)
        for count, value in zip(moves.tolist(), values, strict=False)
        if value <= limit
    ]
    count, value = min(good)
    return value, count


def _values(request: dict, keys: list, names: list, choices: np.ndarray) -> list:
    lags = {
        (topic["name"], number): one["lag"] or 0
        for topic in request["group"]["topics"]
        for number, one in enumerate(topic["partitions"])
    }
    lag = np.array([lags[key] for key in keys], dtype=np.int64)
    rates = request.get("rates") or {}
    rate = np.array(
        [
            round(
                Fraction(repr((rates.get("in") or {}).get(topic, {number: 0})[number] or 0.0))
                * 1000
            )
            for topic, number in keys
        ],
        dtype=np.int64,
    )
    capacity = rates.get("capacity")
    rows = []
    for place, name in enumerate(names):
        c = round(
            Fraction(repr(capacity[name] if isinstance(capacity, dict) else capacity or 1.0)) * 1000
        )
        mine = choices == place
        rows.append(
            [
                _value(request["objective"], *pair, c)
                for pair in zip((mine @ lag).tolist(), (mine @ rate).tolist(), strict=False)
            ]
        )
    return [max(row) for row in zip(*rows, strict=False)]


def _value(objective: str, lag: int, rate: int, capacity: int) -> object:
    if objective == "lag":
        return Fraction(lag)
    if objective == "rate":
        return Fraction(rate, capacity)
    if lag == 0:
        return Fraction(0) if rate <= capacity else NEVER
    return Fraction(1000 * lag, capacity - rate) if rate < capacity else NEVER
