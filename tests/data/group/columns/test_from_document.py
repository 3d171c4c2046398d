import json
import re
from datetime import UTC, datetime

import numpy as np
import pytest

from evenkeel.assignors.assignment import UNASSIGNED
from evenkeel.assignors.group import NO_GENERATION, NO_RACK, UNKNOWN
from evenkeel.assignors.group.snapshot import topics_as_sent
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.columns import document_of, observed_from_document
from evenkeel.data.group.document import FORMAT, Document, Member, Partition, Topic, decode
from tests.data.group.columns.observed import owned
from tests.generated.small_documents import EXAMPLE, changed, document


def observed(written: dict):
    return observed_from_document(decode(json.dumps(written)))


def test_the_example_of_the_contract_becomes_columns():
    group = observed(EXAMPLE)

    assert (group.group_id, group.taken_at, group.level, group.assumed) == (
        "payments",
        datetime(2026, 11, 20, 8, tzinfo=UTC),
        4,
        (),
    )
    assert (group.client_id, group.host) == (("pay-a",), ("/10.4.1.17",))
    snapshot = group.snapshot
    assert (
        snapshot.topic_name,
        snapshot.partition_count.tolist(),
        snapshot.topic_known.tolist(),
    ) == (("orders",), [2], [True])
    assert snapshot.begin_offset.tolist() == [9000, 0]
    assert snapshot.end_offset.tolist() == [121003, 88120]
    assert snapshot.committed_offset.tolist() == [120455, UNKNOWN]
    assert snapshot.given_lag.tolist() == [UNKNOWN, UNKNOWN]
    assert (
        snapshot.rack_name,
        snapshot.replica_start.tolist(),
        snapshot.replica_rack.tolist(),
    ) == (("a", "b"), [0, 2, 2], [0, 1])
    assert (snapshot.member_id, snapshot.generation.tolist(), snapshot.member_rack.tolist()) == (
        ("pay-a-0f3c",),
        [7],
        [NO_RACK],
    )
    assert group.current.owner.tolist() == [0, UNASSIGNED]


def test_a_topic_id_is_two_signed_halves():
    # LkLS-N4OSSK11RYzgIc1Eg is 2e42d2f8-de0e-4922-b5d5-163380873512 in hexadecimal.
    group = observed(EXAMPLE).snapshot

    assert group.topic_id.tolist() == [[0x2E42D2F8DE0E4922, 0xB5D5163380873512 - 2**64]]
    assert group.topic_id_known.tolist() == [True]


def test_topics_are_sorted_as_java_sorts_and_remember_their_place_in_the_document():
    # A supplementary character is a surrogate pair in UTF-16 and sorts before U+FFEE.
    group = observed(document({"b": 1, "\uffee": 2, "\U0001f600": 3, "a": 4}))

    assert group.snapshot.topic_name == ("a", "b", "\U0001f600", "\uffee")
    assert group.snapshot.partition_count.tolist() == [4, 1, 3, 2]
    assert group.topic_order.tolist() == [3, 0, 2, 1]


def test_names_that_only_members_mention_become_unknown_topics_of_no_partitions():
    written = document({"t": 1}, A="t wanted", B="")
    written["members"][1] |= {"owned": {"deleted": [0], "nothing": []}, "current": {"revoked": [3]}}

    group = observed(written)

    assert group.snapshot.topic_name == ("deleted", "nothing", "revoked", "t", "wanted")
    assert group.snapshot.topic_known.tolist() == [False, False, False, True, False]
    assert group.snapshot.partition_count.tolist() == [0, 0, 0, 1, 0]
    assert group.topic_order.tolist() == [1, 2, 3, 0, 4]


def test_a_topic_that_is_subscribed_twice_stands_twice_and_equal_subscriptions_are_one():
    group = observed(document({"t0": 1, "t1": 1}, A="t1 t0", B="t0 t1", C="t0 t0", D="")).snapshot

    assert [rows.tolist() for rows in group.topic_lists] == [[0, 1], [0, 0], []]
    assert group.subscription.tolist() == [0, 0, 1, 2]


def test_claims_stay_in_document_order_also_twice_and_beyond_the_topic():
    group = observed(changed("members.0.owned", {"orders": [1, 0, 1, 7], "gone": [3]}))

    assert owned(group) == {
        "pay-a-0f3c": [("orders", 1), ("orders", 0), ("orders", 1), ("orders", 7), ("gone", 3)]
    }


