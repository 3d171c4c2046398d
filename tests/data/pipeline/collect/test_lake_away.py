"""A collector goes on while its lake takes nothing, and leaves gaps; it ends where that cannot
become better.
"""

import time
from datetime import timedelta
from types import SimpleNamespace

import pytest

from evenkeel.data.errors import PlaceError
from evenkeel.data.lake import lease, manifest, service
from evenkeel.data.lake.lease import leased
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.run import sweep
from evenkeel.data.lake.slots import slot_batches
from evenkeel.data.pipeline import collect
from tests.data.pipeline.collect.test_collect import published_in
from tests.services.s3 import S3

_SPARK = SimpleNamespace(dataSource=SimpleNamespace(register=lambda source: None))


class _Snapshots:
    """Snapshots of one file. `faults`: what the lake says to them, in turn."""

    faults = ()

    def __init__(self, spark, cluster, groups, lake, every):
        self._lake, self._faults = lake, iter(self.faults)

    def read(self, batch):
        file, fault = f"OFFSETS/{batch}/0.parquet", next(self._faults, None)
        self._lake.write(file, b"x")
        if fault:
            raise PlaceError(f"{self._lake}/LAG/{batch}/0.parquet", fault)
        at = slot_batches.time_of(batch)
        return Manifest(
            batch=batch, ingested_at=at, taken_at=at, cluster="c", tables={"OFFSETS": (file,)}
        )


@pytest.fixture
def collected(monkeypatch):
    """Return a function that collects a slot a second until there are two snapshots; and what it
    reported and complained of.
    """
    monkeypatch.setattr(collect, "Snapshots", _Snapshots)
    told, said = [], []

    def run(lake, when_told=lambda: None, when_said=lambda: None):
        collect.collect(
            _SPARK,
            "c",
            lake,
            1,
            report=lambda one: (told.append(one), when_told()),
            complain=lambda line: (said.append(line), when_said()),
            is_over=lambda: len([one for one in told if not one.gap]) == 2,
        )

    return run, told, said


def _every_slot(lake):
    """Return the slots that the lake tells of; each is there once, and nothing that no manifest
    names.
    """
    one_second = timedelta(seconds=1)
    published = published_in(lake)
    slots = sorted(
        one.taken_at + number * one_second
        for one in published
        for number in range((one.gap_until - one.taken_at) // one_second + 1 if one.gap else 1)
    )
    assert slots == [slots[0] + number * one_second for number in range(len(slots))]
    named = {file for one in published for files in one.tables.values() for file in files}
    assert {found.key for found in lake.found() if not found.key.startswith("manifests/")} == named
    return slots


def test_slots_that_a_sleeping_service_did_not_take_are_gaps_told_once_and_the_collector_goes_on(
    collected, monkeypatch
):
    monkeypatch.setitem(service._RETRIES, "max_retries", 0)
    run, told, said = collected
    with S3() as s3:
        lake = s3.bucket() / "lake"
        run(
            lake,
            lambda: len(told) == 1 and s3.fall_asleep(),
            lambda: len(said) == 2 and s3.wake_up(),
        )
        monkeypatch.setattr(lease, "LASTS", timedelta(seconds=-1))
        sweep(lake)
        # A clock that was asked just then.
        lake.delete(found.key for found in lake.found("clock"))

        assert sorted(one.batch for one in told) == [one.batch for one in published_in(lake)]
        _every_slot(lake)
        reasons = {one.gap for one in told if one.gap}
        lines = [line.replace(str(lake), "LAKE").replace(s3.endpoint, "SERVICE") for line in said]

    # A slow machine loses further slots.
    slow = {
        "the previous snapshot took longer than a slot",
        "the lake was not ready before the slot was over",
    }
    assert reasons - slow == {f"the lake could not be written: no answer from {s3.endpoint}"}
    assert [line[19:] for line in lines[:2]] == [" UTC is a gap: LAKE: no answer from SERVICE"] * 2


def test_of_a_slot_whose_file_was_not_written_nothing_stays_but_its_reason(
    collected, tmp_path, monkeypatch
):
    monkeypatch.setattr(_Snapshots, "faults", ["No space left on device"])
    run, told, said = collected

    run(place_of(tmp_path))

    gap, *snapshots = told
    (slot, *_) = _every_slot(place_of(tmp_path))
    assert (gap.gap, gap.taken_at, gap.gap_until) == (
        "the lake could not be written: No space left on device",
        slot,
        slot,
    )
    assert [one.gap for one in snapshots] == [None, None]
    assert said == [
        f"{slot:%Y-%m-%d %H:%M:%S} UTC is a gap: {tmp_path}/LAG/{gap.batch}/0.parquet: No space"
        " left on device"
    ]


def test_a_slot_that_is_over_when_the_lake_is_ready_gets_no_later_snapshot(
    collected, tmp_path, monkeypatch
):
    run, told, said = collected
    monkeypatch.setattr(
        lease,
        "leased",
        lambda *arguments, **options: (told or time.sleep(2.1), leased(*arguments, **options))[1],
    )

    run(place_of(tmp_path))

    assert {one.gap for one in told} == {
        "the lake was not ready before the slot was over",
        "the previous snapshot took longer than a slot",
        None,
    }
    assert told[0].gap == "the lake was not ready before the slot was over"
    assert said == []
    _every_slot(place_of(tmp_path))


def test_it_ends_where_access_is_denied(collected, tmp_path, monkeypatch):
    cause = "the service answers 403 Forbidden: AccessDenied: Access Denied."
    monkeypatch.setattr(_Snapshots, "faults", [None, cause])
    run, told, said = collected

    with pytest.raises(PlaceError, match=f"{cause}$"):
        run(place_of(tmp_path))

    assert [len(told), said] == [1, []]


def test_a_slot_that_another_process_gave_up_meanwhile_is_told_as_the_lake_has_it(
    collected, tmp_path, monkeypatch
):
    run, told, said = collected
    lake, read = place_of(tmp_path), _Snapshots.read

    def taken_for_dead(self, batch):
        one = read(self, batch)
        if not told and not said:
            manifest.abandon(
                lake, batch, one.taken_at, lease.note_of(lake, lease.holders(lake)[batch])
            )
        return one

    monkeypatch.setattr(_Snapshots, "read", taken_for_dead)
    run(lake)

    assert len(said) == 1
    assert [one.gap for one in told] == [
        "the collector was stopped before this snapshot was stored",
        None,
        None,
    ]
    _every_slot(lake)
