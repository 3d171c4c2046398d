"""What a killed ingest leaves is cleaned up; what a living one writes is not."""

import fcntl
import multiprocessing
import os
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest
from data.lake.lock import is_held, running

from data.errors import SnapshotError
from data.lake import manifest
from data.lake.manifest import Manifest


def files_in(lake):
    return sorted(str(path.relative_to(lake)) for path in lake.rglob("*") if path.is_file())


def write(lake, name):
    (lake / name).parent.mkdir(parents=True, exist_ok=True)
    (lake / name).write_text("x")


def hold_and_wait(lake, ready):
    with running(lake, "other"):
        write(lake, "OFFSETS/other/0.parquet")
        ready.set()
        signal.pause()


@pytest.fixture
def other(tmp_path):
    """A process in the middle of an ingest into the same lake."""
    methods = multiprocessing.get_context("spawn")
    ready = methods.Event()
    process = methods.Process(target=hold_and_wait, args=(tmp_path, ready))
    process.start()
    assert ready.wait(60)
    yield process
    process.kill()
    process.join()


def test_files_of_a_run_that_fails_are_deleted(tmp_path):
    with pytest.raises(ZeroDivisionError), running(tmp_path, "b-1") as scratch:
        write(tmp_path, "OFFSETS/b-1/0.parquet")
        write(scratch, "keys")
        write(tmp_path, "manifests/.b-1.tmp")
        1 / 0

    assert files_in(tmp_path) == []


def test_of_a_published_batch_what_the_manifest_names_stays(tmp_path):
    with running(tmp_path, "b-1"):
        write(tmp_path, "OFFSETS/b-1/0.parquet")
        write(tmp_path, "OFFSETS/b-1/0-of-a-lost-attempt.parquet")
        write(tmp_path, "LAG/b-1/_SUCCESS")
        manifest.publish(tmp_path, Manifest(batch="b-1", ingested_at=datetime.now(UTC), tables={"OFFSETS": ("OFFSETS/b-1/0.parquet",)}))

    assert files_in(tmp_path) == ["OFFSETS/b-1/0.parquet", "manifests/b-1.json"]


def test_a_killed_run_is_begun_again_without_what_it_left(tmp_path, other):
    other.kill()
    other.join()

    with running(tmp_path, "other"):
        write(tmp_path, "OFFSETS/other/1.parquet")
        while_it_ran = files_in(tmp_path)

    assert while_it_ran == ["OFFSETS/other/1.parquet", "running/other.lock"]
    assert files_in(tmp_path) == []


def test_a_batch_that_another_writes_is_refused(tmp_path, other):
    with pytest.raises(SnapshotError, match="File exists"), running(tmp_path, "other"):
        pass

    assert files_in(tmp_path) == ["OFFSETS/other/0.parquet", "running/other.lock"]


def test_a_run_beside_another_leaves_it_alone(tmp_path, other):
    with running(tmp_path, "b-1"):
        pass

    assert files_in(tmp_path) == ["OFFSETS/other/0.parquet", "running/other.lock"]


def test_a_run_that_just_begins_is_not_taken_for_a_killed_one(tmp_path, monkeypatch):
    lock, has_met = fcntl.flock, []

    def meets_another(file, operation):
        if not has_met:
            has_met.append(True)
            with running(tmp_path, "b-2"):
                pass
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", meets_another)

    with running(tmp_path, "b-1") as scratch:
        write(scratch, "keys")

        assert files_in(tmp_path) == ["running/b-1.lock", "running/b-1/keys"]


def test_what_a_killed_run_left_is_deleted_by_the_next(tmp_path, other):
    os.kill(other.pid, signal.SIGKILL)
    other.join()
    assert not is_held(tmp_path, "other")

    with running(tmp_path, "b-1"):
        pass

    assert files_in(tmp_path) == []


def test_runs_that_look_at_what_a_killed_one_left_at_once_both_see_that_it_is_free(tmp_path, monkeypatch):
    write(tmp_path, "running/killed.lock")
    lock, seen = fcntl.flock, []

    def meets_another(file, operation):
        lock(file, operation)
        if not seen:
            seen.append("another looks")
            seen.append(is_held(tmp_path, "killed"))

    monkeypatch.setattr(fcntl, "flock", meets_another)

    assert (is_held(tmp_path, "killed"), seen) == (False, ["another looks", False])


def test_a_run_that_names_its_lock_while_another_looks_is_seen(tmp_path, monkeypatch):
    begun = tmp_path / "running" / "b-1.begun"
    write(tmp_path, "running/b-1.begun")
    path_open = Path.open

    def renamed_first(path, *mode):
        if path == begun and begun.exists():
            begun.rename(begun.with_suffix(".lock"))
        return path_open(path, *mode)

    with begun.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        monkeypatch.setattr(Path, "open", renamed_first)

        assert is_held(tmp_path, "b-1")


def test_files_without_manifest_and_lock_are_deleted(tmp_path):
    write(tmp_path, "MEMBERS/forgotten/0.parquet")

    with running(tmp_path, "b-1"):
        pass

    assert files_in(tmp_path) == []


def test_a_lake_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(SnapshotError, match="lake .*file: Not a directory"), running(tmp_path / "file", "b-1"):
        pass
