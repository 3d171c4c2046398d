"""Middle-sized groups, too big to spell: answers are compared by digest."""

import base64
import hashlib
from collections.abc import Callable, Iterator

Ask = Callable[[str, dict], dict]
"""Assignor and group document to an answer as `evenkeel assign` writes it."""

Vector = tuple[str, str, str]
"""Name, digest found, digest expected."""


def client_digest(answer: dict) -> str:
    """First half of the SHA-256 over one line a member, members and partitions sorted as
    strings.
    """
    return _digest(
        f"{member}:{','.join(sorted(f'{topic}-{n}' for topic in topics for n in topics[topic]))}\n"
        for member, topics in sorted(answer["assignment"].items())
    )


def broker_digest(answer: dict) -> str:
    """The same over topics sorted as strings, each with its partitions in order."""
    held = {
        member: {topic: ",".join(map(str, sorted(numbers))) for topic, numbers in topics.items()}
        for member, topics in answer["assignment"].items()
    }
    return _digest(
        f"{member}:{';'.join(f'{topic}={held[member][topic]}' for topic in sorted(held[member]))}\n"
        for member in sorted(held)
    )


def _digest(lines: Iterator[str]) -> str:
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def rebalanced(
    group: dict, answer: dict, generation: int | None = 1, nothing: tuple[str, ...] = ()
) -> dict:
    """Return the group in which everybody owns what the answer gives; the members of `nothing` own
    nothing.
    """
    owned = {
        member: {} if member in nothing else held for member, held in answer["assignment"].items()
    }
    return group | {
        "members": [
            member | {"owned": owned[member["member_id"]], "generation": generation}
            for member in group["members"]
        ]
    }


def racks(ask: Ask) -> Iterator[Vector]:
    """Ten topics of twelve partitions, one replica each, seven members in three racks."""
    expected = {
        ("range", "equal"): ["0dd2d8d2a643d190"],
        ("range", "differing"): ["32f5f2bb1f5c73ec"],
        ("roundrobin", "equal"): ["809df1ec8001c577"],
        ("roundrobin", "differing"): ["f1f42acf24b1e465"],
        ("sticky", "equal"): ["17e277dac5b3d26b", "033a3aed1a7438ab", "c9c297d4bd6109e5"],
        ("cooperative-sticky", "equal"): [
            "17e277dac5b3d26b",
            "ac255b4fbe2c2bc1",
            "b9f2c36793b029ce",
        ],
        ("sticky", "differing"): ["36280e491e5d2b39", "36280e491e5d2b39", "b60fc457e2bb39b2"],
        ("cooperative-sticky", "differing"): [
            "36280e491e5d2b39",
            "36280e491e5d2b39",
            "ffa03b02fb8551f6",
        ],
    }
    for (assignor, subscriptions), digests in expected.items():
        group = racked(subscriptions == "equal")
        first = ask(assignor, group)
        newcomer = group["members"][0] | {"member_id": "new", "rack": "a"}
        joined = rebalanced(group, first)
        steps = [
            group,
            rebalanced(group, first, nothing=("m0",)),
            joined | {"members": [*joined["members"], newcomer]},
        ]
        for step, asked, digest in zip(("first", "second", "join"), steps, digests, strict=False):
            yield f"{assignor} {subscriptions} {step}", client_digest(ask(assignor, asked)), digest


def racked(is_equal: bool) -> dict:
    """Build the group of `racks`, everybody on all topics or member i not on every third one."""
    topics = [
        {"name": f"r{i}", "partitions": [{"racks": ["abc"[(p + i) % 3]]} for p in range(12)]}
        for i in range(10)
    ]
    members = [
        {
            "member_id": f"m{i}",
            "rack": "abc"[i % 3],
            "subscribed": [f"r{k}" for k in range(10) if is_equal or k % 3 != i % 3],
        }
        for i in range(7)
    ]
    return {"format": "evenkeel.group/1", "topics": topics, "members": members}


def sticky(ask: Ask) -> Iterator[Vector]:
    """Kafka's tests with many topics: a member leaves; and scale tests made small."""
    for assignor in ("sticky", "cooperative-sticky"):
        for name, group, leaver, first, second in LEAVES:
            answer = ask(assignor, group)
            yield f"{assignor} {name}", client_digest(answer), first
            after = rebalanced(group, answer)
            after["members"] = [
                member for member in after["members"] if member["member_id"] != leaver
            ]
            yield f"{assignor} {name}, {leaver} left", client_digest(ask(assignor, after)), second
        for name, subscribed, digest in SMALL:
            group = group_of(
                {f"t{i:02}": 50 for i in range(20)},
                {f"c{i:02}": [f"t{k:02}" for k in subscribed(i)] for i in range(40)},
            )
            yield f"{assignor} {name}", client_digest(ask(assignor, group)), digest


