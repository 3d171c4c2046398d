"""Progress of the tasks of an ingest."""

from queue import Queue
from types import SimpleNamespace

from data.pipeline.ingest import on_spark


def test_progress_is_the_share_of_the_bytes_whose_tasks_are_done(tmp_path):
    tasks, shares = [SimpleNamespace(place=0, size=100), SimpleNamespace(place=1, size=300)], Queue()

    with on_spark.watched(tasks, tmp_path, shares.put):
        before = shares.get(timeout=60)
        (tmp_path / "000000.OFFSETS").touch()
        between = next(share for share in iter(lambda: shares.get(timeout=60), None) if share)
        (tmp_path / "000001.OFFSETS").touch()

    assert (before, between, list(shares.queue)[-1]) == (0, 0.25, 1)
