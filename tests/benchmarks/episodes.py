"""What findings over time cost, in processor time: all groups of a cluster at a slot, one large
group, and a week of slots of 200 groups on Spark.

python -m tests.benchmarks.episodes writes that week first, which takes some minutes.
"""

import os
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from evenkeel.assignors.episodes.episodes import GroupJudgement
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.settings import Settings
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import findings_of
from evenkeel.data.episodes.recent_slots import RecentSlots
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.lake.history.instants import groups_of, instants, part_of
from evenkeel.data.lake.history.recent import SLOTS as VERDICT_SLOTS
from evenkeel.data.lake.history.recent import last_of, verdicts_in
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.pipeline.alerts import back_tests_on_spark
from evenkeel.data.pipeline.session import session, stopped_after
from tests.benchmarks.followed_groups import write_slots
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble

SLOTS = 120
GROUPS, PARTITIONS = 5_000, 20
_DAYS = (SLOTS + 4) / 2_880
_RUNS = 5
_WEEK_SECONDS = 60


def _least(work: Callable[[], object]) -> float:
    """Return the least processor time of some runs."""
    runs = []
    for _ in range(_RUNS):
        began = time.process_time()
        work()
        runs.append(time.process_time() - began)
    return min(runs)


def _written(folder: str, groups: int, days: float) -> Place:
    lake = place_of(folder)
    write_lake(lake, plan_with_trouble(groups=groups, partitions=PARTITIONS, days=days, members=5))
    return lake


def _new_slots(lake: Place) -> None:
    """Print what a new slot takes a process that holds the slots before it."""
    every = instants(lake, CLUSTER)
    held, settings = RecentSlots(lake, CLUSTER), FindingSettings()
    count, seconds = 0, []
    for last in range(SLOTS, len(every.batches) + 1):
        found = last_of(part_of(every, np.arange(last)), SLOTS)
        began = time.process_time()
        for group, evidence in held.evidence_of(found, settings.has_objective):
            count += len(findings_of(evidence, group, settings, CLUSTER))
        seconds.append(time.process_time() - began)
    groups = len(groups_of(lake, every))
    verdicts = _least(lambda: verdicts_in(lake, last_of(every, VERDICT_SLOTS), CLUSTER))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{groups:,} groups, {SLOTS} slots: the first look {seconds[0]:.1f} s, a new slot"
        f" {min(seconds[1:]):.2f} to {max(seconds[1:]):.2f} s, {count} findings; verdicts"
        f" {verdicts:.1f} s; {peak} MB at most"
    )


def _one_large(evidence: Evidence) -> None:
    """Print the time of a group of 1,000 partitions: some partitions again and again."""
    times = 1_000 // evidence.series.tp_count
    cells = ("begin_offset", "committed_offset", "end_offset", "lag", "owner", "is_listed")
    rows = slice(-2_880, None)
    series = replace(
        evidence.series,
        topic=np.tile(evidence.series.topic, times),
        partition=np.arange(1_000, dtype=np.int32),
        **{name: np.tile(getattr(evidence.series, name), times) for name in cells},
    )
    large = replace(
        evidence,
        series=series.at(rows),
        stable_end=np.tile(evidence.stable_end[rows], times),
        has_no_leader=np.tile(evidence.has_no_leader[rows], times),
        subscription=evidence.subscription[rows],
        is_stable=evidence.is_stable[rows],
    )
    seconds = _least(lambda: GroupJudgement(replace(large), Settings()).episodes(Settings()))
    print(f"1,000 partitions, {large.series.slot_count:,} slots: {seconds:.2f} s")


def _a_week(lake: Place) -> None:
    """Print how long a back-test of all groups of a lake takes on two cores, Spark's start
    included.
    """
    began = time.perf_counter()
    stored = StoredSnapshots(lake, CLUSTER, instants(lake, CLUSTER))
    rules = [AlertRule("every", findings=("critical", "warning"))]
    with stopped_after(session("local[2]")) as spark:
        back_tests_on_spark(spark, stored, stored.groups, rules, FindingSettings(), 1_000)
    seconds = time.perf_counter() - began
    print(
        f"{len(stored.groups)} groups, {stored.slot_count:,} slots: {seconds:.0f} s on two cores, "
        f"{seconds / _WEEK_SECONDS:.2f} of {_WEEK_SECONDS} s; load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="evenkeel-episodes-") as folder:
        write_slots(
            place_of(f"{folder}/slots"),
            plan_with_trouble(groups=GROUPS, partitions=PARTITIONS, days=_DAYS, members=5),
        )
        _new_slots(place_of(f"{folder}/slots"))
        week = _written(f"{folder}/week", 200, 7)
        ((_, first), *_) = StoredSnapshots(week, CLUSTER, instants(week, CLUSTER)).evidence_of(
            ["group-0000"]
        )
        _one_large(first)
        _a_week(week)
