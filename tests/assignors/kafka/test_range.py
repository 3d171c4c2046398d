"""Rack scenarios of Kafka's RangeAssignorTest and AbstractPartitionAssignorTest."""

import numpy as np
import pytest

from evenkeel.assignors.group import NO_RACK
from evenkeel.assignors.kafka.range import RangeAssignor, needs_racks
from tests.assignors.groups import Member, group, spelled, tps

UNIFORM_SUBSCRIPTIONS = {"t1": 6, "t2": 7, "t3": 2}
UNIFORM_SIZES = {"t1": 5, "t2": 5, "t3": 5}
CO_PARTITIONED = {"t1": 6, "t2": 6, "t3": 2, "t4": 2}
SAME_SUBSCRIPTION = {"t1": 6, "t2": 6, "t3": 2, "t4": 2, "t5": 4, "t6": 4}
ALL = ["t1 t2 t3"] * 3
LAST_WITHOUT_T2 = ["t1 t2 t3", "t1 t2 t3", "t1 t3"]
HALVES = ["t1 t2", "t1 t2", "t3 t4", "t3 t4"]
EVERYTHING = ["t1 t2 t3 t4"] * 4
WITH_UNKNOWN = ["t1 t2 t3 t4 t5 t6 t7 t8 t9"] * 3

# Replication factor, racks of the brokers ("-" for none), racks of the members.
NEUTRAL = [
    (3, "---", "abc"),
    (3, "abc", "---"),
    (3, "abc", "abc"),
    (4, "abcd", "abc"),
    (3, "abc", "def"),
    (3, "abc", "-ef"),
]

