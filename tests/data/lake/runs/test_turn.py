"""Ingests publish one after the other: a file that several read at once is stored once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import lease, manifest, store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.run import publish_once, running


def of(batch, *files):
    return Manifest(
        batch=batch,
        ingested_at=datetime.now(UTC),
        sources=tuple(SourceFile(file, file, 1) for file in files),
    )


def stored(place):
    return [source.sha256 for one in store.batches(place) for source in one.sources]


def publish(place, one):
    return publish_once(place, one, lambda: stored(place))


def test_a_file_that_another_has_stored_meanwhile_is_not_stored_again(place):
    assert publish(place, of("b-1", "f", "g"))
    assert not publish(place, of("b-2", "g", "h"))
    assert publish(place, of("b-2", "h"))

    assert sorted(stored(place)) == ["f", "g", "h"]


def test_of_many_at_once_with_one_file_one_publishes(place):
    start = threading.Barrier(6)

    def run(number):
        with running(place, f"b-{number}"):
            start.wait()
            return publish(place, of(f"b-{number}", "f", f"own-{number}"))

    with ThreadPoolExecutor(6) as threads:
        published = list(threads.map(run, range(6)))

    assert published.count(True) == 1
    assert stored(place).count("f") == 1


def test_many_at_once_without_a_file_in_common_all_publish(place):
    def run(number):
        with running(place, f"b-{number}"):
            return publish(place, of(f"b-{number}", f"own-{number}"))

    with ThreadPoolExecutor(6) as threads:
        assert all(threads.map(run, range(6)))

    assert sorted(stored(place)) == [f"own-{number}" for number in range(6)]


def test_a_run_that_was_killed_in_its_turn_is_not_waited_for_and_can_publish_no_more(
    place, monkeypatch
):
    def dies(*args):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(manifest, "publish", dies)
        publish(place, of("killed", "f"))
    monkeypatch.setattr(lease, "LASTS", timedelta(0))

    assert publish(place, of("b-2", "f"))

    with pytest.raises(SnapshotError, match="gave it up"):
        manifest.publish(place, of("killed", "f"))
    assert stored(place) == ["f"]
