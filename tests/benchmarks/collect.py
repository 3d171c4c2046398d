"""Slots of `evenkeel collect` over many groups: gaps, seconds, processor time of each kind of
process, and the parts of one slot.

python -m tests.benchmarks.collect --groups 5000 --minutes 60
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from unittest import mock

import numpy as np
from msgspec import structs

from evenkeel.data.lake import manifest
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.slots.slot_batches import slot_batch
from evenkeel.data.lake.store import batches
from evenkeel.data.live.reading import documents
from evenkeel.data.pipeline import snapshots
from tests.benchmarks.ingest import Processes
from tests.benchmarks.many_groups import add_arguments, cluster

_NAME = "scale"
_COLLECT = "import sys; from evenkeel.data.commands.main import main; sys.exit(main())"
_LOOK_SECONDS = 1.0
_PARTS = {
    "list of groups": (snapshots, "chosen_groups"),
    "members of groups": (documents, "describe"),
    "commits": (documents, "progress"),
    "sizes of topics": (documents, "topics"),
    "begin and end offsets": (documents, "ends"),
    "these four, and documents of them": (snapshots, "live_groups"),
    "documents as tables": (snapshots, "parsed_groups"),
    "lag and Parquet": (snapshots, "write"),
    "sums of members and groups": (snapshots, "write_results"),
}
"""Functions of a slot, by what they do."""


def main() -> None:
    """Print the parts of a slot, then a line for each slot that is collected, then what all of them
    took.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--every", type=int, default=30, help="seconds of a slot")
    parser.add_argument(
        "--hour-before",
        action="store_true",
        help="the lake has an hour of slots that the collector stores together meanwhile",
    )
    options = parser.parse_args()
    with cluster(options) as one, tempfile.TemporaryDirectory() as folder:
        Path(folder, "evenkeel.toml").write_text(
            f'[clusters.{_NAME}]\n"bootstrap.servers" = "{one.bootstrap}"\n'
        )
        os.environ["EVENKEEL_CONFIG"] = str(Path(folder, "evenkeel.toml"))
        _print_parts(folder)
        if options.hour_before:
            _write_hour(place_of(Path(folder, "lake")), options.every)
        _collect(Path(folder, "lake"), options.every, options.minutes, one.process)


def _print_parts(folder: str) -> None:
    """Read a slot in this process, the second time with a clock; tasks of Spark do the same at the
    same time.
    """
    lake = place_of(Path(folder, "parts"))
    _read(lake, "first")
    with _timed() as seconds:
        began = time.perf_counter()
        _read(lake, "second")
    print(f"a slot in one process, one task after the other: {time.perf_counter() - began:.2f} s")
    for part, taken in seconds.items():
        print(f"  {part}: {taken:.2f} s")


def _read(lake: Place, batch: str) -> None:
    tasks = snapshots.planned(_NAME, (), datetime.now(UTC))
    snapshots.write_results(
        None, lake, batch, [snapshots.answer_of(task, lake, batch).done for task in tasks]
    )


@contextmanager
def _timed() -> Iterator[dict[str, float]]:
    """Sum what the functions of the parts take."""
    seconds: dict[str, float] = defaultdict(float)
    patches = [
        mock.patch.object(module, name, _with_clock(getattr(module, name), part, seconds))
        for part, (module, name) in _PARTS.items()
    ]
    for one in patches:
        one.start()
    try:
        yield seconds
    finally:
        for one in patches:
            one.stop()


def _with_clock(function, part: str, seconds: dict[str, float]):
    def called(*arguments, **more):
        began = time.perf_counter()
        try:
            return function(*arguments, **more)
        finally:
            seconds[part] += time.perf_counter() - began

    return called


def _write_hour(lake: Place, every: int) -> None:
    """Collect a slot, and copy it as the slots of an hour that is over."""
    subprocess.run([*_command(lake.folder, every), "--count", "1"], check=True)
    (one,) = batches(lake)
    hour = int(one.taken_at.timestamp()) // 3600 * 3600 - 2 * 3600
    for begin in range(hour, hour + 3600, every):
        batch = slot_batch(_NAME, begin)
        tables = {
            name: tuple(file.replace(one.batch, batch) for file in files)
            for name, files in one.tables.items()
        }
        for file in (file for files in one.tables.values() for file in files):
            lake.write(file.replace(one.batch, batch), lake.read(file))
        manifest.publish(
            lake,
            structs.replace(
                one, batch=batch, taken_at=datetime.fromtimestamp(begin, UTC), tables=tables
            ),
        )


def _command(lake: Path, every: int) -> list[str]:
    return [
        sys.executable,
        "-c",
        _COLLECT,
        "collect",
        "--cluster",
        _NAME,
        "--every",
        f"{every}s",
        "--out",
        str(lake),
    ]


def _collect(lake: Path, every: int, minutes: float, broker: int | None) -> None:
    """Print the lines of the collector, then slots, gaps, seconds and processor time."""
    with subprocess.Popen(_command(lake, every), text=True, stdout=subprocess.PIPE) as running:
        watched = {"collect": Processes(running.pid, _LOOK_SECONDS)} | (
            {"broker": Processes(broker, _LOOK_SECONDS)} if broker else {}
        )
        lines, at_first, is_over = [], {}, time.time() + 60 * minutes
        for line in running.stdout:
            print(line.strip(), flush=True)
            lines.append(line)
            at_first = at_first or ("stored after" in line and _processor(watched))
            if time.time() > is_over:
                break
        at_last = _processor(watched)
        running.send_signal(signal.SIGINT)
        running.communicate()
    _summarise(lines, {kind: at_last[kind] - at_first.get(kind, 0) for kind in at_last})
    print(
        f"peak memory of the collector's processes {watched['collect'].peak_bytes / 2**20:,.0f} MB,"
        f" lake {_megabytes(lake):,.0f} MB"
    )


def _summarise(lines: list[str], processor: dict[str, float]) -> None:
    """The first slot is in a new JVM: it counts as a slot, and its seconds stand apart."""
    first, *seconds = [
        float(found[1]) for line in lines if (found := re.search(r"stored after ([\d.]+) s", line))
    ]
    gaps = [line for line in lines if "gap:" in line]
    print(f"{len(seconds) + 1} slots, {len(gaps)} gaps; the first {first:.1f} s", flush=True)
    if seconds:
        median, most = np.percentile(seconds, [50, 95])
        print(f"the others: median {median:.1f} s, 95 % {most:.1f} s, largest {max(seconds):.1f} s")
        print(
            "processor time of a slot: "
            + ", ".join(f"{kind} {taken / len(seconds):.2f} s" for kind, taken in processor.items())
        )


def _processor(watched: dict[str, Processes]) -> dict[str, float]:
    """Return seconds so far: of the collector itself, its Java, its tasks, and the broker."""
    names = watched["collect"].seconds_by_name()
    own, java = names.pop("root"), names.pop("java", 0.0)
    brokers = {"broker": watched["broker"].seconds()} if "broker" in watched else {}
    return {"collector": own, "its Java": java, "its tasks": sum(names.values())} | brokers


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20


if __name__ == "__main__":
    main()
