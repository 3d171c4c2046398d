"""Stored targets of large groups, and topics of which a member has no partition; answers from Kafka
4.3.1.
"""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.kafka.consumer.stored_targets import stored_partitions
from tests.assignors.groups import Member, group, spelled, tps

SIMPLE_IDS = (5, 80, 8, 64, 2, 0, 48, 6, 16, 32, 3, 1, 17)
UNIFORM_IDS = (8, 6, 33, 64, 5, 17, 2, 48, 4, 3, 16, 80, 7)


def test_a_partition_that_two_members_claim_is_shared_in_groups_of_any_size():
    members = {f"m{number:04d}": "t0" for number in range(4097)}
    members |= {name: Member("t0", owned="t0-5") for name in ("m0000", "m4096")}

    stored = stored_partitions(group({"t0": 2**20}, **members))

    assert (stored.member.tolist(), stored.partition.tolist(), stored.shared) == (
        [0, 4096],
        [5, 5],
        True,
    )


def given_to_a_newcomer(assignor, ids, first):
    """Answer what B gets where A owns twelve of thirteen topics, and `first` before them."""
    names = [f"t{number:02}" for number in range(13)]
    members = {
        "A": Member(" ".join(names), owned=" ".join([first, *(f"{name}-0" for name in names[1:])])),
        "B": Member(" ".join(names)),
    }
    snapshot = group(
        dict.fromkeys(names, 1),
        members,
        ids={name: (0, number) for name, number in zip(names, ids, strict=True)},
    )
    return spelled(snapshot, ASSIGNORS[assignor]().assign(snapshot))["B"]


@pytest.mark.parametrize(
    ("assignor", "ids", "of_twelve", "of_thirteen"),
    [
        ("simple", SIMPLE_IDS, "t00,t01,t03,t05,t06,t08-0", "t00,t01,t03,t05,t06,t09-0"),
        ("uniform", UNIFORM_IDS, "t00,t01,t04,t08,t09,t12-0", "t00,t05,t07,t10,t11,t12-0"),
    ],
)
def test_a_thirteenth_topic_doubles_the_map_though_it_has_no_partition(
    assignor, ids, of_twelve, of_thirteen
):
    assert given_to_a_newcomer(assignor, ids, first="") == tps(of_twelve)
    assert given_to_a_newcomer(assignor, ids, first="t00-") == tps(of_thirteen)
