"""Groups for which Kafka's sticky classes never answer: seen with 4.3.1, whose leader then stays in performReassignments."""

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.assignment import AssignorError
from tests.assignors.groups import Member, group

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


@pytest.mark.parametrize("name", ["sticky", "cooperative-sticky"])
def test_partitions_that_move_to_and_fro_for_ever_are_an_error_and_no_endless_loop(name):
    racks = {topic: ["b" if number in IN_RACK_B.get(topic, ()) else "" for number in range(size)] for topic, size in SIZES.items()}

    with pytest.raises(AssignorError, match=f"^{name}: Kafka's class never ends on this group") as refused:
        ASSIGNORS[name]().assign(group(SIZES, MEMBERS, racks=racks))

    assert refused.value.java_class == "RequestError"
