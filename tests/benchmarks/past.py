"""A week of a group in a real Prometheus, from an address to the picture: seconds and memory.

python -m tests.benchmarks.past --partitions 24
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx2

from tests.services.prometheus import Endpoint, Prometheus
from tests.waiting import until

_GROUP, _STEP, _PIECE_HOURS, _NOW = "pay", 60, 12, time.time()


def main() -> None:
    """Print what the week takes in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partitions", type=int, default=24)
    parser.add_argument("--days", type=float, default=7)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.url:
        _measure(options.url, options.days)
        return
    with tempfile.TemporaryDirectory() as folder:
        store, text = Prometheus(Endpoint(lambda: ""), every=_STEP), Path(folder) / "day.txt"
        promtool = ["promtool", "tsdb", "create-blocks-from", "openmetrics"]
        # promtool reads its file again for each two hours of it.
        for hours in range(int(24 * options.days), 0, -_PIECE_HOURS):
            text.write_text("".join(_lines(options.partitions, hours)))
            subprocess.run([*promtool, str(text), str(store.data)], check=True, capture_output=True)
        with store:
            until(lambda: _is_ready(store.url))
            for _ in range(options.repeat):
                command = [sys.executable, "-m", "tests.benchmarks.past", "--url", store.url]
                subprocess.run([*command, "--days", str(options.days)], check=True)


def _is_ready(url: str) -> bool:
    try:
        return httpx2.get(f"{url}/-/ready").status_code == 200
    except httpx2.HTTPError:
        return False


def _lines(partitions: int, hours: int) -> Iterator[str]:
    """Yield kafka_exporter's gauges of some hours that began so many hours ago, as OpenMetrics."""
    first = (int(_NOW) // _STEP - 60 * hours) * _STEP
    times = range(first, first + 3600 * min(_PIECE_HOURS, hours), _STEP)
    for name, is_of_group, behind in (
        ("kafka_consumergroup_current_offset", True, 5),
        ("kafka_topic_partition_current_offset", False, 0),
        ("kafka_topic_partition_oldest_offset", False, None),
    ):
        yield f"# TYPE {name} gauge\n"
        for partition in range(partitions):
            group = f'consumergroup="{_GROUP}",' * is_of_group
            labels = f'{{{group}topic="orders",partition="{partition}",job="kafka",instance="e:1"}}'
            for at in times:
                value = 0 if behind is None else (at % 10_000_000) * 20 - behind + 100 + at % 7
                yield f"{name}{labels} {value} {at}\n"
    yield "# EOF\n"


def _measure(url: str, days: float) -> None:
    """Print wall clock, processor time and most memory of the way to the picture."""
    from evenkeel.assignors.timeline.now import now
    from evenkeel.dashboard.timeline.loading.timelines import pictures_of
    from evenkeel.data.configuration.clusters import profile_of
    from evenkeel.data.lake.history.history import history_in
    from evenkeel.data.lake.history.instants import instants
    from evenkeel.data.lake.place import place_of
    from evenkeel.data.prometheus.past import Past, with_past

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "evenkeel.toml").write_text(
            '[clusters.c]\n"bootstrap.servers" = "127.0.0.1:1"\n'
            f'[clusters.c.history]\nprometheus = "{url}"\n'
        )
        os.environ["EVENKEEL_CONFIG"] = str(Path(folder) / "evenkeel.toml")
        until_time = datetime.now(UTC)
        before, wall, processor = _peak(), time.perf_counter(), time.process_time()
        with closing(Past(profile_of("c"))) as past:
            since = until_time - timedelta(days=days)
            place = with_past(
                place_of(Path(folder) / "lake"), past, _GROUP, since, until_time
            ).place
        history = history_in(place, _GROUP, instants(place, "c"), "c")
        found = now(history.series)
        pictures_of(history, found, found.verdicts)
        print(
            f"{history.series.slot_count:,} slots of {history.series.tp_count} partitions:"
            f" {time.perf_counter() - wall:.2f} s, {time.process_time() - processor:.2f} s of"
            f" processor time; {before} MB before, {_peak()} MB at most; load"
            f" {os.getloadavg()[0]:.1f}",
            flush=True,
        )


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