def group_of(topics: dict[str, int], members: dict[str, list[str]]) -> dict:
    """Build a group from topic sizes and subscriptions."""
    return {
        "format": "evenkeel.group/1",
        "topics": [{"name": name, "partitions": size} for name, size in topics.items()],
        "members": [
            {"member_id": member, "subscribed": subscribed}
            for member, subscribed in members.items()
        ],
    }


LEAVES = [
    (
        "each member on one topic more",
        group_of(
            {f"t{i:02}": i for i in range(1, 20)},
            {f"c{i:02}": [f"t{k:02}" for k in range(1, i + 1)] for i in range(1, 20)},
        ),
        "c10",
        "2a459d01f5986546",
        "d899f87cea476118",
    ),
    (
        "all on all",
        group_of(
            {f"t{i:02}": i for i in range(1, 15)},
            {f"c{i}": [f"t{k:02}" for k in range(1, 15)] for i in range(1, 9)},
        ),
        "c5",
        "9250670d2e91b8d6",
        "ce185d4118b9c688",
    ),
]

SMALL = [
    ("scale test, equal", lambda member: range(20), "d2856b200acc4e06"),
    (
        "scale test, quarter split",
        lambda member: range(10) if member % 4 == 0 else range(10, 20),
        "5aa0138f17e940dd",
    ),
    (
        "scale test, one member on one topic",
        lambda member: range(20 if member < 39 else 1),
        "79f870abbddb7fd4",
    ),
]


def broker(ask: Ask) -> Iterator[Vector]:
    """Twenty topics, fifty members: nothing stored, one joins, three leave."""
    expected = {
        ("uniform", True): ["58279f5e0729eff8", "d6dd1d6ffa244792", "5f2d3423d3f0634c"],
        ("broker-range", True): ["fcf0ab5689757823", "7ebdc5b2f9c9d637", "837928eb469be79f"],
        ("uniform", False): ["06d90ebe76267d93", "cdfa808a82947c39", "ba47851a9c68ed2c"],
        ("broker-range", False): ["767db84ce5a160e0", "af1ab54549c42d44", "60bca5425cbc98c2"],
    }
    for (assignor, equal), digests in expected.items():
        group = _stored(equal)
        full = ask(assignor, group)
        stored = rebalanced(group, full, generation=None)
        joined = [*stored["members"], group["members"][-1] | {"member_id": "newMember"}]
        left = [
            member
            for member in stored["members"]
            if member["member_id"] not in ("member0", "member7", "member49")
        ]
        for step, asked, digest in zip(
            ("full", "join", "leave"),
            (group, stored | {"members": joined}, stored | {"members": left}),
            digests,
            strict=True,
        ):
            yield (
                f"{assignor} {'equal' if equal else 'differing'} {step}",
                broker_digest(ask(assignor, asked)),
                digest,
            )


_REPORTED = (
    "15 41 28 7 20 33 46 12 4 38 25 30 43 17 9 22 1 35 48 40 14 6 27 32 45 19 11 24 3 37 42 16 8 29"
    " 21 0 34 47 13 26 5 39 44 31 18 23 10 2 36 49"
)
"""The order in which a broker reports member0 to member49 when they joined in the order of their
numbers.
"""


def _stored(equal: bool) -> dict:
    topics = {f"topic-{i}": 10 + i for i in range(20)}
    members = {
        f"member{i}": list(topics)
        if equal
        else [f"topic-{(i // 10 * 4 + k) % 20}" for k in range(8)]
        for i in map(int, _REPORTED.split())
    }
    group = group_of(topics, members)
    for i, topic in enumerate(group["topics"]):
        halves = (i * 0x9E3779B97F4A7C15 + 1, i * 0xC2B2AE3D27D4EB4F + 7)
        topic["topic_id"] = (
            base64.urlsafe_b64encode(b"".join((half % 2**64).to_bytes(8) for half in halves))
            .decode()
            .rstrip("=")
        )
    return group
