"""Causes from records of `__consumer_offsets`: differences between neighbours, moves, and records
that are damaged.
"""

import base64
import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.wire.consumer_protocol import assignment
from evenkeel.data.live.wire.coordinator_records import RecordCounts, record, records_of_dump
from evenkeel.data.rebalances.chains import owners_before
from evenkeel.data.rebalances.checked import checked
from evenkeel.data.rebalances.history import HistoryRequest, read_history
from evenkeel.forensics import Rebalances
from tests.data.rebalances.records import (
    ORDERS,
    classic,
    consumer,
    current,
    dump,
    epoch,
    gone,
    member,
    target,
    target_epoch,
)
from tests.data.rebalances.test_from_log import adds, begins, ends, log

_NOON = 1_795_435_200_000

NESTED = b'{"a":' + b"[" * 50_000
ORDERS_ID = base64.urlsafe_b64encode(ORDERS.bytes).decode().rstrip("=")


def read(*records, **how):
    return read_history(HistoryRequest(), dump=[("dump", dump(*records))], **how)


def causes(found):
    return [(one.cause, one.alternatives) for one in found.events]


def test_members_more_and_fewer_are_joins_and_leaves_with_the_partitions_that_moved():
    a, b = member("a-1", "a", [0, 1]), member("b-1", "b", [2])

    found = read(
        classic("pay", 1, member("a-1", "a", [0, 1, 2]), at=1_000, leader="a-1"),
        classic("pay", 2, a, b, at=2_000, leader="a-1"),
        classic("pay", 3, member("b-1", "b", [0, 1, 2]), at=3_000, leader="b-1"),
        classic("pay", 4, at=4_000),
    )

    assert causes(found) == [
        ("member_joined", ()),
        ("member_joined", ()),
        ("member_left", ("session_timeout", "poll_timeout")),
        ("member_left", ("session_timeout", "poll_timeout")),
    ]
    assert [one.moved for one in found.events[1:3]] == [
        [("orders-2", "a", "b")],
        [("orders-0", "a", "b"), ("orders-1", "a", "b")],
    ]
    assert [
        (one.start, one.joined, one.members, one.leader, one.assignor) for one in found.events[:2]
    ] == [
        (None, 1_000, 1, "a-1", "range"),
        (None, 2_000, 2, "a-1", "range"),
    ]


def test_a_generation_that_is_stored_again_and_the_first_record_of_generation_0_are_none():
    found = read(
        classic("pay", 0),
        classic("pay", 1, member("a-1", "a", [0])),
        classic("pay", 1, member("a-1", "a", [0])),
    )

    assert [one.generation for one in found.events] == [1]


def test_a_first_generation_that_nobody_is_left_in_has_no_known_cause():
    found = read(classic("pay", 1, at=1_000), classic("pay", 2, member("a-1", "a", [0]), at=2_000))

    assert [(one.generation, one.members, one.cause) for one in found.events] == [
        (1, 0, "unknown"),
        (2, 1, "member_joined"),
    ]


def test_a_generation_that_is_missing_leaves_the_cause_unknown_and_the_history_incomplete():
    found = read(
        classic("pay", 1, member("a-1", "a", [0]), at=1_000),
        classic("pay", 4, member("b-1", "b", [0]), at=9_000),
    )

    assert causes(found)[1] == ("unknown", ())
    assert found.summary()["complete_since"] == {"pay": "1970-01-01T00:00:09.000Z"}


@pytest.mark.parametrize(
    ("after", "protocol", "cause", "alternatives"),
    [
        (
            member("a-1", "a", [0, 1], topics=("orders", "refunds")),
            "range",
            "subscription_changed",
            (),
        ),
        (member("a-1", "a", [0, 1, 2]), "range", "metadata_changed", ()),
        (
            member("a-1", "a", [0, 1]),
            "range",
            "leader_rejoined",
            ("metadata_changed", "coordinator_moved"),
        ),
        (
            member("a-1", "a", [0, 1]),
            "cooperative-sticky",
            "follow_up",
            ("leader_rejoined", "metadata_changed"),
        ),
    ],
)
def test_the_same_members_are_told_by_what_they_subscribe_to_and_get(
    after, protocol, cause, alternatives
):
    found = read(
        classic("pay", 1, member("a-1", "a", [0, 1]), protocol=protocol),
        classic("pay", 2, after, protocol=protocol),
    )

    assert causes(found)[1] == (cause, alternatives)


def test_a_static_member_under_a_new_member_id_is_the_same_member():
    found = read(
        classic("pay", 1, member("slot-1-x", "a", [0], instance="slot-1")),
        classic("pay", 2, member("slot-1-y", "a", [0], instance="slot-1")),
    )

    assert found.events[1].members_joined == found.events[1].members_left == []


