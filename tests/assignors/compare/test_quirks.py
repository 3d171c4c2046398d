"""Behaviour of assignors that surprises, and whom it strikes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from evenkeel.assignors import ASSIGNORS, CLIENTS
from evenkeel.assignors.compare.quirks import quirks, sticky_quirks
from evenkeel.assignors.protocol import serving
from evenkeel.data.sources.examples.worked_examples import WORKED_EXAMPLES
from tests.assignors.groups import Member, group, spelled
from tests.assignors.kafka.sticky.test_literal import snapshot_of
from tests.generated.skewed_documents import skewed_documents

OF_KAFKA = {
    name: ASSIGNORS[name]
    for name in (
        "range",
        "roundrobin",
        "sticky",
        "cooperative-sticky",
        "lag",
        "uniform",
        "broker-range",
        "simple",
    )
}


def struck(snapshot, name, **settings):
    assignor = ASSIGNORS[name](**settings)
    found = quirks(snapshot, assignor, assignor.assign(snapshot))
    return {
        quirk.name: [
            f"{snapshot.member_id[member]}:{snapshot.topic_name[topic]}"
            for member, topic in zip(quirk.member, quirk.topic, strict=False)
        ]
        for quirk in found
    }


@pytest.mark.parametrize("name", ["range", "broker-range"])
def test_the_first_members_carry_the_remainders_of_range(name):
    assert struck(group({"t0": 3, "t1": 3}, A="t0 t1", B="t0 t1"), name) == {
        "remainder": ["A:t0", "A:t1"]
    }
    assert struck(group({"t0": 3, "t1": 2}, A="t0 t1", B="t0 t1"), name) == {}


def test_a_member_without_rack_takes_what_is_local_to_another():
    members = {"A": Member("t0"), "B": Member("t0", rack="b")}

    assert struck(group({"t0": 2}, members, racks={"t0": ["b", "a"]}), "range") == {"Q-1": ["B:t0"]}
    assert struck(group({"t0": 2}, members, racks={"t0": ["a", "b"]}), "range") == {}


def test_a_topic_that_needs_racks_makes_a_distant_member_the_last_one_in_others():
    members = {"A": Member("t0 t1 t2", rack="z"), "B": Member("t0 t1 t2", rack="b")}
    snapshot = group(
        {"t0": 2, "t1": 3, "t2": 3},
        members,
        racks={"t0": ["b", "z"], "t1": ["b"] * 3, "t2": ["b"] * 3},
    )

    assert spelled(snapshot, ASSIGNORS["range"]().assign(snapshot)) == {
        "A": "t0-1 t1-2 t2-2",
        "B": "t0-0 t1-0 t1-1 t2-0 t2-1",
    }
    assert struck(snapshot, "range") == {"Q-2": ["A:t1", "A:t2"]}


def test_a_topic_that_needs_racks_puts_a_distant_member_last_in_all_topics_of_its_size():
    racks = {"audit": ["a", "b"], "clicks": ["a b", "a b"], "logins": ["a b", "a b"]}
    members = {
        name: Member("audit clicks logins", rack=rack)
        for name, rack in (("m1", "z"), ("m2", "a"), ("m3", "b"))
    }
    snapshot = group(dict.fromkeys(racks, 2), members, racks=racks)

    assert spelled(snapshot, ASSIGNORS["range"]().assign(snapshot)) == {
        "m1": "",
        "m2": "audit-0 clicks-0 logins-0",
        "m3": "audit-1 clicks-1 logins-1",
    }
    assert struck(snapshot, "range") == {"Q-2": ["m1:clicks", "m1:logins"]}
    assert struck(snapshot, "broker-range")["remainder"] == [
        "m1:audit",
        "m1:clicks",
        "m1:logins",
        "m2:audit",
        "m2:clicks",
        "m2:logins",
    ]


def test_roundrobin_is_far_from_even_where_subscriptions_differ():
    assert struck(
        group({"t0": 1, "t1": 2, "t2": 3}, C0="t0", C1="t0 t1", C2="t0 t1 t2"), "roundrobin"
    ) == {"Q-3": ["C2:t1"]}
    assert struck(group({"t0": 5, "t1": 4}, A="t0 t1", B="t0 t1"), "roundrobin") == {}


def test_lag_gives_all_topics_of_one_partition_to_the_smallest_member_id():
    assert struck(
        group({"t0": 1, "t1": 1, "t2": 1}, B="t0 t1 t2", A="t0 t1 t2", lag=[5, 9, 7]), "lag"
    ) == {"Q-24": ["A:t0", "A:t1", "A:t2"]}
    assert struck(group({"t0": 1, "t1": 3}, A="t0 t1", B="t0 t1", lag=[5, 9, 1, 1]), "lag") == {}


@pytest.mark.parametrize("name", ["range", "roundrobin", "broker-range"])
def test_two_members_with_one_instance_id_are_named(name):
    members = {
        "A": Member("t", instance="i"),
        "B": Member("t", instance="i"),
        "C": Member("t", instance="j"),
    }

    assert struck(group({"t": 3}, members), name) == {"Q-25": ["A:t", "B:t"]}
    assert struck(group({"t": 3}, A=Member("t", instance="i"), B=Member("t")), name) == {}


@pytest.mark.parametrize("name", ["uniform", "broker-range"])
def test_the_broker_gives_distant_partitions(name):
    members = {"A": Member("t", rack="a"), "B": Member("t", rack="b")}

    assert struck(group({"t": 2}, members, racks={"t": ["b", "a"]}, ids={"t": (1, 1)}), name) == {
        "Q-10": ["A:t", "B:t"]
    }
    assert (
        struck(group({"t": 2}, members, racks={"t": ["a b", "a b"]}, ids={"t": (1, 1)}), name) == {}
    )


def test_simple_keeps_partitions_of_a_topic_that_nobody_subscribes_to_any_more():
    snapshot = group({"old": 1, "t0": 1, "t1": 1}, A=Member("t0", owned="old-0"), B=Member("t0 t1"))

    assert struck(snapshot, "simple") == {"Q-29": ["A:old"]}


def test_the_sticky_ones_are_explained_also_where_kafka_throws():
    snapshot = group(
        {"a": 2, "b": 2},
        A=Member("a b", owned="a-9 b-0", generation=1),
        B=Member("a b", owned="b-1", generation=1),
    )

    assert [quirk.name for quirk in quirks(snapshot, ASSIGNORS["sticky"](), None)] == ["Q-6"]


@pytest.mark.parametrize("name", ASSIGNORS)
def test_a_group_without_members_or_topics_has_none(name):
    assert quirks(group({"t": 1}), ASSIGNORS[name](), None) == ()
    assert (
        quirks(group({}, A=""), ASSIGNORS[name](), ASSIGNORS[name]().assign(group({}, A=""))) == ()
    )


def test_worked_examples_show_the_surprises_that_they_are_made_for_and_no_other():
    found = {}
    for example in WORKED_EXAMPLES:
        observed = example.load()
        for name in serving(observed.group_type, OF_KAFKA):
            for quirk in struck(observed.snapshot, name):
                found.setdefault(example.slug, []).append(f"{name} {quirk}")

    assert found == {
        "one-hot-partition": ["range remainder", "broker-range remainder"],
        "idle-under-range": ["range remainder", "lag Q-24", "broker-range remainder"],
        "two-consumers": ["range remainder", "broker-range remainder"],
        "differing-subscriptions": ["roundrobin Q-3"],
    }


# Sticky and cooperative-sticky


def struck_by_claims(snapshot, max_generation=-1):
    return {
        quirk.name: [
            f"{snapshot.member_id[member]}:{snapshot.topic_name[topic]}"
            for member, topic in zip(quirk.member, quirk.topic, strict=False)
        ]
        for quirk in sticky_quirks(snapshot, max_generation)
    }


def test_a_plain_group_has_none():
    assert (
        struck_by_claims(
            group({"t0": 3, "t1": 2}, A=Member("t0", owned="t0-0", generation=1), B="t0 t1")
        )
        == {}
    )


def test_a_leader_that_remembers_a_higher_generation_gives_another_answer():
    members = {
        "A": Member("t0", owned="t3-3", generation=3),
        "B": Member(
            "t3", owned="t0-0 t0-1 t0-3 t0-5 t3-0 t3-1 t3-2 t3-4 t3-5 t3-6 t3-7", generation=3
        ),
        "C": Member("t0 t1 t3", generation=3),
    }
    snapshot = group({"t0": 6, "t1": 2, "t3": 8}, members)

    assert struck_by_claims(snapshot) == {}
    assert struck_by_claims(snapshot, max_generation=3) == {}
    assert struck_by_claims(snapshot, max_generation=9) == {
        "Q-4": ["A:t3", "C:t0"],
        "Q-8": ["A:t3"],
    }


def test_a_member_without_subscription_that_is_met_first_gets_partitions():
    assert struck_by_claims(
        group({"t": 4}, {"consumer1": Member("t"), "consumer2": Member("")})
    ) == {"Q-5": ["consumer2:t"]}
    assert (
        struck_by_claims(group({"t": 4}, {"consumer1": Member(""), "consumer2": Member("t")})) == {}
    )


def test_a_claim_beyond_the_topic_is_kept():
    assert struck_by_claims(
        group(
            {"t": 4},
            A=Member("t", owned="t-0 t-9", generation=1),
            B=Member("t", owned="t-1", generation=1),
        )
    ) == {"Q-6": ["A:t"]}


def test_a_claim_beyond_the_topic_gives_a_partition_to_a_second_member():
    snapshot = group(
        {"a": 2, "b": 4},
        A=Member("a b", owned="a-9 b-0", generation=1),
        B=Member("a b", owned="b-1", generation=1),
        C=Member("a", generation=1),
    )

    assert "A:a" in struck_by_claims(snapshot)["Q-6"]


def test_a_claim_beyond_the_topic_explains_the_exception():
    snapshot = group(
        {"a": 2, "b": 2},
        A=Member("a b", owned="a-9 b-0", generation=1),
        B=Member("a b", owned="b-1", generation=1),
    )

    assert struck_by_claims(snapshot) == {"Q-6": ["A:a"]}


def test_a_partition_goes_back_to_a_former_owner_that_does_not_subscribe_any_more():
    members = {
        "A": Member("t1", owned="t0-0", generation=1),
        "B": Member("t0", owned="t0-0 t0-1 t0-2 t0-3 t0-4 t0-5", generation=2),
    }

    assert struck_by_claims(
        group({"t0": 6, "t1": 2}, members | {"C": Member("t0 t1", generation=2)})
    ) == {"Q-8": ["A:t0"]}


def test_a_former_owner_that_takes_no_part_explains_the_exception():
    members = {
        "A": Member("t1", owned="t0-0", generation=1),
        "B": Member("t0", owned="t0-0 t0-1 t0-2 t0-3 t0-4 t0-5", generation=2),
    }

    assert struck_by_claims(
        group({"t0": 6, "t1": 1}, members | {"C": Member("t0", generation=2)})
    ) == {"Q-8": ["A:t0"]}


def test_a_partition_leaves_its_rack_although_a_member_there_could_take_it():
    racks = {"t0": ["a"] * 4, "t1": ["b"]}
    members = {
        "A": Member("t0", rack="a", owned="t0-0 t0-1 t0-2 t0-3", generation=1),
        "B": Member("t0", rack="a", generation=1),
        "C": Member("t0 t1", rack="b", owned="t1-0", generation=1),
        "D": Member("t0 t1", rack="b", generation=1),
    }

    assert struck_by_claims(group({"t0": 4, "t1": 1}, members, racks=racks)) == {"Q-9": ["D:t0"]}


@given(skewed_documents())
def test_only_known_names_and_each_pair_once(document):
    snapshot = snapshot_of(document)

    for quirk in sticky_quirks(snapshot, 9):
        pairs = list(zip(quirk.member.tolist(), quirk.topic.tolist(), strict=False))
        assert quirk.name in {"Q-4", "Q-5", "Q-6", "Q-8", "Q-9"}
        assert pairs
        assert pairs == sorted(set(pairs))


# Other clients than Java's


def struck_in(client, name, snapshot):
    assignor = CLIENTS[client].assignors[name]()
    return [
        (quirk.name, quirk.member.tolist())
        for quirk in quirks(snapshot, assignor, assignor.assign(snapshot))
    ]


@pytest.mark.parametrize(("instance", "found"), [("i", [("Q-31", [0])]), (None, [])])
def test_a_dynamic_member_in_front_of_a_static_one_is_left_out_by_kafka_python(instance, found):
    snapshot = group({"t": 6}, C=Member("t"), A=Member("t", instance), B=Member("t"))

    assert struck_in("kafka-python", "range", snapshot) == found


@pytest.mark.parametrize(("topics", "found"), [("t u", []), ("t", [("Q-32", [1])])])
def test_kafkajs_gives_partitions_to_members_that_do_not_subscribe(topics, found):
    snapshot = group({"t": 1, "u": 1}, A=Member("t u"), B=Member(topics))

    assert struck_in("kafkajs", "roundrobin", snapshot) == found


@pytest.mark.parametrize(("rack", "found"), [("x", [("Q-34", [1])]), (None, [])])
def test_an_empty_rack_keeps_nothing_beside_a_member_with_a_rack(rack, found):
    snapshot = group(
        {"t": 2}, A=Member("t", rack=rack), B=Member("t", owned="t-0"), racks={"t": ["x", "y"]}
    )

    assert (
        struck_in(
            "librdkafka",
            "cooperative-sticky",
            replace(snapshot, has_empty_rack=np.array([False, True])),
        )
        == found
    )


def test_librdkafka_leaves_a_topic_without_subscribers_with_its_owner():
    assert struck_in(
        "librdkafka", "cooperative-sticky", group({"t": 1, "u": 1}, A=Member("t", owned="t-0 u-0"))
    ) == [("Q-35", [0])]


def test_kafka_go_gives_the_last_member_the_longer_ranges():
    assert struck_in("kafka-go", "range", group({"t": 1, "u": 1}, A="t u", B="t u")) == [
        ("Q-37", [1, 1])
    ]


def test_racks_do_not_count_for_other_clients():
    snapshot = group(
        {"t": 2}, A=Member("t", rack="x"), B=Member("t", rack="y"), racks={"t": ["y", "x"]}
    )

    assert struck_in("aiokafka", "sticky", snapshot) == [("Q-10", [0, 1])]


# librdkafka


RACKS = {"t": ["x", "x", "y"]}


def struck_in_librdkafka(name, snapshot):
    assignor = CLIENTS["librdkafka"].assignors[name]()
    found = quirks(snapshot, assignor, assignor.assign(snapshot))
    return {each.name: {snapshot.member_id[member] for member in each.member} for each in found}


def test_a_static_member_behind_a_dynamic_one_is_named():
    assert struck_in_librdkafka("range", group({"t": 3}, A="t", B=Member("t", instance="x"))) == {
        "Q-39": {"B"}
    }
    assert struck_in_librdkafka("range", group({"t": 3}, A="t", B="t")) == {}


@pytest.mark.parametrize(("rack", "quirk"), [("", "Q-34"), ("y", "Q-34")])
def test_a_member_that_owns_what_is_in_no_rack_of_its_own_is_named(rack, quirk):
    snapshot = group(
        {"t": 3},
        A=Member("t", owned="t-0", rack=rack),
        B=Member("t", owned="t-1", rack="x"),
        racks=RACKS,
    )

    assert struck_in_librdkafka("cooperative-sticky", snapshot) == {quirk: {"A"}}


def test_a_member_without_rack_is_near_everything():
    assert (
        struck_in_librdkafka(
            "cooperative-sticky",
            group({"t": 3}, A=Member("t", owned="t-0"), B=Member("t", rack="x"), racks=RACKS),
        )
        == {}
    )


def test_a_member_that_keeps_what_nobody_is_given_is_named():
    assert struck_in_librdkafka(
        "cooperative-sticky", group({"t": 2, "u": 1}, A=Member("t", owned="u-0"), B="t")
    ) == {"Q-35": {"A"}}
