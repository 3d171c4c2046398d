"""A slot whose hour is stored together has its name free again; a collector that was asleep must
not take it.
"""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from evenkeel.data.lake import manifest, store
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.tidy import tidy
from evenkeel.data.pipeline.collect import _Collector
from evenkeel.data.pipeline.snapshots import Gap
from tests.data.lake.slots.collected import DAY, seen, snapshot

_NEVER = timedelta(days=36500)
_SLOT = int(DAY.timestamp())


@pytest.fixture
def lake(tmp_path):
    """A lake with an hour of two slots."""
    lake = place_of(tmp_path / "lake")
    for minute in (0, 1):
        snapshot(lake, DAY + minute * timedelta(minutes=1))
    tidy(lake, Retention(_NEVER, _NEVER, _NEVER), settle_seconds=0)
    return lake


def _collector(lake, told, snapshots=None):
    slots = SimpleNamespace(is_over=lambda slot, now: False)
    return _Collector(
        "c", lake, SimpleNamespace(is_last=True), slots, snapshots, told.append, pytest.fail
    )


def _manifests(lake):
    return [one.key for one in lake.found(manifest.FOLDER)]


def test_a_gap_of_a_slot_that_has_a_snapshot_in_its_hour_is_told_as_that_snapshot(lake):
    before, told = seen(lake), []
    collector = _collector(lake, told)
    collector._untold = [Gap(_SLOT, _SLOT, "the lake could not be written")]

    collector.tell_what_is_left()

    assert [(one.batch, one.gap) for one in told] == [("c-20261110T000000Z", None)]
    assert _manifests(lake) == ["manifests/c-20261110T00.json"]
    assert seen(lake) == before


def test_a_snapshot_of_a_slot_that_is_in_its_hour_already_is_not_published(lake):
    before, told = seen(lake), []
    again = store.batch(lake, "c-20261110T000000Z")

    _collector(lake, told, SimpleNamespace(read=lambda batch: again)).store(_SLOT, ())

    assert [one.batch for one in told] == ["c-20261110T000000Z"]
    assert _manifests(lake) == ["manifests/c-20261110T00.json"]
    assert seen(lake) == before


def test_a_gap_of_a_slot_that_nothing_tells_of_is_published(lake):
    told = []
    collector = _collector(lake, told)
    collector._untold = [Gap(_SLOT + 7200, _SLOT + 7200, "no collector ran")]

    collector.tell_what_is_left()

    assert _manifests(lake) == ["manifests/c-20261110T00.json", "manifests/c-20261110T020000Z.json"]
    assert [one.gap for one in told] == ["no collector ran"]