def test_a_client_that_goes_and_comes_in_one_generation_may_have_lost_its_coordinator():
    found = read(
        classic("pay", 1, member("a-1", "a", [0])), classic("pay", 2, member("a-2", "a", [0]))
    )

    assert causes(found)[1] == ("member_joined", ("coordinator_moved", "session_timeout"))
    assert [one.cause for one in found.events[1].triggers] == ["member_joined", "member_left"]


def test_an_epoch_has_its_members_its_moves_and_the_moment_at_which_everyone_was_stable():
    found = read(
        consumer("pay", "aaa", "a", at=1_000),
        epoch("pay", 2, at=1_000),
        target("pay", "aaa", [0, 1], at=1_001),
        target_epoch("pay", 2, at=1_001),
        current("pay", "aaa", 2, at=1_005),
        consumer("pay", "bbb", "b", at=5_000),
        epoch("pay", 3, at=5_000),
        target("pay", "aaa", [0], at=5_002),
        target("pay", "bbb", [1], at=5_002),
        target_epoch("pay", 3, at=5_002),
        current("pay", "bbb", 3, state=2, at=5_003),
        current("pay", "aaa", 3, at=5_800),
        current("pay", "bbb", 3, at=6_000),
        topics={ORDERS_ID: "orders"},
    )

    first, second = found.events
    assert [(one.start, one.joined, one.stable, one.members) for one in found.events] == [
        (1_000, 1_001, 1_005, 1),
        (5_000, 5_002, 6_000, 2),
    ]
    assert (first.generation_before, second.generation_before, second.duration_ms) == (
        None,
        2,
        1_000,
    )
    assert second.moved == [("orders-1", "a", "b")]
    assert [trigger.member.client_id for trigger in second.triggers] == ["b"]


def test_a_classic_group_that_is_converted_is_one_rebalance_whose_trigger_came_last():
    joined = classic("pay", 4, member("a-1", "a", [0]), at=1_000)
    found = read(
        classic("pay", 3, member("a-1", "a", [0]), at=500),
        joined,
        gone(joined, 2_000),
        consumer("pay", "a-1", "a", at=2_000),
        epoch("pay", 4, at=2_000),
        consumer("pay", "bbb", "b", at=2_000),
        epoch("pay", 5, at=2_000),
    )

    assert [(one.protocol, one.generation, one.cause) for one in found.events][2] == (
        "consumer",
        5,
        "protocol_converted",
    )
    assert (found.events[2].conversion, found.events[2].triggers[0].member.client_id) == (
        "classic_to_consumer",
        "b",
    )


def test_a_consumer_group_that_is_deleted_begins_anew_and_what_is_missing_before_is_said():
    first = [epoch("pay", number, at=1_000 * number) for number in range(2, 12)]
    second = [epoch("pay", number, at=100_000 + 1_000 * number) for number in range(2, 9)]

    found = read(
        consumer("pay", "aaa", "a"),
        *first,
        gone(first[-1], 50_000),
        consumer("pay", "bbb", "b", at=102_000),
        *second,
    )

    assert [one.generation for one in found.events] == [*range(2, 12), *range(2, 9)]
    assert (
        found.events[10].generation_before,
        found.events[10].cause,
        found.events[10].members,
    ) == (None, "member_joined", 1)
    assert found.summary()["complete_since"] == {"pay": "1970-01-01T00:01:42.000Z"}


def test_a_consumer_group_that_is_classic_again_goes_on_with_its_numbers():
    last = epoch("pay", 3, at=3_000)
    found = read(
        consumer("pay", "aaa", "a", at=2_000),
        epoch("pay", 2, at=2_000),
        consumer("pay", "bbb", "b", at=3_000),
        last,
        gone(last, 9_000),
        classic("pay", 3, member("bbb", "b", [0]), at=9_000),
        classic("pay", 4, member("bbb", "b", [0]), at=9_500),
    )

    assert [(one.protocol, one.generation, one.conversion) for one in found.events] == [
        ("consumer", 2, None),
        ("consumer", 3, None),
        ("classic", 4, "consumer_to_classic"),
    ]


