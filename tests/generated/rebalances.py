"""Chains of rebalances: what a group looks like at the next one."""

import copy
from random import Random

from tests.generated.documents import group_document

_FRESH = 2**31 - 1


def next_group(random: Random, group: dict, answer: dict, stored: bool) -> dict:
    """Return the group after the answer was carried out and something has changed."""
    following = copy.deepcopy(group)
    generation = 1 + max((member.get("generation") or 0 for member in group["members"]), default=0)
    for member in following["members"]:
        given = answer["assignment"].get(member["member_id"], {})
        if stored:
            member["owned"] = _kept(member.get("owned") or {}, given)
        elif random.random() < 0.9:
            member |= {"owned": given, "generation": generation}
    for _ in range(random.choice([0, 1, 1, 2])):
        random.choice(_CHANGES)(random, following)
    return following


def _kept(owned: dict, given: dict) -> dict:
    """The broker writes a record, with a new order, only for members whose target changed."""
    same = {topic: set(numbers) for topic, numbers in owned.items()} == {
        topic: set(numbers) for topic, numbers in given.items()
    }
    return owned if same else given


def _leave(random: Random, group: dict):
    if group["members"]:
        group["members"].pop(random.randrange(len(group["members"])))


def _join(random: Random, group: dict):
    present = {member["member_id"] for member in group["members"]}
    newcomer = {
        "member_id": f"n{random.randrange(_FRESH)}",
        "subscribed": [topic["name"] for topic in group["topics"]],
    }
    if group["members"]:
        like = random.choice(group["members"])
        newcomer |= {"subscribed": list(like["subscribed"]), "rack": like.get("rack")}
    if newcomer["member_id"] not in present:
        group["members"].append(newcomer)


def _grow(random: Random, group: dict):
    if group["topics"]:
        topic = random.choice(group["topics"])
        topic["partitions"] = topic["partitions"] + [
            copy.deepcopy(random.choice(topic["partitions"] or [{}]))
            for _ in range(random.choice([1, 1, 2, 7]))
        ]


def _delete_topic(random: Random, group: dict):
    if group["topics"]:
        group["topics"].pop(random.randrange(len(group["topics"])))


def _create_topic(random: Random, group: dict):
    present = {topic["name"] for topic in group["topics"]}
    group["topics"] += [
        topic for topic in group_document(random)["topics"][:1] if topic["name"] not in present
    ]


def _resubscribe(random: Random, group: dict):
    names = [topic["name"] for topic in group["topics"]]
    for member in random.choice([group["members"], group["members"][:1]]):
        member["subscribed"] = (
            list(names)
            if random.random() < 0.5
            else [name for name in names if random.random() < 0.7]
        )


_CHANGES = [_leave, _join, _grow, _delete_topic, _create_topic, _resubscribe]