RACK_AWARE = [
    (
        "uniform subscriptions",
        UNIFORM_SUBSCRIPTIONS,
        ALL,
        (1, "abc", "abc"),
        ["t1-0,3 t2-0,3,6", "t1-1,4 t2-1,4 t3-0", "t1-2,5 t2-2,5 t3-1"],
        0,
    ),
    (
        "uniform subscriptions",
        UNIFORM_SUBSCRIPTIONS,
        ALL,
        (2, "abc", "abc"),
        ["t1-0,2 t2-0,2,3 t3-1", "t1-1,3 t2-1,4 t3-0", "t1-4,5 t2-5,6"],
        1,
    ),
    (
        "uniform subscriptions",
        UNIFORM_SUBSCRIPTIONS,
        ALL,
        (3, "ab", "abc"),
        ["t1-0,1 t2-0,1,2 t3-0", "t1-2,3 t2-3,4 t3-1", "t1-4,5 t2-5,6"],
        4,
    ),
    (
        "unequal subscriptions",
        UNIFORM_SUBSCRIPTIONS,
        LAST_WITHOUT_T2,
        (1, "abc", "abc"),
        ["t1-0,3 t2-0,2,3,6", "t1-1,4 t2-1,4,5 t3-0", "t1-2,5 t3-1"],
        2,
    ),
    (
        "unequal subscriptions",
        UNIFORM_SUBSCRIPTIONS,
        LAST_WITHOUT_T2,
        (2, "abc", "abc"),
        ["t1-0,2 t2-0,2,3,5 t3-1", "t1-1,3 t2-1,4,6 t3-0", "t1-4,5"],
        0,
    ),
    (
        "unequal subscriptions",
        UNIFORM_SUBSCRIPTIONS,
        LAST_WITHOUT_T2,
        (3, "ab", "abc"),
        ["t1-0,1 t2-0..3 t3-0", "t1-2,3 t2-4,5,6 t3-1", "t1-4,5"],
        2,
    ),
    (
        "uniform sizes",
        UNIFORM_SIZES,
        ALL,
        (1, "abc", "abc"),
        ["t1,t2,t3-0,1", "t1,t2,t3-2,3", "t1,t2,t3-4"],
        10,
    ),
    (
        "uniform sizes",
        UNIFORM_SIZES,
        ALL,
        (2, "abc", "abc"),
        ["t1,t2,t3-0,1", "t1,t2,t3-2,3", "t1,t2,t3-4"],
        5,
    ),
    (
        "uniform sizes",
        UNIFORM_SIZES,
        ALL,
        (3, "ab", "abc"),
        ["t1,t2,t3-0,1", "t1,t2,t3-2,3", "t1,t2,t3-4"],
        3,
    ),
    (
        "uniform sizes, unequal subscriptions",
        UNIFORM_SIZES,
        LAST_WITHOUT_T2,
        (1, "abc", "abc"),
        ["t1,t3-0,1 t2-0,1,4", "t1,t2,t3-2,3", "t1,t3-4"],
        9,
    ),
    (
        "uniform sizes, unequal subscriptions",
        UNIFORM_SIZES,
        LAST_WITHOUT_T2,
        (2, "abc", "abc"),
        ["t1,t3-2 t2-0,1,3", "t1,t3-0,3 t2-2,4", "t1,t3-1,4"],
        0,
    ),
    (
        "uniform sizes, unequal subscriptions",
        UNIFORM_SIZES,
        LAST_WITHOUT_T2,
        (3, "ab", "abc"),
        ["t1,t3-0,1 t2-0,1,2", "t1,t3-2,3 t2-3,4", "t1,t3-4"],
        2,
    ),
    (
        "co-partitioned halves",
        CO_PARTITIONED,
        HALVES,
        (3, "ab", "abba"),
        ["t1,t2-0,1,2", "t1,t2-3,4,5", "t3,t4-0", "t3,t4-1"],
        0,
    ),
    (
        "co-partitioned halves",
        CO_PARTITIONED,
        HALVES,
        (2, "ab", "abba"),
        ["t1,t2-0,1,2", "t1,t2-3,4,5", "t3,t4-0", "t3,t4-1"],
        0,
    ),
    (
        "co-partitioned halves",
        CO_PARTITIONED,
        HALVES,
        (1, "ab", "abba"),
        ["t1,t2-0,2,4", "t1,t2-1,3,5", "t3,t4-1", "t3,t4-0"],
        0,
    ),
    (
        "co-partitioned",
        CO_PARTITIONED,
        EVERYTHING,
        (3, "ab", "abba"),
        ["t1,t2-0,1 t3,t4-0", "t1,t2-2,3 t3,t4-1", "t1,t2-4", "t1,t2-5"],
        0,
    ),
    (
        "co-partitioned",
        CO_PARTITIONED,
        EVERYTHING,
        (2, "ab", "abba"),
        ["t1,t2-0,1 t3,t4-0", "t1,t2-2,3 t3,t4-1", "t1,t2-4", "t1,t2-5"],
        0,
    ),
    (
        "co-partitioned",
        CO_PARTITIONED,
        EVERYTHING,
        (1, "ab", "abba"),
        ["t1,t2-0,2 t3,t4-0", "t1,t2-1,3 t3,t4-1", "t1,t2-5", "t1,t2-4"],
        0,
    ),
    (
        "co-partitioned",
        CO_PARTITIONED,
        EVERYTHING,
        (1, "abc", "abba"),
        ["t1,t2-0,3 t3,t4-0", "t1,t2-1,4 t3,t4-1", "t1,t2-2", "t1,t2-5"],
        6,
    ),
    (
        "same subscription",
        SAME_SUBSCRIPTION,
        WITH_UNKNOWN,
        (3, "---", "abc"),
        ["t1,t2-0,1 t3,t4-0 t5,t6-0,1", "t1,t2-2,3 t3,t4-1 t5,t6-2", "t1,t2-4,5 t5,t6-3"],
        None,
    ),
    (
        "same subscription",
        SAME_SUBSCRIPTION,
        WITH_UNKNOWN,
        (3, "abc", "abc"),
        ["t1,t2-0,1 t3,t4-0 t5,t6-0,1", "t1,t2-2,3 t3,t4-1 t5,t6-2", "t1,t2-4,5 t5,t6-3"],
        0,
    ),
    (
        "same subscription",
        SAME_SUBSCRIPTION,
        WITH_UNKNOWN,
        (2, "abc", "abc"),
        ["t1,t2-0,2 t3,t4-0 t5,t6-1", "t1,t2-1,3 t3,t4-1 t5,t6-2", "t1,t2-4,5 t5,t6-0,3"],
        0,
    ),
]

