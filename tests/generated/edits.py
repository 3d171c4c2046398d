"""Random edits of a random group document."""

import base64
from random import Random

_RACKS = ["a", "b", "z", None]


def random_edit(random: Random, document: dict) -> dict | None:
    """Return an edit that makes no random ids and that the group can take, None where it has
    nothing to edit.
    """
    makers = [_add_topic]
    if document["members"]:
        makers += [_remove_members, _set_subscription, _set_rack, _set_instance_id]
    if document["topics"]:
        makers += [_set_partition_count, _remove_topic]
    if any(_size(topic) for topic in document["topics"]):
        makers += [_set_lag]
    return random.choice(makers)(random, document)


def _size(topic: dict) -> int:
    return topic["partitions"] if isinstance(topic["partitions"], int) else len(topic["partitions"])


def _some_members(random: Random, document: dict) -> list[str]:
    ids = [member["member_id"] for member in document["members"]]
    return random.sample(ids, random.randint(1, len(ids)))


def _remove_members(random: Random, document: dict) -> dict:
    return {"op": "remove_members", "member_ids": _some_members(random, document)}


def _set_subscription(random: Random, document: dict) -> dict:
    names = [*(topic["name"] for topic in document["topics"]), "nowhere"]
    topics = random.sample(names, random.randint(0, len(names)))
    return {
        "op": "set_subscription",
        "member_ids": _some_members(random, document),
        "topics": topics,
    }


def _set_rack(random: Random, document: dict) -> dict:
    return {
        "op": "set_rack",
        "member_ids": _some_members(random, document),
        "rack": random.choice(_RACKS),
    }


def _set_instance_id(random: Random, document: dict) -> dict:
    member_id = random.choice(_some_members(random, document))
    return {
        "op": "set_instance_id",
        "member_id": member_id,
        "instance_id": random.choice([None, f"static-{member_id}"]),
    }


def _set_partition_count(random: Random, document: dict) -> dict:
    topic = random.choice(document["topics"])
    further = random.randint(0, 4)
    return {
        "op": "set_partition_count",
        "topic": topic["name"],
        "count": _size(topic) + further,
        "racks": _racks(random, further),
    }


def _add_topic(random: Random, document: dict) -> dict:
    taken = {topic["name"] for topic in document["topics"]}
    name = next(
        name for name in (f"new{number}" for number in range(len(taken) + 1)) if name not in taken
    )
    topic_id = base64.urlsafe_b64encode(random.randbytes(16)).decode().rstrip("=")
    count = random.randint(0, 4)
    return {
        "op": "add_topic",
        "name": name,
        "partitions": count,
        "racks": _racks(random, count),
        "topic_id": topic_id,
    }


def _remove_topic(random: Random, document: dict) -> dict:
    return {"op": "remove_topic", "name": random.choice(document["topics"])["name"]}


def _set_lag(random: Random, document: dict) -> dict:
    topic = random.choice([topic for topic in document["topics"] if _size(topic)])
    return {
        "op": "set_lag",
        "topic": topic["name"],
        "partition": random.randrange(_size(topic)),
        "lag": random.choice([0, 7, 10**12]),
    }


def _racks(random: Random, count: int) -> list[list[str | None]]:
    return [[random.choice(_RACKS) for _ in range(random.randint(1, 3))] for _ in range(count)]
