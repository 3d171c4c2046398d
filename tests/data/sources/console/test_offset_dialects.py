import pytest

from evenkeel.data.sources.source import Context
from tests.data.sources.corpus import corpus, rows_of, said

A, B, C = (
    f"{client}-51f0984c-55c7-4d0e-9f0b-2a6d1b7c9e0{number}"
    for client, number in (("pay-a", 1), ("pay-b", 2), ("pay-c", 3))
)
NUMBERS = [
    ("orders", 0, 120455, 121003, 548),
    ("orders", 1, None, 88120, None),
    ("orders", 2, 400, 397, -3),
    ("refunds", 0, 771, 771, 0),
    ("refunds", 1, 12, None, None),
]
OWNERS = [
    (A, "pay-a", "/10.4.1.17"),
    (B, "pay-b", "/10.4.1.18"),
    (B, "pay-b", "/10.4.1.18"),
    (None, None, None),
    (None, None, None),
]
PRINTED_OWNERS = [(client and f"{client}_{host}", client, host) for _, client, host in OWNERS]

FORMATS = {
    "offsets-0.8.2.txt": "ConsumerOffsetChecker, Kafka 0.8.2",
    "offsets-0.9.0.txt": "kafka-consumer-groups --describe, Kafka 0.9.0",
    "offsets-0.10.0.txt": "kafka-consumer-groups --describe, Kafka 0.10.0 to 0.10.1",
    "offsets-0.10.2.txt": "kafka-consumer-groups --describe, Kafka 0.10.2 to 1.0",
    "offsets-1.1.txt": "kafka-consumer-groups --describe, Kafka 1.1 to 2.2",
    "offsets-2.0.txt": "kafka-consumer-groups --describe, Kafka 1.1 to 2.2",
    "offsets-2.3.txt": "kafka-consumer-groups --describe, Kafka 2.3 to 4.x",
    "offsets-4-verbose.txt": "kafka-consumer-groups --describe --verbose, Kafka 4.x",
}


@pytest.mark.parametrize("file", FORMATS)
def test_each_dialect_gives_the_rows_that_it_prints(file):
    offsets = corpus(file).offsets

    assert (
        rows_of(offsets, "topic", "partition", "committed_offset", "end_offset", "listed_lag")
        == NUMBERS
    )
    owners = (
        PRINTED_OWNERS
        if file in ("offsets-0.8.2.txt", "offsets-0.9.0.txt", "offsets-0.10.0.txt")
        else OWNERS
    )
    assert rows_of(offsets, "member_id", "client_id", "host") == owners


@pytest.mark.parametrize("file", FORMATS)
def test_each_dialect_is_named_for_people_and_in_every_row(file):
    parsed = corpus(file)

    assert parsed.formats == (FORMATS[file],)
    assert set(parsed.offsets["source_format"].to_pylist()) == {FORMATS[file]}


@pytest.mark.parametrize("file", FORMATS)
def test_a_listing_without_a_group_column_has_the_group_that_the_caller_names(file):
    named = file not in ("offsets-0.10.2.txt", "offsets-1.1.txt", "offsets-2.0.txt")

    unnamed, given = corpus(file), corpus(file, context=Context(group_id="billing"))

    assert set(unnamed.offsets["group_id"].to_pylist()) == {"payments" if named else None}
    assert set(given.offsets["group_id"].to_pylist()) == {"payments" if named else "billing"}


@pytest.mark.parametrize(
    "file",
    [
        "offsets-0.10.2.txt",
        "offsets-1.1.txt",
        "offsets-2.0.txt",
        "offsets-2.3.txt",
        "offsets-4-verbose.txt",
    ],
)
def test_a_member_without_partitions_is_a_member_that_owns_nothing(file):
    members = corpus(file).members

    expected = {
        "member_id": C,
        "client_id": "pay-c",
        "host": "/10.4.1.19",
        "owned": [],
        "partition_count": 0,
    }
    assert said(members) == expected | (
        {"group_id": "payments"} if file in ("offsets-2.3.txt", "offsets-4-verbose.txt") else {}
    )


def test_the_verbose_listing_of_4_x_has_leader_epochs():
    assert corpus("offsets-4-verbose.txt").offsets["leader_epoch"].to_pylist() == [
        4,
        4,
        5,
        None,
        None,
    ]


def test_consumers_of_zookeeper_have_no_host_and_no_client_id():
    offsets = corpus("offsets-0.10.2-zookeeper.txt").offsets

    assert rows_of(offsets, "member_id", "client_id", "host") == [
        (A, None, None),
        (B, None, None),
        (B, None, None),
        (None, None, None),
        (None, None, None),
    ]


def test_rows_carry_file_line_moment_and_cluster():
    offsets = corpus("offsets-2.3.txt", context=Context(first_line=101, cluster="eu")).offsets

    assert offsets["source_line"].to_pylist() == [103, 104, 105, 106, 107]
    assert set(rows_of(offsets, "source_file", "cluster")) == {("offsets-2.3.txt", "eu")}


def test_each_group_of_all_groups_has_its_own_header_and_rows():
    offsets = corpus("all-groups-2.3.txt").offsets

    assert rows_of(offsets, "group_id", "topic", "partition", "source_line") == [
        ("batch", "orders", 0, 5),
        ("batch", "orders", 1, 6),
        ("payments", "orders", 0, 9),
        ("payments", "orders", 1, 10),
    ]


def test_long_topics_that_shift_columns_are_split_by_words():
    offsets = corpus("long-topics-0.10.0.txt").offsets

    assert rows_of(offsets, "group_id", "topic", "partition", "client_id") == [
        ("payments", "a-topic-whose-name-is-longer-than-thirty-characters", 0, "pay-a"),
        ("night batch", "a-topic-whose-name-is-longer-than-thirty-characters", 1, "pay b (blue)"),
        ("payments", "refunds", 0, None),
    ]


def test_a_member_id_of_fifty_characters_that_runs_into_its_host_is_taken_apart():
    offsets = corpus("long-ids-0.10.2.txt").offsets

    assert rows_of(offsets, "member_id", "host", "client_id")[:2] == [
        ("payments-service-51f0984c-55c7-4d0e-9f0b-2a6d1b7c9e01", "/10.4.1.17", "payments-service"),
        (
            "payments service (blue)-51f0984c-55c7-4d0e-9f0b-2a6d1b7c9e02",
            "/10.4.1.18",
            "payments service (blue)",
        ),
    ]