def test_the_first_claimant_owns_a_partition_and_the_others_are_extra():
    written = document({"t": 2}, A="t", B="t")
    written["members"][0]["owned"] = {"t": [0, 0, 9]}
    written["members"][1]["owned"] = {"t": [1, 0]}

    current = observed(written).current

    assert current.owner.tolist() == [0, 1]
    assert current.extra.tolist() == [[0, 0, 9], [1, 0, 0]]


def test_what_a_member_has_now_counts_before_what_it_will_have():
    written = document({"t": 2}, A="t", B="t")
    written["members"][0] |= {"owned": {"t": [0]}, "current": {"t": [0, 1]}}
    written["members"][1] |= {"owned": {"t": [1]}, "current": {}}

    group = observed(written)

    assert group.current.owner.tolist() == [0, 0]
    assert owned(group) == {"A": [("t", 0)], "B": [("t", 1)]}


def test_an_empty_rack_is_no_rack_of_a_member_but_a_rack_of_a_broker():
    written = document({"t": [{"racks": ["", None, "a"]}]}, A="t", B="t")
    written["members"][0]["rack"], written["members"][1]["rack"] = "", "z"

    group = observed(written).snapshot

    assert group.rack_name == ("", "a", "z")
    assert group.replica_rack.tolist() == [0, NO_RACK, 1]
    assert group.member_rack.tolist() == [NO_RACK, 2]


def test_what_is_not_known_of_a_member_is_none():
    group = observed(document({"t": 1}, A="t"))

    assert (group.client_id, group.host, group.snapshot.instance_id) == ((None,), (None,), (None,))
    assert (group.snapshot.generation.tolist(), group.epoch.tolist()) == (
        [NO_GENERATION],
        [UNKNOWN],
    )


def test_a_regular_expression_adds_the_topics_that_match_as_a_whole_to_the_names():
    written = document({"orders": 1, "orders-eu": 1, "xorders": 1}, A="xorders gone", B="orders")
    written["members"][0] |= {"subscribed_regex": "ord.*", "owned": {}}
    written["members"][1]["owned"] = {}

    group = observed(written)

    assert [
        group.snapshot.topic_name[topic]
        for topic in group.snapshot.topic_lists[group.snapshot.subscription[0]]
    ] == [
        "gone",
        "orders",
        "orders-eu",
        "xorders",
    ]
    assert group.assumed == ()
    assert group.subscribed_regex == ("ord.*", None)
    assert document_of(group)["members"][0]["subscribed"] == ["xorders", "gone"]


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("(a", "missing )"),
        ("a(?=b)", "invalid perl operator"),
        ("*", "no argument for repetition operator"),
        ("a{2000}", "invalid repetition size"),
    ],
)
def test_what_is_no_re2_expression_is_refused_by_its_path(expression, reason):
    written = document({"t": 1}, A="t", B="t")
    written["members"][1]["subscribed_regex"] = expression

    with pytest.raises(
        SnapshotError,
        match=re.escape(
            f"members[1].subscribed_regex: found {expression!r}, expected an RE2 expression:"
            f" {reason}"
        ),
    ):
        observed(written)


def test_an_expression_of_too_many_characters_is_refused_with_its_path_and_length():
    written = document({"t": 1}, A="t", B="t")
    written["members"][1]["subscribed_regex"] = "(" * 8_000 + ")" * 8_000

    with pytest.raises(SnapshotError) as refusal:
        observed(written)

    assert (
        str(refusal.value)
        == "members[1].subscribed_regex: found an RE2 expression of 16,000 characters, expected at"
        " most 4,096"
    )


def test_expressions_of_one_group_that_take_too_much_work_together_are_refused():
    written = document({"t": 1}, **{f"M{number}": "t" for number in range(60)})
    for number, member in enumerate(written["members"]):
        # 3,601 characters and the number, each counted as 50 partitions: 28 of them cross five
        # million.
        member["subscribed_regex"] = f"{'[a-z]?' * 600}{number}"

    with pytest.raises(
        SnapshotError,
        match=(
            r"^members\[27\]\.subscribed_regex: matching 28 expressions with 1 topics takes the"
            r" work of "
        ),
    ):
        observed(written)


def test_a_name_too_long_to_be_repeated_is_refused_by_its_path_and_length():
    written = document({"t": 1}, A="t", B="t")
    written["members"][1]["client_id"] = "c" * 1_001

    with pytest.raises(
        SnapshotError,
        match=r"^members\[1\]\.client_id: found 1,001 characters, expected at most 1,000$",
    ):
        observed(written)

    with pytest.raises(
        SnapshotError, match=r"^topics\[1\]\.name: found 1,001 characters, expected at most 1,000$"
    ):
        observed(document({"z": 1, "a" * 1_001: 1}))


