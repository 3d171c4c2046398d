"""Kafka's RangeAssignorTest and RoundRobinAssignorTest, row by row (the ids are Kafka's test
names); literal readings, and digests of answers that Kafka's own classes gave (JDK 17), at sizes
too big to spell.
"""

import hashlib

import pytest
from hypothesis import assume, given, note, settings

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from tests.assignors.groups import Member, group, spelled, tps
from tests.generated.groups import groups
from tests.literal.classic import literal_lag, literal_range, literal_roundrobin, plain

BOTH = "topic1 topic2"
ALL_STATIC = {
    "consumer1": Member(BOTH, "instance1"),
    "consumer2": Member(BOTH, "instance2"),
    "consumer3": Member(BOTH, "instance3"),
}
REPLACED = {
    "consumer1": Member(BOTH, "instance1"),
    "consumer5": Member(BOTH, "instance2"),
    "consumer4": Member(BOTH, "instance3"),
}

SAME = [
    ("OneConsumerNoTopic", {}, {"consumer1": ""}, {"consumer1": ""}),
    ("OneConsumerNonexistentTopic", {}, {"consumer1": "topic1"}, {"consumer1": ""}),
    ("OneConsumerOneTopic", {"topic1": 3}, {"consumer1": "topic1"}, {"consumer1": "topic1-0,1,2"}),
    (
        "OnlyAssignsPartitionsFromSubscribedTopics",
        {"topic1": 3, "other": 3},
        {"consumer1": "topic1"},
        {"consumer1": "topic1-0,1,2"},
    ),
    (
        "OneConsumerMultipleTopics",
        {"topic1": 1, "topic2": 2},
        {"consumer1": BOTH},
        {"consumer1": "topic1-0 topic2-0,1"},
    ),
    (
        "TwoConsumersOneTopicOnePartition",
        {"topic1": 1},
        {"consumer1": "topic1", "consumer2": "topic1"},
        {"consumer1": "topic1-0", "consumer2": ""},
    ),
    (
        "TwoConsumersOneTopicTwoPartitions",
        {"topic1": 2},
        {"consumer1": "topic1", "consumer2": "topic1"},
        {"consumer1": "topic1-0", "consumer2": "topic1-1"},
    ),
    (
        "MultipleConsumersMixedTopics",
        {"topic1": 3, "topic2": 2},
        {"consumer1": "topic1", "consumer2": BOTH, "consumer3": "topic1"},
        {"consumer1": "topic1-0", "consumer2": "topic1-1 topic2-0,1", "consumer3": "topic1-2"},
    ),
]

