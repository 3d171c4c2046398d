"""Lease objects of holders that are gone."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data import clock
from evenkeel.data.lake import lease, manifest
from evenkeel.data.lake.lease import HeldError, Lease, delete_old, leased
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.run import running, sweep
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
def test_unused_names_and_times_are_deleted_after_a_day_and_leases_of_batches_are_not(place, age):
    for key in ("collectors/c/000002", "tidying/lake/000000", "clock/0f", "leases/b/000000"):
        _killed(place, key)

    delete_old(place, lease.now(place) + age)

    assert _keys(place)[-1 if age > lease.OLD else -4 :] == _keys(place)
    assert "leases/b/000000" in _keys(place)


def test_a_holder_whose_lease_was_swept_renews_nothing_and_deletes_nothing_of_the_next(
    place, monkeypatch
):
    monkeypatch.setattr(lease, "RENEWED_AFTER", timedelta(seconds=0.05))
    with leased(place, "c", "collectors") as own:
        place.delete(["collectors/c/000000"])
        until(lambda: not own._renewing.is_alive())
        with leased(place, "c", "collectors") as other:
            assert (own.is_last, other.is_last) == (False, True)
            own.end()
            assert other.is_last


@pytest.fixture
def dated(tmp_path):
    """Return a function that dates every lease of a lake in a folder as if the clock were an hour
    ahead or behind when it was renewed.
    """

    def date(by):
        for folder in ("leases", "collectors"):
            for file in (tmp_path / "lake" / folder).glob("*/*"):
                os.utime(file, (file.stat().st_mtime + by.total_seconds(),) * 2)

    return date


@pytest.mark.parametrize(
    "by",
    [timedelta(hours=-1), timedelta(hours=1)],
    ids=["the clock was set forward", "the clock was set back"],
)
def test_no_lease_of_a_living_holder_is_taken_when_the_clock_is_set(tmp_path, dated, by):
    lake = place_of(tmp_path / "lake")
    with leased(lake, "c", "collectors") as own, running(lake, "b"):
        lake.write("OFFSETS/b/0.parquet", b"x")
        dated(by)

        with pytest.raises(HeldError), leased(lake, "c", "collectors"):
            pass
        sweep(lake)

        assert own.is_last
        assert lease.is_held(lake, "b")
        manifest.publish(
            lake,
            Manifest(
                batch="b",
                ingested_at=datetime.now(UTC),
                tables={"OFFSETS": ("OFFSETS/b/0.parquet",)},
            ),
        )
    assert _keys(lake) == ["OFFSETS/b/0.parquet", "manifests/b.json"]


def test_a_lease_of_a_killed_holder_is_free_in_time_though_the_clock_was_set_back_since(
    tmp_path, dated, monkeypatch
):
    lake, steady = place_of(tmp_path / "lake"), clock.steady()
    with monkeypatch.context() as patch:
        patch.setattr(clock, "steady", lambda: steady - 100)
        Lease(lake, "collectors/c/000000").begin()
    dated(timedelta(hours=1))

    with leased(lake, "c", "collectors") as own:
        assert own.is_last


def test_a_lease_of_another_machine_is_judged_by_the_time_of_the_lake(tmp_path, dated, monkeypatch):
    lake = place_of(tmp_path / "lake")
    with monkeypatch.context() as patch:
        patch.setattr(clock, "boot", lambda: "another")
        Lease(lake, "collectors/c/000000").begin()
    with pytest.raises(HeldError), leased(lake, "c", "collectors"):
        pass
    dated(timedelta(seconds=-100))

    with leased(lake, "c", "collectors") as own:
        assert own.is_last
