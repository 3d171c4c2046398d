"""Which surprises strike, and whom."""

from hypothesis import given

from evenkeel.assignors.explain.sticky_quirks import sticky_quirks
from tests.assignors.groups import Member, group
from tests.assignors.kafka.sticky.test_literal import snapshot_of
from tests.generated.skewed_documents import skewed_documents


def struck(snapshot, max_generation=-1):
    return {
        quirk.name: [f"{snapshot.member_id[member]}:{snapshot.topic_name[topic]}" for member, topic in zip(quirk.member, quirk.topic)]
        for quirk in sticky_quirks(snapshot, max_generation)
    }


def test_a_plain_group_has_none():
    assert struck(group({"t0": 3, "t1": 2}, A=Member("t0", owned="t0-0", generation=1), B="t0 t1")) == {}


def test_a_leader_that_remembers_a_higher_generation_gives_another_answer():
    members = {
        "A": Member("t0", owned="t3-3", generation=3),
        "B": Member("t3", owned="t0-0 t0-1 t0-3 t0-5 t3-0 t3-1 t3-2 t3-4 t3-5 t3-6 t3-7", generation=3),
        "C": Member("t0 t1 t3", generation=3),
    }
    snapshot = group({"t0": 6, "t1": 2, "t3": 8}, members)

    assert struck(snapshot) == {}
    assert struck(snapshot, max_generation=3) == {}
    assert struck(snapshot, max_generation=9) == {"Q-4": ["A:t3", "C:t0"], "Q-8": ["A:t3"]}


def test_a_member_without_subscription_that_is_met_first_gets_partitions():
    assert struck(group({"t": 4}, {"consumer1": Member("t"), "consumer2": Member("")})) == {"Q-5": ["consumer2:t"]}
    assert struck(group({"t": 4}, {"consumer1": Member(""), "consumer2": Member("t")})) == {}


def test_a_claim_beyond_the_topic_is_kept():
    assert struck(group({"t": 4}, A=Member("t", owned="t-0 t-9", generation=1), B=Member("t", owned="t-1", generation=1))) == {
        "Q-6": ["A:t"]
    }


def test_a_claim_beyond_the_topic_gives_a_partition_to_a_second_member():
    snapshot = group(
        {"a": 2, "b": 4},
        A=Member("a b", owned="a-9 b-0", generation=1),
        B=Member("a b", owned="b-1", generation=1),
        C=Member("a", generation=1),
    )

    assert "A:a" in struck(snapshot)["Q-6"]


def test_a_claim_beyond_the_topic_explains_the_exception():
    snapshot = group({"a": 2, "b": 2}, A=Member("a b", owned="a-9 b-0", generation=1), B=Member("a b", owned="b-1", generation=1))

    assert struck(snapshot) == {"Q-6": ["A:a"]}


def test_a_partition_goes_back_to_a_former_owner_that_does_not_subscribe_any_more():
    members = {"A": Member("t1", owned="t0-0", generation=1), "B": Member("t0", owned="t0-0 t0-1 t0-2 t0-3 t0-4 t0-5", generation=2)}

    assert struck(group({"t0": 6, "t1": 2}, members | {"C": Member("t0 t1", generation=2)})) == {"Q-8": ["A:t0"]}


def test_a_former_owner_that_takes_no_part_explains_the_exception():
    members = {"A": Member("t1", owned="t0-0", generation=1), "B": Member("t0", owned="t0-0 t0-1 t0-2 t0-3 t0-4 t0-5", generation=2)}

    assert struck(group({"t0": 6, "t1": 1}, members | {"C": Member("t0", generation=2)})) == {"Q-8": ["A:t0"]}


def test_a_partition_leaves_its_rack_although_a_member_there_could_take_it():
    racks = {"t0": ["a"] * 4, "t1": ["b"]}
    members = {
        "A": Member("t0", rack="a", owned="t0-0 t0-1 t0-2 t0-3", generation=1),
        "B": Member("t0", rack="a", generation=1),
        "C": Member("t0 t1", rack="b", owned="t1-0", generation=1),
        "D": Member("t0 t1", rack="b", generation=1),
    }

    assert struck(group({"t0": 4, "t1": 1}, members, racks=racks)) == {"Q-9": ["D:t0"]}


@given(skewed_documents())
def test_only_known_names_and_each_pair_once(document):
    snapshot = snapshot_of(document)

    for quirk in sticky_quirks(snapshot, 9):
        pairs = list(zip(quirk.member.tolist(), quirk.topic.tolist()))
        assert quirk.name in {"Q-4", "Q-5", "Q-6", "Q-8", "Q-9"}
        assert pairs and pairs == sorted(set(pairs))