NEUTRAL_ANSWERS = [
    (
        "uniform subscriptions",
        UNIFORM_SUBSCRIPTIONS,
        ALL,
        ["t1-0,1 t2-0,1,2 t3-0", "t1-2,3 t2-3,4 t3-1", "t1-4,5 t2-5,6"],
    ),
    (
        "unequal subscriptions",
        UNIFORM_SUBSCRIPTIONS,
        LAST_WITHOUT_T2,
        ["t1-0,1 t2-0..3 t3-0", "t1-2,3 t2-4,5,6 t3-1", "t1-4,5"],
    ),
    ("uniform sizes", UNIFORM_SIZES, ALL, ["t1,t2,t3-0,1", "t1,t2,t3-2,3", "t1,t2,t3-4"]),
    (
        "uniform sizes, unequal subscriptions",
        UNIFORM_SIZES,
        LAST_WITHOUT_T2,
        ["t1,t3-0,1 t2-0,1,2", "t1,t3-2,3 t2-3,4", "t1,t3-4"],
    ),
]

ON_ALL = ["a b c"] * 10
ON_ONE = list("abcabcabca")


def layout(topics: dict[str, int], replication: int, broker_racks: str) -> dict[str, list[str]]:
    """Racks of every partition's replicas: replica k of the n-th partition of all is on broker n +
    k.
    """
    racks, first = {}, 0
    for name, size in topics.items():
        racks[name] = [
            " ".join(
                broker_racks[(first + row + replica) % len(broker_racks)]
                for replica in range(replication)
            )
            for row in range(size)
        ]
        first += size
    return racks


def racked(topics, subscriptions, set_up):
    replication, broker_racks, member_racks = set_up
    members = {
        f"consumer{row}": Member(topic, rack=None if rack == "-" else rack)
        for row, (topic, rack) in enumerate(zip(subscriptions, member_racks, strict=False))
    }
    return group(topics, members, racks=layout(topics, replication, broker_racks))


def answered(snapshot) -> list[str]:
    return list(spelled(snapshot, RangeAssignor().assign(snapshot)).values())


def mismatched(snapshot) -> int:
    """Count the partitions whose owner has a rack that holds no replica."""
    owner = RangeAssignor().assign(snapshot).owner
    racks = [
        snapshot.replica_rack[first:last]
        for first, last in zip(snapshot.replica_start, snapshot.replica_start[1:], strict=False)
    ]
    wanted = snapshot.member_rack[owner]
    return sum(
        rack != NO_RACK and rack not in here for rack, here in zip(wanted, racks, strict=False)
    )


@pytest.mark.parametrize("set_up", NEUTRAL, ids=str)
@pytest.mark.parametrize(
    ("topics", "subscriptions", "expected"),
    [case[1:] for case in NEUTRAL_ANSWERS],
    ids=[case[0] for case in NEUTRAL_ANSWERS],
)
def test_racks_change_nothing_where_they_cannot_help(topics, subscriptions, expected, set_up):
    assert answered(racked(topics, subscriptions, set_up)) == [tps(runs) for runs in expected]


