"""Scenarios in which every place that may hold a name holds one."""

from typing import Any, NamedTuple

from hypothesis import strategies as st

from evenkeel.data.shares.redaction import KINDS

_LETTERS = st.text("abcdefgxyz-._/ 019é", min_size=1, max_size=8)
_TRICKY = st.sampled_from(
    [
        "topic-01",
        "topic-001",
        "host-01",
        "member-1",
        "rack",
        "pay.a",
        "a+b",
        "(x",
        'say"so',
        "it's",
        "back\\slash",
        "/10.4.1.17",
        "Straße",
        "STRASSE",
    ]
)
NAMES = _LETTERS | _TRICKY


class Names(NamedTuple):
    """Names by kind, in the order of KINDS; at least one of each. Clients give their reasons in
    logs alone.
    """

    hosts: list[str]
    clients: list[str]
    members: list[str]
    instances: list[str]
    racks: list[str]
    topics: list[str]
    groups: list[str]
    words: list[str]


def _some(most: int):
    return st.lists(NAMES, min_size=1, max_size=most, unique=True)


def names():
    """Return a strategy of names; a member's id often begins with a client id."""
    drawn = st.builds(
        Names, _some(3), _some(3), _some(4), _some(3), _some(3), _some(4), _some(1), _some(1)
    )
    return drawn.map(_with_members_for_all)


def _with_members_for_all(some: Names) -> Names:
    """Add members until each name of a member's has one."""
    ids = [f"{some.clients[0]}-{each}" for each in some.members]
    missing = max(map(len, some)) - len(set(ids))
    return some._replace(
        members=list(
            dict.fromkeys([*ids, *(f"{some.clients[0]}-m{number}" for number in range(missing))])
        )
    )


def of_kind(some: Names) -> dict[str, list[str]]:
    return dict(zip((kind for kind in KINDS if kind != "client reasons"), some, strict=True))


def scenario(some: Names) -> dict[str, Any]:
    """Return a scenario with each name in each place."""
    held = {topic: [0] for topic in some.topics}
    members = [
        {
            "member_id": member,
            "client_id": some.clients[row % len(some.clients)],
            "host": some.hosts[row % len(some.hosts)],
            "instance_id": some.instances[row % len(some.instances)],
            "rack": some.racks[row % len(some.racks)],
            "subscribed": some.topics,
            "subscribed_regex": "|".join(some.topics),
            "owned": held,
            "current": held,
            "joined_with": {"owned": held, "generation": 1},
        }
        for row, member in enumerate(some.members)
    ]
    topics = [
        {
            "name": each,
            "topic_id": "LkLS-N4OSSK11RYzgIc1Eg",
            "partitions": [{"lag": 5, "racks": some.racks}],
        }
        for each in some.topics
    ]
    every = [each for names in some for each in names]
    edits = [
        {
            "op": "add_members",
            "count": 1,
            "like": some.members[0],
            "client_id": some.clients[0],
            "rack": some.racks[0],
            "instance_ids": some.instances,
            "subscribed": some.topics,
            "subscribed_regex": some.topics[0] + ".*",
            "seed": 7,
        },
        {
            "op": "set_subscription",
            "member_ids": some.members,
            "topics": some.topics,
            "regex": some.topics[0],
        },
        {
            "op": "set_instance_id",
            "member_id": some.members[0],
            "instance_id": some.instances[0],
            "off": True,
        },
        {
            "op": "add_topic",
            "name": some.topics[0],
            "partitions": 1,
            "racks": [some.racks],
            "topic_id": "LkLS-N4OSSK11RYzgIc1Eg",
        },
        {
            "op": "advance",
            "seconds": 1,
            "in_rate": held | {"*": 1},
            "capacity": dict.fromkeys(some.members, 1.5) | {"*": 2},
        },
        {"op": "set_lag", "topic": some.topics[0], "partition": 0, "lag": 1},
    ]
    steps = [
        {"name": f"{each} dies, {each}{each}", "edits": edits if not row else []}
        for row, each in enumerate(every)
    ]
    group = {
        "format": "evenkeel.group/1",
        "group_id": some.groups[0],
        "topics": topics,
        "members": members,
        "assumed": ["members", *some.words],
        "state": some.words[0],
        "assignor": some.words[0],
        "auto_offset_reset": some.words[0],
    }
    return {
        "format": "evenkeel.scenario/1",
        "name": " and ".join(every),
        "group": group,
        "settings": {"jdk": 17},
        "steps": steps,
    }


def result(some: Names) -> list[dict[str, Any]]:
    """Return the lines of a result with each name in each place."""
    held = {
        member: {topic: [0] for topic in some.topics}
        for member in [*some.members, f"{some.clients[0]}-made"]
    }
    head = {
        "format": "evenkeel.replay/1",
        "content_hash": "c" * 64,
        "result_hash": "f" * 64,
        "engine": "0.1.0",
    }
    errors = [
        {"type": "IllegalStateException", "message": f"no {each}-0 of [{each!r}]"}
        for names in some
        for each in names
    ]
    lines = [
        {
            "step": step,
            "name": some.topics[0],
            "assignor": "sticky",
            "assignment": held,
            "withheld": held,
            "error": error,
            "remarks": [some.members[0]],
            "max_lag": 5,
        }
        for step, error in enumerate(errors)
    ]
    return [head, *lines]
