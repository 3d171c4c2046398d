"""Partitions that go back in the place of others, and groups for which Kafka's sticky classes never
answer: seen with Kafka 4.3.1.
"""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from tests.assignors.groups import Member, group, spelled, tps

WHAT_GOES_BACK_LEAVES_A_THIRD_MEMBER = (
    {"t1": 12, "t3": 29},
    {
        "consumer9": Member("t1 t3"),
        "B": Member("t1 t3", owned=tps("t1-0,1,2,4 t3-10,11,12,14,15,18..21,23"), generation=3),
        "consumer5": Member("t1"),
        "consumer2": Member(
            "t1 t3", owned=tps("t1-3,6,8,10,11 t3-0,13,16,17,22,24,25,28"), generation=3
        ),
    },
    {
        "consumer9": "t3-1..9,26,27",
        "B": "t3-10,11,12,14,15,18..21,23",
        "consumer5": "t1-0..9",
        "consumer2": "t1-10,11 t3-0,13,16,17,22,24,25,28",
    },
)
"""The row had moved before, so that what goes back in its place leaves another member than the row
would have.
"""

WHAT_GOES_BACK_WAS_STILL_TO_MOVE = (
    {"t5": 28, "t4": 19, "t3": 28},
    {
        "consumer4": Member("t5"),
        "BBAa": Member("t4"),
        "BB": Member("t5 t4", owned=tps("t4-3,12,16"), generation=8),
        "BBBB": Member("t4"),
        "Aa": Member("t5 t4 t3", owned=tps("t3-1 t4-2,6,14"), generation=8),
        "\ue000": Member("t3", owned="t5-24", generation=8),
        "consumer3": Member("t5 t4 t3", owned=tps("t4-7,8,18 t5-12,17"), generation=8),
    },
    {
        "consumer4": "t5-1,2,4,6,8,10,13,15,18,20,22,26",
        "BBAa": "t4-0,2,4,6,8,9,11,14,15,18",
        "BB": "t5-0,3,5,7,9,11,14,16,19,21,24",
        "BBBB": "t4-1,3,5,7,10,12,13,16,17",
        "Aa": "t3-1,5,7,10,13,16,19,22,25 t5-23,27",
        "\ue000": "t3-0,3,4,6,9,12,15,18,21,24,27",
        "consumer3": "t3-2,8,11,14,17,20,23,26 t5-12,17,25",
    },
)

SIZES = {"t0": 22, "t2": 13, "t3": 8, "t4": 27, "t5": 17, "t6": 24, "t7": 8}

IN_RACK_B = {
    "t0": (2, 11, 12, 16, 17, 18, 19, 20),
    "t5": (1, 6, 7, 12, 14, 16),
    "t6": (7, 8, 9, 10, 12, 14, 16, 18, 20, 22),
    "t7": (0, 1, 2, 4, 5, 7),
}

MEMBERS = {
    "C": Member("t4", owned="t4-27 t4-28 t4-29 t0-0 t0-1 t0-2 t0-3 t0-4 t0-9"),
    "consumer8": Member("t5 t0 t7 t6", rack="b"),
    "B": Member("t5 t0 t7 t6", rack="d"),
    "BBAa": Member("t5 t0 t7 t6"),
    "consumer1": Member("t2 t4 t3", generation=4),
}


@pytest.mark.parametrize(
    ("sizes", "members", "expected"),
    [WHAT_GOES_BACK_LEAVES_A_THIRD_MEMBER, WHAT_GOES_BACK_WAS_STILL_TO_MOVE],
)
def test_a_plan_ends_where_what_goes_back_changes_the_rest(sizes, members, expected):
    snapshot = group(sizes, members)

    assert spelled(snapshot, ASSIGNORS["sticky"]().assign(snapshot)) == {
        member: tps(runs) for member, runs in expected.items()
    }


@pytest.mark.parametrize("name", ["sticky", "cooperative-sticky"])
def test_partitions_that_move_to_and_fro_for_ever_are_an_error_and_no_endless_loop(name):
    racks = {
        topic: ["b" if number in IN_RACK_B.get(topic, ()) else "" for number in range(size)]
        for topic, size in SIZES.items()
    }

    with pytest.raises(
        AssignorError, match=f"^{name}: Kafka's class never ends on this group"
    ) as refused:
        ASSIGNORS[name]().assign(group(SIZES, MEMBERS, racks=racks))

    assert refused.value.java_class == "RequestError"
