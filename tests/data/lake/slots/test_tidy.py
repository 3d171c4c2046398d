"""Slots become one batch an hour, one a day, then fewer, then none; readers see each slot at every
moment.
"""

import os
import signal
from datetime import timedelta
from itertools import count
from random import Random

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import lease, manifest, store
from evenkeel.data.lake.lease import TIDYING, HeldError, leased
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.slots import day_rows
from evenkeel.data.lake.slots import tidy as tidying
from evenkeel.data.lake.slots.retention import Form, Retention
from evenkeel.data.lake.slots.slot_batches import last_slot
from evenkeel.data.lake.slots.tidy import StoppedError, tidy
from tests.data.lake.slots.collected import DAY, gap, seen, snapshot
from tests.waiting import until

_MINUTE, _DAY = timedelta(minutes=1), timedelta(days=1)
_DAYS = Retention(
    compact_after=_DAY, keep_slots=timedelta(days=36500), keep_thinned=timedelta(days=36500)
)
_THIN = Retention(compact_after=_DAY, keep_slots=2 * _DAY, keep_thinned=timedelta(days=36500))
_NONE = Retention(compact_after=_DAY, keep_slots=2 * _DAY, keep_thinned=3 * _DAY)


@pytest.fixture(params=["folder", "s3"])
def lake(request, tmp_path):
    """An empty lake, in a folder and in object storage."""
    return (
        place_of(tmp_path / "lake")
        if request.param == "folder"
        else request.getfixturevalue("bucket") / "lake"
    )


@pytest.fixture
def now_is_later(monkeypatch):
    """Return a function that makes the lake's clock say a day, from its end on."""
    return lambda days: monkeypatch.setattr(
        "evenkeel.data.lake.slots.tidy.lease.now", lambda lake: DAY + _DAY + timedelta(days=days)
    )


@pytest.fixture
def _no_grace(monkeypatch):
    monkeypatch.setattr(tidying, "GRACE", timedelta(days=-36500))


def _tidied(lake, retention):
    found = []
    deleted = tidy(lake, retention, found.append, settle_seconds=0)
    return [(one.form, one.slot_count, one.left_count, one.problem) for one in found], deleted


def _keys(lake, folder):
    return [one.key for one in lake.found(folder)]


def test_a_day_becomes_one_file_a_table_and_every_slot_reads_as_before(lake):
    for minute in range(5):
        snapshot(lake, DAY + minute * _MINUTE)
    gap(lake, DAY + 5 * _MINUTE, DAY + 8 * _MINUTE)
    before = seen(lake)

    done, _ = _tidied(lake, _DAYS)

    assert done == [(Form.DAY, 6, 6, None)]
    assert seen(lake) == before
    assert _keys(lake, "manifests") == ["manifests/c-20261110.json"]
    assert [
        len(_keys(lake, f"{name}/c-20261110"))
        for name in ("OFFSETS", "GROUP_LOAD", "REJECTED", "MEMBERS")
    ] == [1, 1, 1, 0]
    assert store.times(lake, "c-20261110T000300Z", "payments") == [
        DAY + 3 * _MINUTE + timedelta(milliseconds=700)
    ]
    assert store.tables(lake, "c-20261110T000300Z", "payments").offsets[
        "committed_offset"
    ].to_pylist() == [3, 3, 3]
    assert store.first_rows(lake, "c-20261110T000300Z", "REJECTED", 5)["text"].to_pylist() == [
        "c-20261110T000300Z"
    ]
    assert last_slot(lake, "c") == int((DAY + 8 * _MINUTE).timestamp())


def test_a_day_that_is_not_old_enough_stays(lake, now_is_later):
    snapshot(lake, DAY)
    now_is_later(0.99)

    assert _tidied(lake, _DAYS) == ([], 0)
    assert _keys(lake, "manifests") == ["manifests/c-20261110T000000Z.json"]