ONLY_ONE = [
    (
        "range",
        "TwoConsumersTwoTopicsSixPartitions",
        {"topic1": 3, "topic2": 3},
        {"consumer1": BOTH, "consumer2": BOTH},
        {"consumer1": "topic1-0,1 topic2-0,1", "consumer2": "topic1-2 topic2-2"},
    ),
    (
        "roundrobin",
        "TwoConsumersTwoTopicsSixPartitions",
        {"topic1": 3, "topic2": 3},
        {"consumer1": BOTH, "consumer2": BOTH},
        {"consumer1": "topic1-0,2 topic2-1", "consumer2": "topic1-1 topic2-0,2"},
    ),
    (
        "range",
        "StaticMemberRangeAssignmentPersistent",
        {"topic1": 5, "topic2": 4},
        {**ALL_STATIC, "consumer4": BOTH},
        {
            "consumer1": "topic1-0,1 topic2-0",
            "consumer2": "topic1-2 topic2-1",
            "consumer3": "topic1-3 topic2-2",
            "consumer4": "topic1-4 topic2-3",
        },
    ),
    (
        "range",
        "StaticMemberRangeAssignmentPersistent, consumer4 replaced by consumer5",
        {"topic1": 5, "topic2": 4},
        {**ALL_STATIC, "consumer5": BOTH},
        {
            "consumer1": "topic1-0,1 topic2-0",
            "consumer2": "topic1-2 topic2-1",
            "consumer3": "topic1-3 topic2-2",
            "consumer5": "topic1-4 topic2-3",
        },
    ),
    (
        "roundrobin",
        "StaticMemberRoundRobinAssignmentPersistent",
        {"topic1": 3, "topic2": 3},
        {**ALL_STATIC, "consumer4": BOTH},
        {
            "consumer1": "topic1-0 topic2-1",
            "consumer2": "topic1-1 topic2-2",
            "consumer3": "topic1-2",
            "consumer4": "topic2-0",
        },
    ),
    (
        "roundrobin",
        "StaticMemberRoundRobinAssignmentPersistent, consumer4 replaced by consumer5",
        {"topic1": 3, "topic2": 3},
        {**ALL_STATIC, "consumer5": BOTH},
        {
            "consumer1": "topic1-0 topic2-1",
            "consumer2": "topic1-1 topic2-2",
            "consumer3": "topic1-2",
            "consumer5": "topic2-0",
        },
    ),
    (
        "range",
        "StaticMemberRangeAssignmentPersistentAfterMemberIdChanges, before",
        {"topic1": 5, "topic2": 5},
        ALL_STATIC,
        {
            "consumer1": "topic1,topic2-0,1",
            "consumer2": "topic1,topic2-2,3",
            "consumer3": "topic1,topic2-4",
        },
    ),
    (
        "range",
        "StaticMemberRangeAssignmentPersistentAfterMemberIdChanges, after",
        {"topic1": 5, "topic2": 5},
        REPLACED,
        {
            "consumer1": "topic1,topic2-0,1",
            "consumer5": "topic1,topic2-2,3",
            "consumer4": "topic1,topic2-4",
        },
    ),
    (
        "roundrobin",
        "StaticMemberRoundRobinAssignmentPersistentAfterMemberIdChanges, before",
        {"topic1": 5, "topic2": 5},
        ALL_STATIC,
        {
            "consumer1": "topic1-0,3 topic2-1,4",
            "consumer2": "topic1-1,4 topic2-2",
            "consumer3": "topic1-2 topic2-0,3",
        },
    ),
    (
        "roundrobin",
        "StaticMemberRoundRobinAssignmentPersistentAfterMemberIdChanges, after",
        {"topic1": 5, "topic2": 5},
        REPLACED,
        {
            "consumer1": "topic1-0,3 topic2-1,4",
            "consumer5": "topic1-1,4 topic2-2",
            "consumer4": "topic1-2 topic2-0,3",
        },
    ),
    (
        "roundrobin",
        "unequal subscriptions are skewed (Q-3)",
        {"t0": 1, "t1": 2, "t2": 3},
        {"C0": "t0", "C1": "t0 t1", "C2": "t0 t1 t2"},
        {"C0": "t0-0", "C1": "t1-0", "C2": "t1-1 t2-0..2"},
    ),
    (
        "range",
        "a topic subscribed twice counts once",
        {"t": 4},
        {"c1": "t t", "c2": "t"},
        {"c1": "t-0,1", "c2": "t-2,3"},
    ),
    (
        "roundrobin",
        "a topic subscribed twice counts once",
        {"t": 4},
        {"c1": "t t", "c2": "t"},
        {"c1": "t-0,2", "c2": "t-1,3"},
    ),
    (
        "range",
        "one instance id twice (Q-25)",
        {"t": 3},
        {"m1": Member("t", "same"), "m2": Member("t", "same")},
        {"m1": "t-0,1", "m2": "t-2"},
    ),
    (
        "range",
        "one instance id twice, listed the other way (Q-25)",
        {"t": 3},
        {"m2": Member("t", "same"), "m1": Member("t", "same")},
        {"m1": "t-0,1", "m2": "t-2"},
    ),
]

# One static and one dynamic member give the answer of two static ones.
STATICS = {
    "TwoStaticConsumersTwoTopicsSixPartitions": "instance2",
    "OneStaticConsumerAndOneDynamicConsumerTwoTopicsSixPartitions": None,
}

FOUR_ODD = [
    (
        "a member without topics listed last",
        {"t": 4},
        {"consumer1": "t", "consumer2": ""},
        {"consumer1": "t-0..3", "consumer2": ""},
    ),
    (
        "a member without topics listed first",
        {"t": 4},
        {"consumer1": "", "consumer2": "t"},
        {"consumer1": "", "consumer2": "t-0..3"},
    ),
    ("no known topics", {}, {"c1": "t", "c2": "t"}, {"c1": "", "c2": ""}),
]

LITERAL = {"range": literal_range, "roundrobin": literal_roundrobin, "lag": literal_lag}


def answered(name: str, topics, members) -> dict[str, str]:
    snapshot = group(topics, members)
    return spelled(snapshot, ASSIGNORS[name]().assign(snapshot))


def expanded(expected: dict[str, str]) -> dict[str, str]:
    return {member: tps(runs) for member, runs in expected.items()}