def test_an_empty_classic_group_whose_number_a_new_consumer_group_has_too_is_not_converted():
    left = classic("pay", 2, at=2_000)

    found = read(
        classic("pay", 1, member("a-1", "a", [0])),
        left,
        gone(left, 3_000),
        consumer("pay", "bbb", "b", at=4_000),
        epoch("pay", 2, at=4_000),
        consumer("pay", "ccc", "c", at=5_000),
        epoch("pay", 3, at=5_000),
    )

    assert [(one.protocol, one.generation, one.cause) for one in found.events] == [
        ("classic", 1, "member_joined"),
        ("classic", 2, "member_left"),
        ("consumer", 2, "member_joined"),
        ("consumer", 3, "member_joined"),
    ]


@pytest.mark.parametrize(
    ("changed", "hashed", "cause"),
    [(("orders", "refunds"), 1, "subscription_changed"), (("orders",), 2, "metadata_changed")],
)
def test_an_epoch_without_comings_and_goings_is_told_by_topics_and_hash(changed, hashed, cause):
    found = read(
        consumer("pay", "aaa", "a"),
        epoch("pay", 2),
        consumer("pay", "aaa", "a", topics=changed),
        epoch("pay", 3, hashed),
        epoch("pay", 3, hashed),
    )

    assert causes(found) == [("member_joined", ()), (cause, ())]


def test_a_dump_that_is_read_twice_adds_nothing():
    records = [
        classic("pay", 1, member("a-1", "a", [0])),
        classic("pay", 2, member("a-1", "a", [0]), member("b-1", "b", [])),
    ]

    found = read_history(HistoryRequest(), dump=[("once", dump(*records) + dump(*records))])

    assert [one.generation for one in found.events] == [1, 2]
    assert (found.records.records, found.records.used, found.records.repeated) == (4, 2, 2)


def test_a_record_that_does_not_decode_is_counted_with_its_offset_and_is_never_fatal():
    key, value, at = classic("pay", 2, member("a-1", "a", [0]))
    damaged = [
        (key, value[:40], at),
        (key, struct.pack(">h", 9) + value[2:], at),
        (b"", b"", at),
        (key, value + b"x", at),
    ]

    found = read(
        classic("pay", 1, member("a-1", "a", [0])), *damaged, (struct.pack(">h", 0), b"", at)
    )

    assert [one.generation for one in found.events] == [1]
    assert (found.records.used, found.records.refused, found.records.other) == (1, 4, {0: 1})
    assert found.records.named[0].startswith("__consumer_offsets-0@1: group metadata: ")
    assert found.summary()["cut"] == 4


def test_a_time_beyond_the_year_9999_is_a_record_that_does_not_decode():
    key, value, _ = classic("pay", 2, member("a-1", "a", [0]), at=253_402_300_800_000)

    found = read(
        classic("pay", 1, member("a-1", "a", [0])), (key, value, 1_000), epoch("pay", 2, at=2**62)
    )

    assert [one.generation for one in found.events] == [1]
    assert (found.records.refused, len(found.summary()["from"])) == (2, 24)


NAMES = st.text(max_size=9)
NUMBERS = st.integers(0, 2**31 - 1)


@given(NAMES, NAMES, NAMES, NUMBERS, st.lists(NUMBERS, max_size=3))
def test_what_a_coordinator_writes_is_read_back(group, member_id, client, number, owned):
    counts = RecordCounts()
    written = (
        classic(group, number, member(member_id, client, owned), leader=member_id),
        epoch(group, number, hashed=7),
        consumer(group, member_id, client),
        target_epoch(group, number),
        target(group, member_id, owned),
        current(group, member_id, number, state=2),
    )

    first, *others = [
        record(0, place, at, key, value, counts) for place, (key, value, at) in enumerate(written)
    ]

    assert (counts.used, counts.refused, {one.group for one in (first, *others)}) == (6, 0, {group})
    (only,) = first.value.members
    assert (first.value.generation, first.value.leader, only.member_id, only.client_id) == (
        number,
        member_id,
        member_id,
        client,
    )
    assert assignment(only.assignment) == {"orders": sorted(owned)}
    of_epoch, of_member, of_target_epoch, of_target, of_current = others
    assert (of_epoch.value.number, of_epoch.value.extra, of_target_epoch.value.number) == (
        number,
        7,
        number,
    )
    assert (of_member.member, of_member.value.client_id, of_member.value.topics) == (
        member_id,
        client,
        ("orders",),
    )
    assert (of_target.member, of_target.value) == (member_id, {ORDERS_ID: owned} if owned else {})
    assert (of_current.member, of_current.value.epoch, of_current.value.state) == (
        member_id,
        number,
        2,
    )


@given(
    st.binary(max_size=200),
    st.binary(max_size=200) | st.none(),
    st.sampled_from([2, 3, 5, 6, 7, 8, 16]),
)
def test_any_bytes_are_a_record_or_are_counted(key, value, kind):
    counts = RecordCounts()

    found = record(0, 1, 5, struct.pack(">h", kind) + key, value, counts)

    assert (found is not None) + counts.refused + counts.other.total() == 1


