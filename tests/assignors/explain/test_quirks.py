"""Which surprises strike beside the sticky ones, and whom; the cases are those of Kafka's behaviour as it is documented, the answers Kafka's."""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.explain.quirks import quirks
from evenkeel.assignors.protocol import serving
from evenkeel.data.scenarios.examples.worked_examples import WORKED_EXAMPLES
from tests.assignors.groups import Member, group, spelled

OF_KAFKA = {
    name: ASSIGNORS[name] for name in ("range", "roundrobin", "sticky", "cooperative-sticky", "lag", "uniform", "broker-range", "simple")
}


def struck(snapshot, name, **settings):
    assignor = ASSIGNORS[name](**settings)
    found = quirks(snapshot, assignor, assignor.assign(snapshot))
    return {
        quirk.name: [f"{snapshot.member_id[member]}:{snapshot.topic_name[topic]}" for member, topic in zip(quirk.member, quirk.topic)]
        for quirk in found
    }


@pytest.mark.parametrize("name", ["range", "broker-range"])
def test_the_first_members_carry_the_remainders_of_range(name):
    assert struck(group({"t0": 3, "t1": 3}, A="t0 t1", B="t0 t1"), name) == {"remainder": ["A:t0", "A:t1"]}
    assert struck(group({"t0": 3, "t1": 2}, A="t0 t1", B="t0 t1"), name) == {}


def test_a_member_without_rack_takes_what_is_local_to_another():
    members = {"A": Member("t0"), "B": Member("t0", rack="b")}

    assert struck(group({"t0": 2}, members, racks={"t0": ["b", "a"]}), "range") == {"Q-1": ["B:t0"]}
    assert struck(group({"t0": 2}, members, racks={"t0": ["a", "b"]}), "range") == {}


def test_a_topic_that_needs_racks_makes_a_distant_member_the_last_one_in_others():
    members = {"A": Member("t0 t1 t2", rack="z"), "B": Member("t0 t1 t2", rack="b")}
    snapshot = group({"t0": 2, "t1": 3, "t2": 3}, members, racks={"t0": ["b", "z"], "t1": ["b"] * 3, "t2": ["b"] * 3})

    assert spelled(snapshot, ASSIGNORS["range"]().assign(snapshot)) == {"A": "t0-1 t1-2 t2-2", "B": "t0-0 t1-0 t1-1 t2-0 t2-1"}
    assert struck(snapshot, "range") == {"Q-2": ["A:t1", "A:t2"]}


def test_a_topic_that_needs_racks_makes_a_distant_member_the_last_one_in_topics_of_its_own_size_too():
    racks = {"audit": ["a", "b"], "clicks": ["a b", "a b"], "logins": ["a b", "a b"]}
    members = {name: Member("audit clicks logins", rack=rack) for name, rack in (("m1", "z"), ("m2", "a"), ("m3", "b"))}
    snapshot = group(dict.fromkeys(racks, 2), members, racks=racks)

    assert spelled(snapshot, ASSIGNORS["range"]().assign(snapshot)) == {
        "m1": "",
        "m2": "audit-0 clicks-0 logins-0",
        "m3": "audit-1 clicks-1 logins-1",
    }
    assert struck(snapshot, "range") == {"Q-2": ["m1:clicks", "m1:logins"]}
    assert struck(snapshot, "broker-range")["remainder"] == ["m1:audit", "m1:clicks", "m1:logins", "m2:audit", "m2:clicks", "m2:logins"]


def test_roundrobin_is_far_from_even_where_subscriptions_differ():
    assert struck(group({"t0": 1, "t1": 2, "t2": 3}, C0="t0", C1="t0 t1", C2="t0 t1 t2"), "roundrobin") == {"Q-3": ["C2:t1"]}
    assert struck(group({"t0": 5, "t1": 4}, A="t0 t1", B="t0 t1"), "roundrobin") == {}


def test_lag_gives_all_topics_of_one_partition_to_the_smallest_member_id():
    assert struck(group({"t0": 1, "t1": 1, "t2": 1}, B="t0 t1 t2", A="t0 t1 t2", lag=[5, 9, 7]), "lag") == {
        "Q-24": ["A:t0", "A:t1", "A:t2"]
    }
    assert struck(group({"t0": 1, "t1": 3}, A="t0 t1", B="t0 t1", lag=[5, 9, 1, 1]), "lag") == {}


@pytest.mark.parametrize("name", ["range", "roundrobin", "broker-range"])
def test_two_members_with_one_instance_id_are_named(name):
    members = {"A": Member("t", instance="i"), "B": Member("t", instance="i"), "C": Member("t", instance="j")}

    assert struck(group({"t": 3}, members), name) == {"Q-25": ["A:t", "B:t"]}
    assert struck(group({"t": 3}, A=Member("t", instance="i"), B=Member("t")), name) == {}


@pytest.mark.parametrize("name", ["uniform", "broker-range"])
def test_the_broker_gives_distant_partitions(name):
    members = {"A": Member("t", rack="a"), "B": Member("t", rack="b")}

    assert struck(group({"t": 2}, members, racks={"t": ["b", "a"]}, ids={"t": (1, 1)}), name) == {"Q-10": ["A:t", "B:t"]}
    assert struck(group({"t": 2}, members, racks={"t": ["a b", "a b"]}, ids={"t": (1, 1)}), name) == {}


def test_simple_keeps_partitions_of_a_topic_that_nobody_subscribes_to_any_more():
    snapshot = group({"old": 1, "t0": 1, "t1": 1}, A=Member("t0", owned="old-0"), B=Member("t0 t1"))

    assert struck(snapshot, "simple") == {"Q-29": ["A:old"]}


def test_the_sticky_ones_are_explained_also_where_kafka_throws():
    snapshot = group({"a": 2, "b": 2}, A=Member("a b", owned="a-9 b-0", generation=1), B=Member("a b", owned="b-1", generation=1))

    assert [quirk.name for quirk in quirks(snapshot, ASSIGNORS["sticky"](), None)] == ["Q-6"]


@pytest.mark.parametrize("name", ASSIGNORS)
def test_a_group_without_members_or_topics_has_none(name):
    assert quirks(group({"t": 1}), ASSIGNORS[name](), None) == ()
    assert quirks(group({}, A=""), ASSIGNORS[name](), ASSIGNORS[name]().assign(group({}, A=""))) == ()


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