def test_the_level_says_what_a_document_knows():
    assert observed(document({"t": 1})).level == 0
    assert observed(document({"t": [{"lag": 5}]})).level == 1
    assert observed(document({"t": [{"end_offset": 9, "committed_offset": 5}]})).level == 1
    assert observed(document({"t": [{"committed_offset": 5}]})).level == 0
    owners = document({"t": 1}, A="t")
    owners["members"][0]["owned"] = {"t": [0]}
    assert observed(owners | {"assumed": ["members", "members[*].subscribed"]}).level == 2
    assert observed(owners | {"assumed": ["members[*].subscribed"]}).level == 3
    assert observed(owners).level == 4


def test_where_no_member_says_what_it_owns_nobody_knows_the_current_assignment():
    group = observed(document({"t": [{"lag": 5}]}, A="t", B="t"))

    assert (group.current, group.level, group.assumed) == (None, 1, ("members[*].owned",))


def test_the_current_assignment_is_unknown_if_one_member_owns_nothing_and_another_is_silent():
    written = document({"t": 1}, A="t", B="t")
    written["members"][0]["owned"] = {}

    group = observed(written)

    assert (group.current, group.level, group.assumed) == (None, 0, ("members[1].owned",))


def test_a_member_that_joins_and_does_not_say_what_it_owns_has_nothing():
    written = document({"t": 1}, A="t", B="t")
    written["members"][0]["owned"] = {"t": [0]}

    group = observed(written)

    assert (group.current.owner.tolist(), group.level, group.assumed) == ([0], 4, ())


def test_a_group_of_nothing_is_a_group():
    group = observed({"format": "evenkeel.group/1"})

    assert (
        group.snapshot.topic_count,
        group.snapshot.tp_count,
        group.snapshot.member_count,
        group.level,
    ) == (0, 0, 0, 0)
    assert group.snapshot.first_tp.tolist() == [0]
    assert group.current.extra.shape == (0, 3)


def test_a_million_partitions_in_a_count_are_columns_of_unknowns():
    group = observed(document({"t": 1_000_000}, A="t")).snapshot

    assert group.tp_count == 1_000_000
    assert np.unique(group.end_offset, return_counts=True)[1].tolist() == [1_000_000]
    assert group.replica_start.shape == (1_000_001,)


def test_a_topic_of_which_a_member_owns_nothing_keeps_its_place_among_those_it_owns():
    written = document({"t": 2, "u": 2}, A="t u", B="t u")
    written["members"][1]["owned"] = {"u": [1], "v": None, "gone": [], "t": [0]}

    group = observed(written)

    assert [group.snapshot.topic_name[topic] for topic in range(3)] == ["gone", "t", "u"]
    assert group.snapshot.owned_empty.tolist() == [[1, 0, 1]]
    assert list(document_of(group)["members"][1]["owned"].items()) == [
        ("u", [1]),
        ("gone", []),
        ("t", [0]),
    ]


def test_a_member_keeps_the_order_in_which_it_sent_its_topics():
    group = observed(document({"a": 1, "b": 1, "c": 1}, A="b c a", B="a b c"))

    assert topics_as_sent(group.snapshot, 0).tolist() == [1, 2, 0]
    assert topics_as_sent(group.snapshot, 1).tolist() == [0, 1, 2]
    assert [member["subscribed"] for member in document_of(group)["members"]] == [
        ["b", "c", "a"],
        ["a", "b", "c"],
    ]


def _claiming(generation, **facts):
    members = [
        Member("a", ["t"], owned={"t": [0, 1]}, generation=generation),
        Member("b", ["t"], owned={"t": [1]}, generation=5),
    ]
    topics = [Topic("t", [Partition(lag=10), Partition(lag=90)])]
    return observed_from_document(
        Document(format=FORMAT, group_id="g", topics=topics, members=members, **facts)
    )


def test_a_stale_claim_loses_to_the_one_with_the_higher_generation():
    current = _claiming(4).current

    assert (current.owner.tolist(), current.extra.tolist()) == ([0, 1], [])


def test_claims_of_one_generation_are_both_owners_and_members_of_a_share_group_always_are():
    assert _claiming(5).current.extra.tolist() == [[1, 0, 1]]
    assert _claiming(4, type="share").current.extra.tolist() == [[1, 0, 1]]