def test_an_hour_that_is_over_becomes_one_batch_and_the_hours_of_a_day_become_one(
    lake, now_is_later
):
    for minute in (0, 30, 59, 60, 90, 120, 180, 181):
        snapshot(lake, DAY + minute * _MINUTE)
    gap(lake, DAY + 45 * _MINUTE, DAY + 50 * _MINUTE)
    before = seen(lake)
    # 04:09: the last hour has been over for less than ten minutes.
    now_is_later(249 / 1440 - 1)

    done, _ = _tidied(lake, _DAYS)

    assert done == [(Form.HOUR, 4, 4, None), (Form.HOUR, 2, 2, None)]
    of_slots = ["T020000Z", "T030000Z", "T030100Z"]
    assert _keys(lake, "manifests") == [
        f"manifests/c-20261110{end}.json" for end in ("T00", "T01", *of_slots)
    ]
    assert seen(lake) == before
    assert last_slot(lake, "c") == int((DAY + 181 * _MINUTE).timestamp())

    # A slot that comes late stays beside its hour, also where it is the only one left.
    snapshot(lake, DAY + 31 * _MINUTE)
    before = seen(lake)
    now_is_later(250 / 1440 - 1)
    assert _tidied(lake, _DAYS)[0] == [(Form.HOUR, 2, 2, None)]
    of_slots = ["T003100Z", "T01", "T020000Z", "T03"]
    assert _keys(lake, "manifests") == [
        f"manifests/c-20261110{end}.json" for end in ("T00", *of_slots)
    ]
    assert seen(lake) == before
    assert last_slot(lake, "c") == int((DAY + 181 * _MINUTE).timestamp())

    now_is_later(1)
    assert _tidied(lake, _DAYS)[0] == [(Form.DAY, 10, 10, None)]
    assert _keys(lake, "manifests") == ["manifests/c-20261110.json"]
    assert seen(lake) == before


def test_the_last_slot_is_found_also_while_hours_become_their_day(lake, now_is_later, monkeypatch):
    for minute in (0, 1, 60, 61):
        snapshot(lake, DAY + minute * _MINUTE)
    now_is_later(0)
    _tidied(lake, _DAYS)
    read = manifest.read

    def read_later(*asked):
        monkeypatch.setattr(manifest, "read", read)
        now_is_later(1)
        _tidied(lake, _DAYS)
        return read(*asked)

    monkeypatch.setattr(manifest, "read", read_later)
    assert last_slot(lake, "c") == int((DAY + 61 * _MINUTE).timestamp())


def test_the_hours_of_an_old_day_are_thinned_and_those_of_the_oldest_deleted(lake, now_is_later):
    for minute in (0, 1, 60, 61, 70):
        snapshot(lake, DAY + minute * _MINUTE)
    before = seen(lake)
    now_is_later(0)
    _tidied(lake, _DAYS)
    now_is_later(2)

    assert _tidied(lake, _THIN)[0] == [(Form.THINNED, 5, 3, None)]

    assert seen(lake) == {
        f"c-20261110T{end}Z": before[f"c-20261110T{end}Z"] for end in ("000000", "010000", "011000")
    }
    now_is_later(3)
    _tidied(lake, _NONE)
    assert seen(lake) == {}


def test_a_reader_that_began_before_reads_on_until_the_grace_time_is_over(lake, monkeypatch):
    one = snapshot(lake, DAY)
    _tidied(lake, _DAYS)
    assert all(lake.holds(file) for files in one.tables.values() for file in files)
    assert _tidied(lake, _DAYS) == ([], 0)
    monkeypatch.setattr(tidying, "GRACE", timedelta(0))

    assert _tidied(lake, _DAYS) == ([], 3)

    assert not any(lake.holds(file) for files in one.tables.values() for file in files)
    assert {key.split("/")[1] for key in _keys(lake, "OFFSETS")} == {"c-20261110"}
    assert _keys(lake, "garbage") == []


def test_an_older_day_keeps_the_first_snapshot_of_ten_minutes_with_and_without_a_days_batch(
    lake, now_is_later
):
    for minute in (0, 3, 12, 15, 41):
        snapshot(lake, DAY + minute * _MINUTE)
    gap(lake, DAY + 10 * _MINUTE, DAY + 10 * _MINUTE)
    gap(lake, DAY + 16 * _MINUTE, DAY + 40 * _MINUTE)
    gap(lake, DAY + 52 * _MINUTE, DAY + 52 * _MINUTE)
    gap(lake, DAY + 53 * _MINUTE, DAY + 53 * _MINUTE)
    before = seen(lake)
    now_is_later(1.5)
    _tidied(lake, _THIN)
    now_is_later(2)
    snapshot(lake, DAY + 8 * _MINUTE)

    done, _ = _tidied(lake, _THIN)

    kept = [f"c-20261110T00{minute}00Z" for minute in ("00", "12", "40", "41", "52")]
    assert done == [(Form.THINNED, 10, 5, None)]
    assert seen(lake) == {batch: before[batch] for batch in kept}
    assert _keys(lake, "manifests") == ["manifests/c-20261110-thinned.json"]
    with pytest.raises(
        SnapshotError,
        match=r"no batch 'c-20261110T000300Z'; a snapshot is deleted after \[lake\] keep_slots",
    ):
        store.batch(lake, "c-20261110T000300Z")


