"""Who had what when."""

import numpy as np
import pytest

from evenkeel.assignors.history.changes.ownership import flapping, ownership, unowned
from tests.generated.histories import owned_by


def test_runs_say_who_had_a_partition_from_when_to_when():
    runs = ownership(owned_by("AB", "AB", "BB", "-B"))

    assert list(zip(*(column.tolist() for column in runs), strict=True)) == [(0, 0, 0, 1), (0, 1, 2, 2), (0, -1, 3, 3), (1, 1, 0, 3)]


def test_a_gap_ends_a_run():
    assert ownership(owned_by("A", "A", "A", slot=[0, 1, 5])).first.tolist() == [0, 2]


def test_a_partition_that_goes_back_to_its_former_owner_flaps():
    found = flapping(owned_by("AA", "BA", "-A", "AA", "BB", time=[0, 900, 1800, 2700, 3600]))

    assert found.changes_an_hour.tolist() == [3, 1] and found.returns.tolist() == [2, 0]


def test_partitions_without_owner_have_no_changes():
    assert [column.tolist() for column in flapping(owned_by("--", "--"))[:2]] == [[0, 0], [0, 0]]


def test_partition_seconds_without_owner_are_counted_but_not_in_gaps_nor_without_members():
    assert unowned(owned_by("A-", "--", "AA", slot=[0, 1, 2])) == (30 + 60, 120)
    assert unowned(owned_by("A-", "--", "AA", slot=[0, 1, 5])) == (30, 60)
    assert unowned(owned_by("--", "--", "AA", is_member=[[0, 0], [0, 0], [1, 1]])) == (0, 0)


@pytest.fixture(autouse=True)
def _no_warnings():
    with np.errstate(all="raise"):
        yield