@pytest.mark.parametrize("name", ["range", "roundrobin"])
@pytest.mark.parametrize(
    ("topics", "members", "expected"),
    [case[1:] for case in SAME + FOUR_ODD],
    ids=[case[0] for case in SAME + FOUR_ODD],
)
def test_range_and_roundrobin_give_what_kafka_gives_where_they_agree(
    name, topics, members, expected
):
    assert answered(name, topics, members) == expanded(expected)


@pytest.mark.parametrize(
    ("name", "topics", "members", "expected"),
    [(case[0], *case[2:]) for case in ONLY_ONE],
    ids=[f"{case[0]}: {case[1]}" for case in ONLY_ONE],
)
def test_range_and_roundrobin_give_what_kafka_gives_where_they_differ(
    name, topics, members, expected
):
    assert answered(name, topics, members) == expanded(expected)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("range", "topic1,topic2-0,1", "topic1,topic2-2"),
        ("roundrobin", "topic1-0,2 topic2-1", "topic1-1 topic2-0,2"),
    ],
)
@pytest.mark.parametrize("instance", STATICS.values(), ids=STATICS.keys())
def test_static_members_are_served_before_dynamic_ones_and_by_instance_id(
    instance, name, first, second
):
    members = {"consumer-b": Member(BOTH, "instance1"), "consumer-a": Member(BOTH, instance)}

    assert answered(name, {"topic1": 3, "topic2": 3}, members) == {
        "consumer-b": tps(first),
        "consumer-a": tps(second),
    }


def test_a_group_without_members_owns_nothing_under_range():
    assert answered("range", {"t": 3}, {}) == {}


def test_a_group_without_members_is_an_illegal_argument_for_roundrobin():
    with pytest.raises(AssignorError, match="0 members, expected at least 1") as raised:
        answered("roundrobin", {"t": 3}, {})

    assert raised.value.java_class == "IllegalArgumentException"


@settings(max_examples=150)
@given(groups(max_partitions=12))
def test_an_assignor_answers_as_the_specification_words_it(snapshot):
    assume(snapshot.member_count)
    for name, literal in LITERAL.items():
        note(name)

        answer = spelled(snapshot, ASSIGNORS[name]().assign(snapshot))

        expected = literal(plain(snapshot))
        assert answer == {
            member: " ".join(f"{topic}-{partition}" for topic, partition in sorted(tps))
            for member, tps in expected.items()
        }


def digest(snapshot, answer) -> str:
    """First 16 hex digits of SHA-256: a line for each member by id, its topic-partitions sorted as
    text.
    """
    names = [
        f"{snapshot.topic_name[topic]}-{partition}"
        for topic, partition in zip(
            snapshot.tp_topic.tolist(), snapshot.tp_partition.tolist(), strict=False
        )
    ]
    owned = {name: [] for name in snapshot.member_id}
    for tp, member in zip(names, answer.owner.tolist(), strict=False):
        owned[snapshot.member_id[member]].append(tp)
    lines = (f"{member}:{','.join(sorted(owned[member]))}\n" for member in sorted(owned))
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def rack_group(topics_of):
    topics = {f"r{number}": 12 for number in range(10)}
    racks = {
        name: ["abc"[(partition + number) % 3] for partition in range(12)]
        for number, name in enumerate(topics)
    }
    return group(
        topics,
        {
            f"m{row}": Member(" ".join(topics_of(row, topics)), rack="abc"[row % 3])
            for row in range(7)
        },
        racks=racks,
    )


def equal(_row, topics):
    return topics


def nonequal(row, topics):
    return [name for number, name in enumerate(topics) if number % 3 != row % 3]


@pytest.mark.parametrize(
    ("name", "topics_of", "expected"),
    [
        ("range", equal, "0dd2d8d2a643d190"),
        ("range", nonequal, "32f5f2bb1f5c73ec"),
        ("roundrobin", equal, "809df1ec8001c577"),
        ("roundrobin", nonequal, "f1f42acf24b1e465"),
    ],
)
def test_ten_racked_topics_are_assigned_as_kafka_does(name, topics_of, expected):
    snapshot = rack_group(topics_of)

    assert digest(snapshot, ASSIGNORS[name]().assign(snapshot)) == expected


def test_range_gives_kafkas_answer_for_a_million_partitions_and_two_thousand_members():
    topics = {f"t{number:03d}": 2000 for number in range(500)}
    subscribed = " ".join(topics)
    snapshot = group(topics, {f"c{row:04d}": subscribed for row in range(2000)})

    assert digest(snapshot, ASSIGNORS["range"]().assign(snapshot)) == "f50cd7dc2e67b40c"
