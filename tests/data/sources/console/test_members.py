import pytest

from evenkeel.data.sources.console.listing import parse
from evenkeel.data.sources.source import Context
from tests.data.sources.corpus import corpus, rows_of, said

A, B, C = (
    f"{client}-51f0984c-55c7-4d0e-9f0b-2a6d1b7c9e0{number}"
    for client, number in (("pay-a", 1), ("pay b (blue)", 2), ("pay-c", 3))
)
HEADER = "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT"
STATIC = "static 1-51f0984c-55c7-4d0e-9f0b-2a6d1b7c9e01"
OWNED = [
    [{"topic": "orders", "partitions": [0, 1]}, {"topic": "refunds", "partitions": [2]}],
    [],
    [{"topic": "orders", "partitions": [2, 10]}],
]


@pytest.mark.parametrize("file", ["members-2.0-verbose.txt", "members-2.3-verbose.txt"])
def test_verbose_members_say_what_they_own(file):
    members = corpus(file).members

    assert rows_of(members, "member_id", "client_id", "host", "partition_count") == [
        (A, "pay-a", "/10.4.1.17", 3),
        (B, "pay b (blue)", "/10.4.1.18", 0),
        (C, "pay-c", "/10.4.1.19", 2),
    ]
    assert members["owned"].to_pylist() == OWNED


@pytest.mark.parametrize("file", ["members-2.0.txt", "members-2.3.txt"])
def test_members_without_verbose_say_only_how_many_and_that_is_known_only_for_none(file):
    assert rows_of(corpus(file).members, "partition_count", "owned") == [
        (3, None),
        (0, []),
        (2, None),
    ]


def test_members_without_a_group_column_have_the_group_that_the_caller_names():
    assert (
        corpus("members-2.0.txt", context=Context(group_id="billing"))
        .members["group_id"]
        .to_pylist()
        == ["billing"] * 3
    )


def test_an_instance_id_belongs_to_its_static_member_only():
    members = corpus("members-2.6-static-verbose.txt").members

    assert rows_of(members, "group_id", "member_id", "instance_id") == [
        ("payments", STATIC, "static 1"),
        ("payments", B, None),
        ("payments", C, None),
    ]


def test_an_assignment_without_topic_names_is_not_guessed():
    assert rows_of(corpus("members-3.8-verbose.txt").members, "partition_count", "owned") == [
        (3, None),
        (0, []),
        (2, None),
    ]


@pytest.mark.parametrize("file", ["members-4-verbose.txt", "members-4-migrating-verbose.txt"])
def test_a_member_of_the_consumer_protocol_owns_its_target_and_has_what_differs(file):
    members = corpus(file).members

    assert said(members) == {
        "group_id": "payments",
        "group_type": "consumer",
        "member_id": A,
        "client_id": "pay-a",
        "host": "/10.4.1.17",
        "owned": [{"topic": "orders", "partitions": [0]}],
        "current": OWNED[0],
        "partition_count": 3,
        "epoch": 14,
        "assignment_epoch": 15,
    }
    assert members["owned"].to_pylist()[1:] == [
        [{"topic": "orders", "partitions": [1]}, {"topic": "refunds", "partitions": [2]}],
        OWNED[2],
    ]
    assert members["current"].to_pylist()[1:] == [[], None]


def test_a_classic_member_in_a_listing_of_4_x_owns_what_it_has_now():
    members = corpus("members-4-classic-verbose.txt").members

    known = rows_of(members, "owned", "current", "epoch", "assignment_epoch", "group_type")
    assert known == [(owned, None, None, None, None) for owned in OWNED]


def test_padded_cells_of_all_groups_end_where_the_name_ends():
    assert rows_of(
        corpus("members-4-all-groups.txt").members, "group_id", "client_id", "instance_id"
    ) == [
        ("night batch", "pay-a", None),
        ("night batch", "pay b (blue)", None),
        ("night batch", "pay-c", None),
        ("payments", "pay-a", "static 1"),
        ("payments", "pay b (blue)", None),
        ("payments", "pay-c", None),
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("g a-1 /10.0.0.1 a 2 orders(0,1)", ("g", "a-1", None, "a")),
        ("g a-1 i /10.0.0.1 a b 2 =cmd()(0,1)", ("g", "a-1", "i", "a b")),
    ],
)
def test_members_whose_blanks_collapsed_are_split_by_words(row, expected):
    header = "GROUP CONSUMER-ID GROUP-INSTANCE-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\n"

    members = parse((header + row).encode(), "f").members

    assert rows_of(members, "group_id", "member_id", "instance_id", "client_id") == [expected]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (
            "g a-1 /10.0.0.1 a 3 orders(0,1)",
            "#PARTITIONS is 3, expected 2 as in the assignment 'orders(0,1)'",
        ),
        (
            "g a-1 /10.0.0.1 a 1 orders(1000001)",
            (
                "a partition of the assignment is '1000001', expected a whole number from 0 to"
                " 1,000,000"
            ),
        ),
        (
            "g x a-1 /10.0.0.1 a 1 orders(0)",
            (
                "can be cut in several ways and is not aligned with its header, expected 6"
                f" columns: {HEADER}"
            ),
        ),
        ("g a-1 /10.0.0.1 a", f"not a row of this listing, expected 6 columns: {HEADER}"),
    ],
)
def test_members_that_cannot_be_are_rejected_with_the_reason(row, reason):
    assert parse(f"{HEADER}\n{row}".encode(), "f").rejected["reason"].to_pylist() == [reason]
