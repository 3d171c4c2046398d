"""A collector that is killed at any request of a slot: no half slot is seen, the next collector
goes on, and what is stored counts right.
"""

import os
import signal
from contextlib import suppress
from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import pytest

from evenkeel.data.errors import NoBatchError
from evenkeel.data.group.document import decode
from evenkeel.data.group.tables.counts import Counts, counts_of
from evenkeel.data.lake import lease, store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.slots import slot_batches
from evenkeel.data.lake.writing import with_counts, with_tables, write
from evenkeel.data.pipeline.collect import _alone, _Collector
from evenkeel.data.pipeline.snapshots import PLANNED, Slots
from evenkeel.data.sources.document_rows import rows_of
from evenkeel.data.sources.source import START
from tests.data.lake.test_one_process import DOCUMENT

_FIRST = 1_763_625_600
_EVERY = 30


class _Snapshots:
    """Snapshots of one group."""

    def __init__(self, lake):
        self._lake = lake

    def read(self, batch):
        at = slot_batches.time_of(batch)
        parsed = rows_of([(1, decode(DOCUMENT))], "cluster c", START)
        done = [write(parsed, {"cluster c": counts_of(parsed)}, 0, self._lake, batch)]
        one = Manifest(
            batch=batch,
            ingested_at=at,
            taken_at=at,
            cluster="c",
            sources=(SourceFile("cluster c", "", 0),),
        )
        return with_tables(with_counts(one, done), done, {})


def collect_slots(lake, *slots):
    """Store slots as a collector does that is on time."""
    on_time = SimpleNamespace(is_over=lambda slot, now: False, gaps=Slots(_EVERY, _FIRST).gaps)
    with _alone(lake, "c") as own:
        collector = _Collector(
            "c", lake, own, on_time, _Snapshots(lake), lambda one: None, pytest.fail
        )
        collector.give_up_begun()
        for slot in slots:
            collector.store(slot, ())


def test_a_collector_that_is_killed_at_any_request_leaves_a_whole_slot_or_a_gap(
    faulty_s3, forks, monkeypatch
):
    monkeypatch.setattr(lease, "LASTS", timedelta(seconds=-1))
    lake = faulty_s3.lake()
    collect_slots(lake, _FIRST)

    # Behind the manifest, which is among the first, a collector lists and deletes what no manifest
    # names.
    for number in range(1, 22, 2):
        slot, left = _FIRST + number * _EVERY, iter(range(number))
        process = forks.Process(target=collect_slots, args=(lake, slot))
        with faulty_s3.spoiled(
            partial(killed, process), lambda method, path, left=left: next(left, None) is None
        ):
            process.start()
            process.join(240)
        whole(lake, slot)
        collect_slots(lake, slot + _EVERY)

    seen = [whole(lake, _FIRST + number * _EVERY) for number in range(23)]
    # One that was killed before it had begun the slot left nothing of it; the next real one tells
    # of all slots before it.
    assert {one.gap for one in seen[1::2] if one} == {None, PLANNED}
    assert {one.gap for one in seen[::2]} == {None}
    named = {file for one in store.batches(lake) for files in one.tables.values() for file in files}
    assert {
        found.key for found in lake.found() if not found.key.startswith(("manifests/", "clock/"))
    } == named


def killed(process, handler):
    """Kill the process that asks; the service never sees the request."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGKILL)
    handler.hang_up()


def whole(lake, slot):
    """Return a slot as a reader sees it, None where there is none: whole, and in it lines = rows +
    notes + rejected, or a gap.
    """
    try:
        one = store.batch(lake, slot_batches.slot_batch("c", slot))
    except NoBatchError:
        return None
    if not one.gap:
        assert one.counts == Counts(lines=1, rows=1)
        assert store.table(lake, one.batch, "OFFSETS").num_rows == 3
    return one
