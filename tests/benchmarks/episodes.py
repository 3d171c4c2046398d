"""What findings over time cost, in processor time: all groups of a cluster at a slot, one large
group, and a week of slots of 200 groups on Spark.

python -m tests.benchmarks.episodes writes that week first, which takes some minutes.
"""

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from evenkeel.assignors.episodes.episodes import GroupJudgement
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.settings import Settings
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import findings_of
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of, verdicts_in
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.pipeline.alerts import back_tests_on_spark
from evenkeel.data.pipeline.session import session, stopped_after
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble

SLOTS = 120
GROUPS, PARTITIONS = 5_000, 20
_SOME = 300
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


def _a_slot(lake: Place) -> None:
    """Print the time of 5,000 groups, as that of some groups tells."""
    found = last_of(instants(lake, CLUSTER), SLOTS)
    stored = StoredSnapshots(lake, CLUSTER, found)
    every = list(stored.evidence_of(()))
    scale = GROUPS / len(every)
    verdicts = scale * _least(lambda: verdicts_in(lake, found, CLUSTER))
    read = scale * _least(lambda: list(stored.evidence_of(())))
    # By group: other work on the machine takes its caches away.
    judged = scale * sum(_least(partial(_judged, *each)) for each in every)
    print(
        f"{GROUPS:,} groups, {SLOTS} slots: verdicts {verdicts:.1f} s; findings: read {read:.1f} s,"
        f" judged {judged:.1f} s"
    )


def _judged(group: str, evidence: Evidence) -> None:
    findings_of(evidence, group, FindingSettings(), CLUSTER)


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
        _a_slot(_written(f"{folder}/slots", _SOME, 0.05))
        week = _written(f"{folder}/week", 200, 7)
        ((_, first), *_) = StoredSnapshots(week, CLUSTER, instants(week, CLUSTER)).evidence_of(
            ["group-0000"]
        )
        _one_large(first)
        _a_week(week)
