"""Stored partitions of large groups."""

from evenkeel.assignors.kafka.consumer.stored import stored_partitions
from tests.assignors.groups import Member, group


def test_a_partition_that_two_members_claim_is_shared_however_many_members_and_partitions_there_are():
    members = {f"m{number:04d}": "t0" for number in range(4097)}
    members |= {name: Member("t0", owned="t0-5") for name in ("m0000", "m4096")}

    stored = stored_partitions(group({"t0": 2**20}, **members))

    assert (stored.member.tolist(), stored.partition.tolist(), stored.shared) == ([0, 4096], [5, 5], True)
