"""What stands in place of a batch whose run was killed."""

from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import lease, manifest
from evenkeel.data.lake.lease import leased
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.run import running, sweep

_NOW = datetime(2026, 11, 20, tzinfo=UTC)
_GAP = Manifest(batch="c-1", ingested_at=_NOW, cluster="c", gap="the collector was stopped")


@pytest.fixture
def lake(tmp_path):
    """A lake with a file of the batch c-1, whose run has the gap in its lease and was killed."""
    lake = place_of(tmp_path / "lake")
    last = lease.Lease(lake, "leases/c-1/000000", manifest.encoded(_GAP))
    lake.create(last._key, last._data)
    lake.write("OFFSETS/c-1/0.parquet", b"x")
    return lake


def test_what_a_killed_run_left_to_be_published_is_published_by_whoever_sweeps(lake, monkeypatch):
    monkeypatch.setattr(lease, "LASTS", timedelta(0))

    sweep(lake)

    assert manifest.read(lake, "c-1") == _GAP
    assert [found.key for found in lake.found()] == ["manifests/c-1.json"]


def test_a_run_that_was_asleep_publishes_nothing_over_it(lake, monkeypatch):
    monkeypatch.setattr(lease, "LASTS", timedelta(0))
    sweep(lake)

    with pytest.raises(SnapshotError, match="gave it up"):
        manifest.publish(lake, Manifest(batch="c-1", ingested_at=_NOW))


def test_a_batch_that_was_published_before_the_kill_stays(lake, monkeypatch):
    monkeypatch.setattr(lease, "LASTS", timedelta(0))
    one = Manifest(batch="c-1", ingested_at=_NOW, tables={"OFFSETS": ("OFFSETS/c-1/0.parquet",)})
    manifest.publish(lake, one)

    sweep(lake)

    assert manifest.read(lake, "c-1") == one
    assert [found.key for found in lake.found()] == ["OFFSETS/c-1/0.parquet", "manifests/c-1.json"]


def test_a_living_run_is_not_swept(lake):
    with running(lake, "other"):
        pass

    assert lake.holds("OFFSETS/c-1/0.parquet")
    assert not manifest.exists(lake, "c-1")


def test_a_holder_sees_that_another_has_taken_its_name(tmp_path, monkeypatch):
    lake = place_of(tmp_path / "lake")
    with leased(lake, "c", "collectors") as own:
        assert own.is_last
        monkeypatch.setattr(lease, "LASTS", timedelta(0))
        with leased(lake, "c", "collectors") as other:
            assert (own.is_last, other.is_last) == (False, True)
