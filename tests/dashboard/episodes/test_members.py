"""Members of a group at its last slot, by client id and host."""

from evenkeel.dashboard.episodes.members import largest, member_loads
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import place_of
from tests.generated.written_slots import restarting, write_slot


def test_each_client_and_host_has_its_partitions_and_lag_and_the_largest_come_first(tmp_path):
    """Four partitions, 3 records behind each: the first of three consumers owns two of them."""
    lake = place_of(tmp_path / "lake")
    for number in range(4):
        write_slot(lake, number, *restarting("pay", number))
    ((_, evidence),) = StoredSnapshots(lake, "c", instants(lake, "c")).evidence_of(["pay"])

    loads = member_loads("c", "pay", evidence)
    two, left_out = largest(loads, 2)

    assert [load[2:5] + load[6:] for load in loads] == [
        ("orders-0", "/10.0.0.0", 6, 2),
        ("orders-1", "/10.0.0.1", 3, 1),
        ("orders-2", "/10.0.0.2", 3, 1),
    ]
    # 10 records come in a slot of 30 s.
    assert {round(load.lag_seconds) for load in loads} == {9}
    assert ([load.client_id for load in two], left_out) == (["orders-0", "orders-1"], 1)