@pytest.mark.usefixtures("_no_grace")
def test_the_oldest_days_are_deleted_and_what_was_ingested_never_is(lake):
    snapshot(lake, DAY)
    snapshot(lake, DAY + _DAY)
    lake.write(
        "manifests/20261110T101112-20261110.json",
        b'{"batch":"20261110T101112-20261110","ingested_at":"2026-11-10T10:11:12Z"}',
    )
    _tidied(lake, _DAYS)
    _tidied(lake, _DAYS)

    assert _tidied(lake, _NONE)[0] == [(Form.NONE, 1, 0, None), (Form.NONE, 1, 0, None)]
    _tidied(lake, _NONE)

    assert [one.batch for one in store.batches(lake)] == ["20261110T101112-20261110"]
    assert _keys(lake, "") == ["manifests/20261110T101112-20261110.json"]


def test_clusters_and_days_are_apart(lake):
    for day in range(2):
        for cluster in ("c", "c-d"):
            snapshot(lake, DAY + day * _DAY, cluster=cluster)
    before = seen(lake)

    assert len(_tidied(lake, _DAYS)[0]) == 4
    assert seen(lake) == before
    assert len(_keys(lake, "manifests")) == 4


def test_a_slot_that_comes_after_its_day_is_stored_is_read_too(lake):
    snapshot(lake, DAY)
    _tidied(lake, _DAYS)
    gap(lake, DAY + _MINUTE, DAY + _MINUTE)
    before = seen(lake)

    assert _tidied(lake, _DAYS) == ([], 0)

    assert seen(lake) == before
    assert len(before) == 2


def test_a_day_with_a_slot_that_cannot_be_read_stays_as_it_is_and_says_why(lake):
    snapshot(lake, DAY)
    broken = snapshot(lake, DAY + _MINUTE).tables["OFFSETS"][0]
    lake.write(broken, b"no Parquet")
    snapshot(lake, DAY + _DAY)

    ((_, slots, left, problem), other), _ = _tidied(lake, _DAYS)

    assert (slots, left) == (2, 2)
    assert "Parquet" in problem
    assert other == (Form.DAY, 1, 1, None)
    assert len(_keys(lake, "manifests")) == 3


def test_a_second_tidy_is_refused_and_one_that_shall_end_does(lake):
    snapshot(lake, DAY)

    with leased(lake, "lake", TIDYING), pytest.raises(HeldError):
        tidy(lake, _DAYS)
    with pytest.raises(StoppedError):
        tidy(lake, _DAYS, is_over=lambda: True)

    assert _tidied(lake, _DAYS)[0] == [(Form.DAY, 1, 1, None)]


def test_of_two_tidies_at_once_one_publishes_and_nothing_is_lost_or_doubled(lake, monkeypatch):
    """The first was asleep for longer than its lease lasts: the second runs in the middle of it."""
    for minute in range(3):
        snapshot(lake, DAY + minute * _MINUTE)
    before, lasts, inner = seen(lake), lease.LASTS, []

    def meets_another(*slot):
        if not inner:
            inner.append("begun")
            monkeypatch.setattr(lease, "LASTS", timedelta(seconds=-2))
            inner.extend(_tidied(lake, _DAYS)[0])
            monkeypatch.setattr(lease, "LASTS", lasts)
        return read(*slot)

    read = day_rows._rows_of_slot
    monkeypatch.setattr(day_rows, "_rows_of_slot", meets_another)
    done, _ = _tidied(lake, _DAYS)

    assert Form.DAY in {one[0] for one in inner[1:]}
    assert done == []
    assert seen(lake) == before
    monkeypatch.setattr(tidying, "GRACE", timedelta(0))
    _tidied(lake, _DAYS)
    assert seen(lake) == before
    assert len(_keys(lake, "OFFSETS")) == 1


def _tidy_until_killed(lake, ages, killed_at):
    """Tidy a lake with `compact_after` and `keep_slots` in days; this process is killed before the
    object is changed that has this number.
    """
    changes, delete = count(1), Place.delete

    def dying(change):
        def changed(*arguments, **options):
            if next(changes) == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)
            return change(*arguments, **options)

        return changed

    def deleting(place, keys):
        done = []
        for key in keys:
            if next(changes) == killed_at:
                delete(place, done)
                os.kill(os.getpid(), signal.SIGKILL)
            done.append(key)
        delete(place, done)

    for name in ("write", "write_parts", "create"):
        setattr(Place, name, dying(getattr(Place, name)))
    Place.delete = deleting
    lease.LASTS, tidying.GRACE = timedelta(seconds=0.1), timedelta(seconds=6)
    compact_after, keep_slots = (timedelta(days=days) for days in ages)
    tidy(lake, Retention(compact_after, keep_slots, timedelta(days=36500)), settle_seconds=0)


