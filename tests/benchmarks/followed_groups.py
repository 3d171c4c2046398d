"""Verdicts of many groups that are collected: what their changes take a collector, and what a
scrape of `/metrics` takes a server.

python -m tests.benchmarks.followed_groups --groups 5000
"""

import argparse
import multiprocessing
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
from prometheus_client import CollectorRegistry, generate_latest

from evenkeel.dashboard.server.metrics import VerdictGauges
from evenkeel.data.group.tables import schemas
from evenkeel.data.lake import manifest
from evenkeel.data.lake.history.change_store import TABLES
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of
from evenkeel.data.lake.history.verdict_ages import follow_verdicts, with_older_since
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.slots.retention import Retention
from evenkeel.data.lake.slots.slot_batches import slot_batch
from evenkeel.data.lake.slots.tidy import tidy
from evenkeel.data.lake.writing import write_table
from tests.generated.collected_lake import tables_of
from tests.generated.collector_plan import CLUSTER, Plan, Slot, State
from tests.generated.stored import changes, recent_verdicts

_NEVER = timedelta(days=36_500)


def main() -> None:
    """Print what each takes, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=500)
    parser.add_argument("--partitions", type=int, default=12)
    parser.add_argument("--slots", type=int, default=70)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        lake = place_of(Path(folder) / "lake")
        every_tenth = dict.fromkeys(
            range(0, options.groups, 10), (0, options.slots // 3, 2 * options.slots // 3)
        )
        _alone(
            write_slots,
            lake,
            Plan(
                options.groups,
                options.partitions,
                3,
                options.slots * 30 / 86_400,
                stalled=every_tenth,
            ),
        )
        _alone(_follow, lake)
        _alone(_scrape, lake)
        _alone(_tidy, lake)
        shutil.rmtree(lake.folder / "history")
        _alone(_follow, lake)


def _alone(work: Callable[..., None], *arguments: object) -> None:
    """Work in a process of its own, and print the most memory that it had."""
    process = multiprocessing.get_context("spawn").Process(target=_told, args=(work, *arguments))
    process.start()
    process.join()


def _told(work: Callable[..., None], *arguments: object) -> None:
    print(f"{work.__name__.strip('_')}: {_peak()} MB before", flush=True)
    work(*arguments)
    print(f"{work.__name__.strip('_')}: {_peak()} MB at most\n", flush=True)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _tidy(lake: Place) -> None:
    """Store the slots by the hour, as a collector does when the hour is over."""
    with _timed("tidy"):
        tidy(lake, Retention(_NEVER, _NEVER, _NEVER), settle_seconds=0)


def _follow(lake: Place) -> None:
    """Follow 20 slots at a time, as a collector does every 10 minutes."""
    began = [time.perf_counter(), time.process_time()]

    def told() -> None:
        wall, processor = time.perf_counter() - began[0], time.process_time() - began[1]
        print(
            f"changes of 20 slots: {wall:.1f} s, {processor:.1f} s of processor time, most memory"
            f" so far {_peak()} MB",
            flush=True,
        )
        began[:] = time.perf_counter(), time.process_time()

    follow_verdicts(lake, CLUSTER, told)
    print("rows", {name: changes(lake, name, CLUSTER).num_rows for name in TABLES})
    with _timed("a look with too few new slots"):
        follow_verdicts(lake, CLUSTER)
    groups, found = recent_verdicts(lake, CLUSTER).groups, last_of(instants(lake, CLUSTER), 40)
    with _timed("since when verdicts hold, from the stored changes"):
        with_older_since(lake, CLUSTER, groups, found)


def _scrape(lake: Place) -> None:
    os.environ["EVENKEEL_LAKE"] = lake.url
    registry = CollectorRegistry()
    registry.register(VerdictGauges())
    with _timed("first scrape, which has no samples yet"):
        generate_latest(registry)
    while generate_latest(registry).count(b"\n") < 100:
        time.sleep(1)
    with _timed("scrape"):
        text = generate_latest(registry)
    print(f"{len(text):,} bytes")


@contextmanager
def _timed(what: str) -> Iterator[None]:
    wall, processor = time.perf_counter(), time.thread_time()
    yield
    print(
        f"{what}: {time.perf_counter() - wall:.2f} s, {time.thread_time() - processor:.2f} s of"
        " processor time",
        flush=True,
    )


def write_slots(lake: Place, plan: Plan) -> None:
    """Write slots with files of their own, as a collector does."""
    state = State(plan, np.random.default_rng(1))
    for slot in range(plan.slot_count):
        state.pass_slot(slot)
        rows = tables_of(plan, [(slot, Slot(state))])
        at, files = plan.time(slot), {}
        batch = slot_batch(CLUSTER, int(at.timestamp()))
        for name in ("OFFSETS", "MEMBERS", "GROUP_LOAD"):
            files[name] = (f"{name}/{batch}/0.parquet",)
            write_table(
                _without_batch(rows[name], schemas.STORED[name]),
                schemas.STORED[name],
                lake,
                files[name][0],
            )
        taken_at = at + timedelta(milliseconds=700)
        manifest.publish(
            lake,
            Manifest(
                batch=batch, ingested_at=taken_at, taken_at=taken_at, tables=files, cluster=CLUSTER
            ),
        )


def _without_batch(rows: pa.Table, schema: pa.Schema) -> pa.Table:
    return pa.table(
        [
            rows[field.name] if field.type == pa.string() else rows[field.name].cast(field.type)
            for field in schema
        ],
        schema.names,
    )


if __name__ == "__main__":
    main()