@pytest.mark.parametrize(
    ("topics", "subscriptions", "set_up", "expected", "mismatch_count"),
    [case[1:] for case in RACK_AWARE],
    ids=[f"{case[0]}, RF {case[3][0]} on {case[3][1]}" for case in RACK_AWARE],
)
def test_members_get_partitions_of_their_rack_as_in_kafka(
    topics, subscriptions, set_up, expected, mismatch_count
):
    snapshot = racked(topics, subscriptions, set_up)

    assert answered(snapshot) == [tps(runs) for runs in expected]
    if mismatch_count is not None:
        assert mismatched(snapshot) == mismatch_count


@pytest.mark.parametrize(
    "changed",
    [{}, {"consumer2": "consumer5", "consumer3": "consumer4"}],
    ids=["before", "after member ids change"],
)
def test_static_members_keep_their_rack_local_partitions(changed):
    topics = {"topic1": 5, "topic2": 5}
    members = {
        changed.get(f"consumer{number}", f"consumer{number}"): Member(
            "topic1 topic2", f"instance{number}", rack
        )
        for number, rack in ((1, "a"), (2, "b"), (3, "c"))
    }
    racks = {name: ["a b", "b c", "c a", "a b", "b c"] for name in topics}

    assert answered(group(topics, members, racks=racks)) == [
        tps("topic1,topic2-0,2"),
        tps("topic1,topic2-1,3"),
        tps("topic1,topic2-4"),
    ]


def test_a_member_without_rack_takes_what_is_local_to_another():
    snapshot = group(
        {"t": 4},
        {"c0": Member("t"), "c1": Member("t", rack="b")},
        racks={"t": ["b", "b", "a", "a"]},
    )

    assert answered(snapshot) == ["t-0 t-1", "t-2 t-3"]
    assert mismatched(snapshot) == 2


def test_one_topic_that_needs_racks_has_a_member_far_from_all_replicas_served_last_elsewhere():
    members = {"c0": Member("t0 t1 t2", rack="a"), "c1": Member("t0 t1", rack="b")}
    together = {"t0": ["b", "b"], "t1": ["b", "b"]}

    without = group({"t0": 2, "t1": 2, "t2": 1}, members, racks={**together, "t2": ["c"]})
    needing = group({"t0": 2, "t1": 2, "t2": 2}, members, racks={**together, "t2": ["a", "c"]})

    assert answered(without) == ["t0-0 t1-0 t2-0", "t0-1 t1-1"]
    assert answered(needing) == ["t0-1 t1-1 t2-0 t2-1", "t0-0 t1-0"]


@pytest.mark.parametrize(
    ("member_racks", "partition_racks", "expected"),
    [
        ("---", [""] * 10, False),
        ("---", ON_ALL, False),
        ("abc", [""] * 10, False),
        ("ddd", ON_ALL, False),
        ("abc", ON_ALL, False),
        ("abb", ON_ALL, False),
        ("add", ON_ALL, False),
        ("abc", ON_ONE, True),
        ("abb", ON_ONE, True),
        ("add", ON_ONE, True),
        ("ddd", ON_ONE, False),
        ("abc", ["- a", *["a"] * 9], False),
        ("abc", ["-", *["a"] * 9], True),
        ("abc", ["a a", *["a"] * 9], False),
    ],
)
def test_racks_are_needed_where_some_member_can_be_near_and_partitions_differ(
    member_racks, partition_racks, expected
):
    members = {
        f"c{row}": Member("t", rack=None if rack == "-" else rack)
        for row, rack in enumerate(member_racks)
    }

    assert needs_racks(group({"t": 10}, members, racks={"t": partition_racks}), topic=0) == expected


def test_many_racked_partitions_are_near_their_owners_where_the_counts_allow_it():
    members = {f"c{row:03d}": Member("t", rack="abc"[row % 3]) for row in range(300)}
    snapshot = group({"t": 30_000}, members, racks={"t": ["abc"[row % 3] for row in range(30_000)]})

    counts = np.bincount(RangeAssignor().assign(snapshot).owner)

    assert mismatched(snapshot) == 0
    assert counts.tolist() == [100] * 300