@pytest.fixture
def run(forks):
    """Return a function that tidies a lake in a process of its own and returns its exit code."""

    def code_of(lake, ages, killed_at):
        process = forks.Process(target=_tidy_until_killed, args=(lake, ages, killed_at))
        process.start()
        process.join(240)
        return process.exitcode

    return code_of


def test_a_tidy_that_is_killed_at_any_change_of_the_lake_loses_and_doubles_nothing(tmp_path, run):
    lake, random = place_of(tmp_path / "lake"), Random(0)
    groups = [f"group-{number:02d}" for number in range(10)]
    for number in range(24):
        snapshot(lake, DAY + number % 2 * _DAY + number // 2 * _MINUTE, groups)
    before, kills = seen(lake), 0

    for ages, stored, left in (
        ((36500, 36500), "T00", (24,)),
        ((1, 36500), "", (24,)),
        ((1, 1), "-thinned", (4, 14, 24)),
    ):
        for killed_at in (*(random.randint(1, 30) for _ in range(4)), 0):
            code = run(lake, ages, killed_at)
            assert code in (0, -signal.SIGKILL)
            kills += code != 0
            found = seen(lake)
            assert {batch: before[batch] for batch in found} == found
            assert len(found) in left
        assert _keys(lake, "manifests") == [
            f"manifests/c-202611{day}{stored}.json" for day in (10, 11)
        ]

    assert kills >= 3
    assert len(found) == 4
    until(lambda: run(lake, (1, 1), 0) == 0 and not _keys(lake, "garbage"), pause=0.5)
    assert seen(lake) == found
    assert len(_keys(lake, "OFFSETS")) == 2


def test_a_tidy_of_object_storage_that_is_killed_loses_and_doubles_nothing(
    bucket, run, monkeypatch
):
    lake = bucket / "lake"
    for minute in range(6):
        snapshot(lake, DAY + minute * _MINUTE)
    before = seen(lake)

    assert run(lake, (1, 36500), killed_at=Random(3).randint(1, 25)) == -signal.SIGKILL
    assert seen(lake) == before
    monkeypatch.setattr(lease, "LASTS", timedelta(seconds=-1))
    _tidied(lake, _DAYS)
    monkeypatch.setattr(tidying, "GRACE", timedelta(0))
    _tidied(lake, _DAYS)

    assert seen(lake) == before
    assert _keys(lake, "manifests") == ["manifests/c-20261110.json"]
    assert len(_keys(lake, "OFFSETS")) == 1
    assert {key.split("/")[0] for key in _keys(lake, "")} == {
        "manifests",
        "OFFSETS",
        "GROUP_LOAD",
        "REJECTED",
    }


@pytest.mark.parametrize("number", [3, 13, 19])
def test_a_service_that_falls_asleep_at_any_change_is_one_line_and_no_row_is_lost(
    sleepy, number, monkeypatch
):
    s3, lake = sleepy
    for minute in range(0, 30, 10):
        snapshot(lake, DAY + minute * _MINUTE)
    before, changes = seen(lake), count()

    def asked(change):
        return lambda *arguments, **options: (
            next(changes) == number and s3.fall_asleep(),
            change(*arguments, **options),
        )[1]

    with monkeypatch.context() as patch:
        for name in ("write", "write_parts", "create", "delete"):
            patch.setattr(Place, name, asked(getattr(Place, name)))
        with pytest.raises(
            SnapshotError,
            match=f"^{lake}[^ ]*: (.* could not be published: )?no answer from {s3.endpoint}$",
        ):
            tidy(lake, _DAYS, settle_seconds=0)
    s3.wake_up()

    monkeypatch.setattr(lease, "LASTS", timedelta(seconds=-1))
    assert seen(lake) == before
    _tidied(lake, _DAYS)
    monkeypatch.setattr(tidying, "GRACE", timedelta(0))
    _tidied(lake, _DAYS)
    assert seen(lake) == before
    assert _keys(lake, "manifests") == ["manifests/c-20261110.json"]
    assert len(_keys(lake, "OFFSETS")) == 1