def test_lines_that_are_no_records_are_counted():
    counts = RecordCounts()

    assert (
        list(
            records_of_dump(
                [
                    b"no json\n",
                    json.dumps({"partition": 0, "offset": 1, "key": "%%"}).encode(),
                    b"\n",
                    NESTED,
                ],
                counts,
            )
        )
        == []
    )
    assert (counts.records, counts.refused) == (3, 3)
    with pytest.raises(
        SnapshotError,
        match="no record about a group among 1, expected a dump of __consumer_offsets",
    ):
        read_history(HistoryRequest(), dump=[("dump", b"{}\n")])


def test_every_past_generation_is_replayed_and_one_that_range_would_not_give_is_found():
    right = classic("pay", 1, member("a-1", "a", [0, 1]), member("b-1", "b", [2]), leader="a-1")
    wrong = classic("pay", 2, member("a-1", "a", [2]), member("b-1", "b", [0, 1]), leader="a-1")

    found = read(right, wrong, classic("pay", 3), keeps_generations=True)

    assert [
        (one.generation, one.agrees, one.differences) for one in checked(found.generations)
    ] == [(1, True, 0), (2, False, 3)]


def test_owners_are_told_once_and_follow_from_the_moves_of_what_comes_after():
    steps = [{"a": [0, 1]}, {"a": [0], "b": [1, 2]}, {"b": [0, 1, 2]}, {"a": [2], "b": [0, 1]}]
    records = [
        classic(
            "pay",
            number,
            *(member(who, f"pay-{who}", owned) for who, owned in held.items()),
            at=1_795_435_200_000 + number,
        )
        for number, held in enumerate(steps, 1)
    ]

    found = read(*records).events

    assert [one.owned for one in found] == [{}, None, None, None]
    assert [owners_before(found, place) for place in range(4)] == [
        {},
        {"orders-0": "pay-a", "orders-1": "pay-a"},
        {"orders-0": "pay-a", "orders-1": "pay-b", "orders-2": "pay-b"},
        {"orders-0": "pay-b", "orders-1": "pay-b", "orders-2": "pay-b"},
    ]
    assert owners_before([found[0], *found[2:]], 2) is None


def kept_by(owned, number):
    """The record of a generation of `pay`, a second after the one before."""
    held = (member(who, f"pay-{who}", numbers) for who, numbers in owned.items())
    return classic("pay", number, *held, at=_NOON + 1_000 * number)


FOUR = [
    kept_by({"a": [0, 1]}, 2),
    kept_by({"a": [0], "b": [1]}, 3),
    kept_by({"b": [0, 1]}, 4),
    kept_by({"a": [1], "b": [0]}, 5),
]
AFTER_TWO, AFTER_THREE = (
    {"orders-0": "pay-a", "orders-1": "pay-a"},
    {"orders-0": "pay-a", "orders-1": "pay-b"},
)
AFTER_FOUR = {"orders-0": "pay-b", "orders-1": "pay-b"}


def test_a_rebalance_that_another_coordinator_began_again_hides_no_owner():
    first, again = (
        log(begins(3.2, 3, adds("c"))),
        log(begins(3.5, 3, adds("c")), *ends(4, 4), broker=2),
    )

    found = read_history(
        HistoryRequest(), [("one", first), ("two", again)], [("dump", dump(*FOUR))]
    ).events

    assert [(one.generation, one.moved is None) for one in found] == [
        (2, True),
        (3, False),
        (4, True),
        (4, False),
        (5, False),
    ]
    assert [owners_before(found, place) for place in (2, 3, 4)] == [
        AFTER_THREE,
        AFTER_THREE,
        AFTER_FOUR,
    ]


def test_what_is_left_after_others_are_left_out_has_the_owners_before_it():
    found = read(*FOUR)

    found.leave_out_before(_NOON + 4_000)

    assert [(one.generation, one.owned) for one in found.events] == [(4, AFTER_THREE), (5, None)]
    assert [owners_before(found.events, place) for place in (0, 1)] == [AFTER_THREE, AFTER_FOUR]


def test_each_row_tells_the_owners_before_it_so_that_rows_can_be_cut_anywhere():
    rows = Rebalances(read(*FOUR)).rows.to_dicts()

    owned = [
        row["owned"] and {each["partition"]: each["member"] for each in row["owned"]}
        for row in rows
    ]
    assert owned[1:] == [AFTER_TWO, AFTER_THREE, AFTER_FOUR]
