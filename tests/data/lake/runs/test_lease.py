"""Lease objects of holders that are gone."""

from datetime import timedelta

import pytest

from data.lake.runs import lease, old_leases
from data.lake.runs.lease import Lease, leased
from data.lake.runs.old_leases import delete_old
from tests.waiting import until

OVER = timedelta(seconds=-1)


def _keys(place):
    return [found.key for found in place.found()]


def _killed(place, key):
    Lease(place, key)._lake.create(key, b"of a killed holder")


def test_who_takes_a_free_name_deletes_what_killed_holders_left(place, monkeypatch):
    for number in range(3):
        _killed(place, f"collectors/c/{number:06d}")
    _killed(place, "collectors/other/000000")
    monkeypatch.setattr(lease, "LASTS", OVER)

    with leased(place, "c", "collectors"):
        assert _keys(place) == ["collectors/c/000003", "collectors/other/000000"]

    assert _keys(place) == ["collectors/other/000000"]


@pytest.mark.parametrize("age", [timedelta(hours=1), timedelta(days=2)])
def test_names_that_nobody_takes_again_and_times_are_deleted_after_a_day_and_leases_of_batches_are_not(place, age):
    for key in ("collectors/c/000002", "tidying/lake/000000", "clock/0f", "leases/b/000000"):
        _killed(place, key)

    delete_old(place, lease.now(place) + age)

    assert _keys(place)[-1 if age > old_leases.OLD else -4 :] == _keys(place)
    assert "leases/b/000000" in _keys(place)


def test_a_holder_whose_lease_was_swept_renews_nothing_and_deletes_nothing_of_the_next(place, monkeypatch):
    monkeypatch.setattr(lease, "RENEWED_AFTER", timedelta(seconds=0.05))
    with leased(place, "c", "collectors") as own:
        place.delete(["collectors/c/000000"])
        until(lambda: not own._renewing.is_alive())
        with leased(place, "c", "collectors") as other:
            assert (own.is_last, other.is_last) == (False, True)
            own.end()
            assert other.is_last
