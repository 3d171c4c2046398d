"""Uniform where releases, Java versions and unknown inputs make a difference; answers from Kafka's
classes of the release named.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.assignors.assignment import AssignorError
from evenkeel.assignors.kafka.consumer.uniform import UniformAssignor, quotas
from tests.assignors.groups import Member, group, spelled

DIFFERING = {"A": Member("t0"), "B": Member("t0 t1")}


def owning(topics, **owned):
    """Members that subscribe to `topics` and own what is said."""
    return {name: Member(topics, owned=tps) for name, tps in owned.items()}


def assumed(snapshot):
    return {column: rows.tolist() for column, rows in UniformAssignor().assign(snapshot).assumed}


@pytest.mark.parametrize("version", ["4.0.1", "4.1.0", "4.3.1", "4.4.0"])
def test_the_extra_place_nobody_fills_goes_to_the_last_member(version):
    snapshot = group({"t0": 3}, A="t0", B="t0")

    assert spelled(snapshot, UniformAssignor(kafka_version=version).assign(snapshot)) == {
        "A": "t0-0",
        "B": "t0-1 t0-2",
    }


@pytest.mark.parametrize("version", ["3.9.0", "3.9.1", "4.0.0"])
def test_up_to_4_0_0_it_goes_to_the_first_member(version):
    snapshot = group({"t0": 3}, A="t0", B="t0")

    assert spelled(snapshot, UniformAssignor(kafka_version=version).assign(snapshot)) == {
        "A": "t0-0 t0-1",
        "B": "t0-2",
    }


def test_differing_subscriptions_are_known_from_4_0_0():
    snapshot = group({"t0": 2, "t1": 2}, DIFFERING)

    assert spelled(snapshot, UniformAssignor(kafka_version="4.0.0").assign(snapshot)) == {
        "A": "t0-0 t0-1",
        "B": "t1-0 t1-1",
    }
    with pytest.raises(
        AssignorError,
        match="subscribe to different topics; unknown for Kafka 3.9.1, known since 4.0.0",
    ) as refused:
        UniformAssignor(kafka_version="3.9.1").assign(snapshot)
    assert refused.value.java_class == "RequestError"


def test_a_release_before_3_9_0_is_refused():
    with pytest.raises(ValueError, match="unknown for Kafka 3.8.1, known since 3.9.0"):
        UniformAssignor(kafka_version="3.8.1")


@pytest.mark.parametrize(
    ("jdk", "kept"), [(17, {0, 100, 70, 40, 10, 110}), (25, {0, 80, 50, 20, 100, 70})]
)
def test_a_member_with_too_much_keeps_the_first_of_a_set_that_java_sizes_by_its_version(jdk, kept):
    others = [partition for partition in range(111) if partition % 10]
    owned = {"A": range(0, 120, 10)} | {
        f"other{number}": others[number::18] for number in range(18)
    }
    snapshot = group(
        {"t0": 111},
        owning(
            "t0",
            **{
                name: " ".join(f"t0-{partition}" for partition in tps)
                for name, tps in owned.items()
            },
        ),
    )

    answer = UniformAssignor(jdk=jdk).assign(snapshot)

    assert set(np.flatnonzero(answer.owner == 0).tolist()) == kept


@given(st.lists(st.integers(0, 40), min_size=1, max_size=30), st.integers(0, 400))
def test_quotas_are_dealt_to_one_member_after_the_other(held, total):
    share, left = divmod(total, len(held))
    expected = []
    for place, count in enumerate(held):
        extra = left > 0 and (count > share or len(held) - place <= left)
        expected.append(share + extra)
        left -= extra

    assert quotas(np.array(held), total, gives_back=True).tolist() == expected
    assert sum(expected) == total


def test_partitions_of_a_topic_that_is_gone_are_dropped():
    snapshot = group({"t0": 4}, owning("t0", A="t0-0 gone-1", B=""))

    assert spelled(snapshot, UniformAssignor().assign(snapshot)) == {
        "A": "t0-0 t0-1",
        "B": "t0-2 t0-3",
    }


def test_a_partition_that_two_members_own_stays_with_both():
    snapshot = group(
        {"t0": 1, "t1": 1}, {"A": Member("t0", owned="t0-0"), "B": Member("t0 t1", owned="t0-0")}
    )

    assert spelled(snapshot, UniformAssignor().assign(snapshot)) == {"A": "t0-0", "B": "t0-0 t1-0"}


@pytest.mark.parametrize(
    ("members", "java_class"),
    [
        (owning("t0", A="t0-0 t0-7", B="t0-1"), "PartitionAssignorException"),
        ({"A": Member("t0", owned="t0-7"), "B": Member("t0 t1")}, "ArrayIndexOutOfBoundsException"),
    ],
)
def test_a_partition_beyond_its_topics_size_is_kafkas_exception(members, java_class):
    with pytest.raises(AssignorError) as thrown:
        UniformAssignor().assign(group({"t0": 3, "t1": 1}, members))

    assert thrown.value.java_class == java_class


def test_unknown_topic_ids_are_named_where_several_topics_are_dealt_to_several_members():
    some = group({"t0": 2, "t1": 2, "t2": 2}, A="t0 t1 t2", B="t0 t1 t2", ids={"t1": (1, 2)})
    one_topic = group({"t0": 9, "other": 2}, A="t0", B="t0")
    one_member = group({"t0": 2, "t1": 2}, A="t0 t1")
    all_known = group({"t0": 2, "t1": 2}, A="t0 t1", B="t0 t1", ids={"t0": (3, 4), "t1": (1, 2)})

    assert assumed(some) == {"topic_id": [0, 2]}
    assert [assumed(snapshot) for snapshot in (one_topic, one_member, all_known)] == [{}, {}, {}]


def test_unknown_topic_ids_are_not_named_where_everything_stays():
    assert assumed(group({"t0": 2, "t1": 2}, owning("t0 t1", A="t0-0 t1-1", B="t0-1 t1-0"))) == {}


def test_unknown_topic_ids_are_named_where_a_member_gives_up_one_of_several_topics():
    assert assumed(group({"t0": 2, "t1": 2}, owning("t0 t1", A="t0-0 t0-1 t1-0 t1-1", B=""))) == {
        "topic_id": [0, 1]
    }
    assert assumed(group({"t0": 4, "t1": 0}, owning("t0 t1", A="t0-0 t0-1 t0-2 t0-3", B=""))) == {}


def test_with_differing_subscriptions_only_topics_whose_order_the_id_decides_are_named():
    members = {"A": Member("t0 t1 t2"), "B": Member("t0 t1 t2"), "C": Member("t2")}

    assert assumed(group({"t0": 2, "t1": 2, "t2": 7}, members)) == {"topic_id": [0, 1]}
    assert assumed(group({"t0": 2, "t1": 3, "t2": 7}, members)) == {}


def test_a_tree_bin_is_named_and_not_passed_over():
    strided = {
        f"m{number}": " ".join(f"t0-{partition}" for partition in range(number, 1024, 64))
        for number in range(64)
    }

    answer = UniformAssignor().assign(group({"t0": 1024}, owning("t0", **strided, late="")))

    assert [column for column, _ in answer.assumed] == ["hash collisions"]
    assert sorted(np.bincount(answer.owner).tolist()) == [15] * 16 + [16] * 49


@pytest.mark.parametrize(("version", "named"), [("4.0.0", ["hash collisions"]), ("4.0.1", [])])
def test_if_all_could_stay_a_tree_bin_is_named_while_the_first_members_have_the_extra_places(
    version, named
):
    in_one_bucket = [
        "x8863",
        "x3492",
        "x4780",
        "x6266",
        "x8269",
        "x461",
        "x5110",
        "x7652",
        "x6343",
        "x7410",
        "x5231",
    ]
    owned = dict.fromkeys(in_one_bucket, "") | {"x8863": "t0-0", "x3492": "t0-1", "x4780": "t0-2"}

    answer = UniformAssignor(kafka_version=version).assign(group({"t0": 3}, owning("t0", **owned)))

    assert [column for column, _ in answer.assumed] == named
