"""What a killed run left is cleaned up once its lease is over; what a living one writes is not."""

import signal
import time
from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import lease, manifest, store
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.run import running, sweep
from tests.waiting import until


def keys(place):
    return [found.key for found in place.found() if not found.key.startswith("leases/")]


def published(place, batch, *files):
    manifest.publish(
        place, Manifest(batch=batch, ingested_at=datetime.now(UTC), tables={"OFFSETS": files})
    )


def hold_and_wait(place, ready):
    with running(place, "other"):
        place.write("OFFSETS/other/0.parquet", b"x")
        ready.set()
        signal.pause()


@pytest.fixture
def other(place, forks):
    """A process in the middle of an ingest into the same lake."""
    ready = forks.Event()
    process = forks.Process(target=hold_and_wait, args=(place, ready))
    process.start()
    assert ready.wait(240)
    yield process
    process.kill()
    process.join()


@pytest.fixture
def short(monkeypatch):
    """Leases that are over after a second and a half; the clock of S3 counts whole seconds."""
    monkeypatch.setattr(lease, "LASTS", timedelta(seconds=1.5))
    return lambda: time.sleep(3)


def test_files_of_a_run_that_fails_are_deleted(place):
    with pytest.raises(ZeroDivisionError), running(place, "b-1"):
        place.write("OFFSETS/b-1/0.parquet", b"x")
        raise ZeroDivisionError

    assert [found.key for found in place.found()] == []


def test_of_a_published_batch_what_the_manifest_names_stays(place):
    with running(place, "b-1"):
        place.write("OFFSETS/b-1/0.parquet", b"x")
        place.write("OFFSETS/b-1/0-of-a-lost-attempt.parquet", b"x")
        place.write("SHARES/b-1/0.parquet", b"x")
        published(place, "b-1", "OFFSETS/b-1/0.parquet")

    assert [found.key for found in place.found()] == ["OFFSETS/b-1/0.parquet", "manifests/b-1.json"]


def test_a_batch_that_another_writes_is_refused(place, other):
    with pytest.raises(SnapshotError, match="other"), running(place, "other"):
        pass

    assert keys(place) == ["OFFSETS/other/0.parquet"]


def test_a_run_beside_another_leaves_it_alone(place, other):
    with running(place, "b-1"):
        pass

    assert keys(place) == ["OFFSETS/other/0.parquet"]


def test_what_a_killed_run_left_is_deleted_by_the_next_once_its_lease_is_over(place, other, short):
    other.kill()
    other.join()
    short()

    with running(place, "b-1"):
        pass

    assert keys(place) == ["manifests/other.json"]
    assert store.batches(place) == []


def test_a_run_that_was_only_asleep_publishes_nothing_of_what_was_deleted(place, other, short):
    other.kill()
    short()
    with running(place, "b-1"):
        pass

    with pytest.raises(SnapshotError, match="another process published batch other or gave it up"):
        published(place, "other", "OFFSETS/other/0.parquet")

    assert store.batches(place) == []


def test_a_long_run_renews_its_lease(place, monkeypatch):
    # Every 0.3 s: on a machine with much to do, one that is late by seconds is still in time.
    monkeypatch.setattr(lease, "LASTS", lasts := timedelta(seconds=5))
    monkeypatch.setattr(lease, "RENEWED_AFTER", timedelta(seconds=0.3))

    with running(place, "long"):
        begun = lease.holders(place)["long"].written_at
        until(lambda: lease.holders(place)["long"].written_at > begun + lasts, pause=0.2)
        with running(place, "b-1"):
            assert lease.is_held(place, "long")
        published(place, "long")

    assert [one.batch for one in store.batches(place)] == ["long"]


def test_of_two_that_take_a_free_lease_one_gets_it(place, short, other):
    other.kill()
    short()
    last = lease.holders(place)["other"]
    first, second = (lease.Lease(place, last.key.replace("000000", "000001")) for _ in range(2))

    assert [first.begin(), second.begin()] == [True, False]
    first.end()


def test_a_service_that_hangs_before_a_batch_is_published_names_the_lake_and_the_missing_work(
    sleepy, monkeypatch
):
    s3, lake = sleepy
    line = f"^{lake}: batch b-1 could not be published: no answer from {s3.endpoint}$"

    with pytest.raises(SnapshotError, match=line), running(lake, "b-1"):
        lake.write("OFFSETS/b-1/0.parquet", b"x")
        s3.fall_asleep()
        published(lake, "b-1", "OFFSETS/b-1/0.parquet")
    with (
        pytest.raises(SnapshotError, match=f"^{lake}: no answer from {s3.endpoint}$"),
        running(lake, "b-2"),
    ):
        pass
    s3.wake_up()

    # The request for the manifest may be carried out late: then its files are there.
    until(lambda: manifest.exists(lake, "b-1"))
    monkeypatch.setattr(lease, "LASTS", timedelta(seconds=-1))
    sweep(lake)
    assert [key for key in keys(lake) if not key.startswith("clock/")] == [
        "OFFSETS/b-1/0.parquet",
        "manifests/b-1.json",
    ]


def test_a_batch_is_stored_though_the_service_falls_asleep_before_its_run_has_cleaned_up(
    sleepy, monkeypatch
):
    s3, lake = sleepy

    with running(lake, "b-1"):
        lake.write("SHARES/b-1/0.parquet", b"x")
        lake.write("OFFSETS/b-1/0.parquet", b"x")
        published(lake, "b-1", "OFFSETS/b-1/0.parquet")
        s3.fall_asleep()
    s3.wake_up()

    monkeypatch.setattr(lease, "LASTS", timedelta(seconds=-1))
    sweep(lake)
    assert [found.key for found in lake.found()] == ["OFFSETS/b-1/0.parquet", "manifests/b-1.json"]
