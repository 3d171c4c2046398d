import pytest

from evenkeel.data.sources.console.listing import parse
from tests.data.sources.corpus import corpus, rows_of, said


def test_a_state_is_a_row_about_the_group_alone():
    assert said(corpus("state-2.0.txt").members) == {"group_state": "Stable", "assignor": "range"}


def test_an_empty_group_has_no_assignor():
    assert rows_of(
        corpus("state-2.3.txt").members, "group_id", "group_state", "assignor", "member_id"
    ) == [
        ("night batch", "Empty", None, None),
        ("payments", "PreparingRebalance", "cooperative-sticky", None),
    ]


def test_epochs_of_4_x_show_a_group_of_the_consumer_protocol():
    assert rows_of(
        corpus("state-4-verbose.txt").members,
        "group_id",
        "group_type",
        "assignor",
        "group_epoch",
        "assignment_epoch",
    ) == [
        ("payments", "consumer", "uniform", 15, 14),
        ("old one", None, None, None, None),
    ]


def test_a_list_of_groups_gives_type_and_state():
    members = corpus("list-type-state.txt").members

    assert rows_of(members, "group_id", "group_type", "group_state") == [
        ("payments", "consumer", "Stable"),
        ("night batch", "classic", "Empty"),
    ]


def test_a_word_that_is_no_state_is_no_row():
    parsed = parse(b"GROUP STATE\npayments Stable\nany other line\n", "f")

    assert parsed.row_count == 1
    assert parsed.rejected["text"].to_pylist() == ["any other line"]


@pytest.mark.parametrize(
    ("file", "topic_id"),
    [
        ("topics-2.3.txt", None),
        ("topics-2.6.txt", None),
        ("topics-3.5.txt", "LkLS-N4OSSK11RYzgIc1Eg"),
        ("topics-3.9.txt", "LkLS-N4OSSK11RYzgIc1Eg"),
    ],
)
def test_topics_have_their_true_size_their_id_and_the_brokers_of_each_partition(file, topic_id):
    topics = corpus(file).topics

    assert rows_of(topics, "topic", "topic_id", "partition_count", "partition", "replicas") == [
        ("orders", topic_id, 2, None, None),
        ("orders", None, None, 0, [1, 2]),
        ("orders", None, None, 1, [2, 1]),
    ]


def test_topics_whose_tabs_became_blanks_are_read_too():
    summary = (
        b"Topic: orders   TopicId: LkLS-N4OSSK11RYzgIc1Eg PartitionCount: 1      "
        b" ReplicationFactor: 1    Configs: a=b,c=d\n"
    )
    text = (
        summary
        + b"        Topic: orders   Partition: 0    Leader: 1       Replicas: 1     Isr: 1\n"
    )

    assert rows_of(
        parse(text, "f").topics, "topic", "partition_count", "partition", "replicas"
    ) == [
        ("orders", 1, None, None),
        ("orders", None, 0, [1]),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "\tTopic: orders\tPartition: 1000001\tLeader: 1\tReplicas: 1\tIsr: 1",
            "Partition is '1000001', expected a whole number from 0 to 1,000,000",
        ),
        (
            "Topic: orders\tPartitionCount: -2\tReplicationFactor: 1\tConfigs:",
            "PartitionCount is '-2', expected a whole number from 0 to 1,000,001",
        ),
        (
            "Topic: orders\tTopicId: short\tPartitionCount: 2\tReplicationFactor: 1\tConfigs:",
            "TopicId is 'short', expected 22 characters of base64url",
        ),
    ],
)
def test_topics_that_cannot_be_are_rejected_with_the_reason(line, reason):
    assert parse(line.encode(), "f").rejected["reason"].to_pylist() == [reason]


def test_listings_of_one_group_follow_one_another_in_one_file():
    parsed = corpus("everything.txt")

    assert (parsed.topics.num_rows, parsed.members.num_rows, parsed.offsets.num_rows) == (3, 6, 5)
    assert parsed.formats == (
        "kafka-topics --describe",
        "kafka-consumer-groups --describe --state --verbose, Kafka 4.x",
        "kafka-consumer-groups --describe --members --verbose, Kafka 4.x",
        "kafka-consumer-groups --describe, Kafka 2.3 to 4.x",
    )
