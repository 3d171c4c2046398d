"""What findings over time cost, in processor time: all groups of a cluster at a slot, one large
group, and a week of slots.

python -m tests.benchmarks.episodes
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from evenkeel.assignors.episodes.episodes import episodes
from evenkeel.assignors.episodes.evidence import Evidence
from evenkeel.assignors.episodes.settings import Settings
from evenkeel.data.alerts.backtest import by_rules
from evenkeel.data.configuration.alert_rules import AlertRule
from evenkeel.data.configuration.findings import FindingSettings
from evenkeel.data.episodes.answer import findings_of
from evenkeel.data.episodes.stored import StoredSnapshots
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.history.recent import last_of, verdicts_in
from evenkeel.data.lake.place import Place, place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble

SLOTS = 120
GROUPS, PARTITIONS = 5_000, 20
_SOME = 300
_RUNS = 5


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
        f"{GROUPS:,} groups, {SLOTS} slots: verdicts {verdicts:.1f} s; findings: read {read:.1f} s, judged {judged:.1f} s"
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
    seconds = _least(lambda: episodes(replace(large), Settings()))
    print(f"1,000 partitions, {large.series.slot_count:,} slots: {seconds:.2f} s")


def _a_week(lake: Place) -> None:
    """Print the time of a back-test of 200 groups on one core, as that of some groups tells."""
    stored = StoredSnapshots(lake, CLUSTER, instants(lake, CLUSTER))
    rules = [AlertRule("every", findings=("critical", "warning"))]
    read = judged = 0.0
    moment = time.process_time()
    for number, (group, evidence) in enumerate(stored.evidence_of(())):
        if not number:
            _one_large(evidence)
            moment = time.process_time()
        read += time.process_time() - moment
        moment = time.process_time()
        by_rules(rules, group, evidence, FindingSettings(), CLUSTER, 1_000)
        judged += time.process_time() - moment
        moment = time.process_time()
    scale = 200 / len(stored.groups)
    print(
        f"200 groups, {stored.slot_count:,} slots: read {scale * read:.0f} s, judged {scale * judged:.0f} s"
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="evenkeel-episodes-") as folder:
        _a_slot(_written(f"{folder}/slots", _SOME, 0.05))
        _a_week(_written(f"{folder}/week", 10, 7))
