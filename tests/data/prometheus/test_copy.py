"""The past of all groups in a store becomes slots of the lake, hour by hour."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.lake.history.history import history_in
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.manifest import FOLDER
from evenkeel.data.lake.place import place_of
from evenkeel.data.prometheus.copy import CopyCounts, Range, copied, gaps_between
from evenkeel.data.prometheus.past import Past
from tests.generated.scraped import GAP, MINUTES, scraped
from tests.generated.written_slots import DAY, kept_up, write_slot
from tests.services.stores import answers_of, serving

END = DAY + timedelta(hours=6, minutes=30)
FIRST = END - timedelta(minutes=MINUTES)
SLOTS = MINUTES - len(GAP)


@pytest.fixture
def store(tmp_path, monkeypatch):
    rows = [*scraped(END, "pay"), *scraped(END, "ship")[:2], *scraped(END, "ship")[4:6]]
    unique = list({tuple(sorted(row.labels.items())): row for row in rows}.values())
    with serving(answers_of(unique)) as served:
        configure(tmp_path, monkeypatch, served.url)
        yield served


def configure(folder, monkeypatch, url: str) -> None:
    (folder / "evenkeel.toml").write_text(
        '[clusters.c]\n"bootstrap.servers" = "b:9092"\n'
        f'[clusters.c.history]\nprometheus = "{url}"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(folder / "evenkeel.toml"))


def copy(lake, over: Range) -> CopyCounts:
    with closing(Past(profile_of("c"))) as past:
        reading = past.reading(None, *over.milliseconds)
        done = sum((copied(lake, past, reading, hour) for hour in over.hours()), CopyCounts())
        return done + CopyCounts(gaps=gaps_between(lake, past, reading, over))


def committed(lake, group: str) -> list[int]:
    series = history_in(lake, group, instants(lake, "c"), "c").series
    return series.committed_offset[:, 0].tolist()


def test_all_groups_of_a_range_become_slots_once_and_gaps_stay_gaps(store, tmp_path):
    lake, over = place_of(tmp_path / "lake"), Range(FIRST, END + timedelta(seconds=1))

    first = copy(lake, over)
    again = copy(lake, over)

    # Two groups of two partitions; the gap is within an hour.
    assert first == CopyCounts(slots=SLOTS, rows=4 * SLOTS, gaps=1)
    assert again == CopyCounts()
    expected = [995 + 600 * minute for minute in range(MINUTES) if minute not in GAP]
    assert committed(lake, "pay") == committed(lake, "ship") == expected
    assert sorted(lake.names(FOLDER)) == [
        "c-20261110T04.json",
        "c-20261110T05.json",
        "c-20261110T06.json",
    ]


def test_a_copy_says_which_exporter_it_is_from(store, tmp_path, capsys, monkeypatch):
    copy(place_of(tmp_path / "lake"), Range(FIRST, END + timedelta(seconds=1)))
    monkeypatch.delenv("EVENKEEL_CONFIG")

    assert main(["history", "--lake", str(tmp_path / "lake"), "--group", "pay", "--json"]) == 0

    found = json.loads(capsys.readouterr().out)
    assert (found["source"], found["exporter"], found["interval_seconds"], found["verdict"]) == (
        "prometheus",
        "kafka_exporter",
        60.0,
        "STUCK",
    )


def test_a_gap_from_one_hour_to_another_is_a_gap(tmp_path, monkeypatch):
    lake, end = place_of(tmp_path / "lake"), DAY + timedelta(hours=6, minutes=26)
    # Without minutes 30 to 35 of 04:27: from 04:57 to 05:02.
    with serving(answers_of(scraped(end))) as served:
        configure(tmp_path, monkeypatch, served.url)
        over = Range(end - timedelta(minutes=MINUTES), end + timedelta(seconds=1))

        assert copy(lake, over) == CopyCounts(slots=SLOTS, rows=2 * SLOTS, gaps=1)
        assert copy(lake, over) == CopyCounts()

    (gap,) = instants(lake, "c").axis.missed
    assert f"{datetime.fromtimestamp(gap.first, UTC):%H:%M}" == "04:57"
    assert f"{datetime.fromtimestamp(gap.last, UTC):%H:%M}" == "05:02"


def test_an_hour_of_which_the_lake_has_slots_is_filled_slot_by_slot(store, tmp_path):
    lake = place_of(tmp_path / "lake")
    # From 05:00 to 05:10.
    for number in range(600, 620):
        write_slot(lake, number, kept_up("pay", number))

    copy(lake, Range(datetime.fromisoformat("2026-11-10T05:00:00Z"), END))

    found = instants(lake, "c")
    starts = [f"{one.taken_at:%H:%M:%S}" for one in found.batches]
    assert starts[:21:5] == ["05:00:00", "05:02:30", "05:05:00", "05:07:30", "05:10:00"]
    assert starts[20:23] == ["05:10:00", "05:11:00", "05:12:00"]
