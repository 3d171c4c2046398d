"""Random groups as clients besides Java's really send them: every topic once, in any order; every
instance id once.
"""

from random import Random

from tests.generated.documents import group_document
from tests.generated.rebalances import next_group


def client_group(random: Random) -> dict:
    """Make one group with members."""
    while not (document := group_document(random))["members"]:
        pass
    return _sent(random, document)


def next_client_group(random: Random, group: dict, assignment: dict) -> dict:
    """Return the group after this assignment was carried out and something has changed."""
    return _sent(random, next_group(random, group, {"assignment": assignment}, stored=False))


def _sent(random: Random, document: dict) -> dict:
    shuffled = random.random() < 0.3
    instances: set[str] = set()
    return {
        "format": document["format"],
        "topics": [
            {"name": topic["name"], "partitions": [{} for _ in topic["partitions"]]}
            for topic in document["topics"]
        ],
        "members": [_member(random, member, instances, shuffled) for member in document["members"]],
    }


def _member(random: Random, member: dict, instances: set[str], shuffled: bool) -> dict:
    subscribed = sorted(set(member["subscribed"]))
    if shuffled:
        random.shuffle(subscribed)
    sent = {"member_id": member["member_id"], "subscribed": subscribed}
    instance = member.get("instance_id")
    if instance is not None and instance not in instances:
        instances.add(instance)
        sent["instance_id"] = instance
    if member.get("owned"):
        sent |= {
            "owned": {
                topic: list(dict.fromkeys(numbers)) for topic, numbers in member["owned"].items()
            }
        }
        sent["generation"] = member.get("generation")
    return sent
