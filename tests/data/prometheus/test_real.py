"""A real Prometheus beside what its exporter answered: offsets, scrapes and a gap."""

import json
import time
from datetime import UTC, datetime

import numpy as np

from evenkeel.data.commands.main import main
from evenkeel.data.configuration.clusters import profile_of
from evenkeel.data.prometheus.past import Past
from tests.services.prometheus import GROUP, TOPIC, Endpoint, Exporter, Prometheus
from tests.waiting import until


def test_slots_are_the_scrapes_of_a_real_prometheus_and_a_gap_stays_one(
    tmp_path, monkeypatch, capsys
):
    exporter = Exporter()
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    with Prometheus(exporter) as store:
        (tmp_path / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "b:9092"\n'
            f'[clusters.c.history]\nprometheus = "{store.url}"\n'
        )
        until(lambda: len(exporter.scrapes) >= 5, seconds=60)
        exporter.is_quiet = True
        time.sleep(4)
        exporter.is_quiet, before = False, len(exporter.scrapes)
        until(lambda: len(exporter.scrapes) >= before + 5, seconds=60)
        time.sleep(1)
        first, last = exporter.scrapes[0].at - 1, time.time()

        past = Past(profile_of("c"))
        reading = past.reading(GROUP, round(first * 1000), round(last * 1000))
        (slots,) = past.slots(reading, GROUP, round(first * 1000), round(last * 1000))
        named = ["history", "--lake", str(tmp_path), "--cluster", "c", "--group", GROUP, "--json"]
        assert main([*named, "--to", datetime.fromtimestamp(last, UTC).isoformat()]) == 0
    exporter.close()

    shown = json.loads(capsys.readouterr().out)
    recorded = {one.at: one for one in exporter.scrapes}
    times = np.array(sorted(recorded))
    for row, (slot, key) in enumerate(zip(slots.slot, slots.key, strict=True)):
        group, topic, partition = slots.keys[key]
        at = slots.time[slot] / 1000
        # A scrape has the time at which it began; the exporter answered just after.
        scrape = recorded[times[np.searchsorted(times, at)]]
        assert (group, topic) == (GROUP, TOPIC)
        assert scrape.at - at < 1
        found = (int(slots.committed[row]), int(slots.end[row]))
        assert found == (scrape.committed[partition], scrape.end[partition])
    assert slots.time.size >= 9
    assert round(slots.interval) == 1
    assert int((np.diff(slots.time) > 3000).sum()) == 1
    assert [one["kind"] for one in shown["events"] if one["kind"] == "gap"] == ["gap"]
    assert [row["lag"] for row in shown["partitions"]][:2] == [3, 0]
    assert shown["members"] == []


def test_a_stale_marker_of_a_real_prometheus_ends_a_series_and_is_no_sample(tmp_path, monkeypatch):
    exporter = Exporter()
    whole = exporter.text
    is_dropped = []

    def text() -> str:
        lines = whole().splitlines(keepends=True)
        return "".join(line for line in lines if not (is_dropped and 'partition="1"' in line))

    exporter.close()
    endpoint = Endpoint(text)
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    with Prometheus(endpoint) as store:
        (tmp_path / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "b:9092"\n'
            f'[clusters.c.history]\nprometheus = "{store.url}"\n'
        )
        until(lambda: len(exporter.scrapes) >= 4, seconds=60)
        is_dropped.append(True)
        before = len(exporter.scrapes)
        until(lambda: len(exporter.scrapes) >= before + 4, seconds=60)
        time.sleep(1)
        ends = [round(at * 1000) for at in (exporter.scrapes[0].at - 1, time.time())]
        past = Past(profile_of("c"))
        reading = past.reading(GROUP, *ends)
        (slots,) = past.slots(reading, GROUP, *ends)
    endpoint.close()

    by_slot = [
        {slots.keys[key][2] for key in slots.key[slots.slot == row].tolist()}
        for row in range(slots.time.size)
    ]
    assert by_slot[0] == {0, 1, 2}
    assert by_slot[-3:] == [{0, 2}] * 3
    assert past.store.rejected == 0
