"""How far range, roundrobin, sticky and lag are from the limit of the machine: `python -m
tests.benchmarks.assignors.kernels`.

One call of `assign` on 1,000,000 partitions and 2,000 members against copying the int32 owner array
or `np.sort` of the lags, taken in turn in one process. Input is a snapshot whose derived columns
(subscriber sets, member order) are there already, as for every call after the first; the first line
says what they cost. Memory and start-up are those of fresh processes. Times are processor time, so
that a busy machine counts little. Nothing here passes or fails.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from evenkeel.assignors import ASSIGNORS
from tests.benchmarks.assignors.cases import case
from tests.benchmarks.assignors.shapes import columns, lags

MEMBER_COUNT = 2000
SHAPES = {"500 topics x 2,000": (500, 2000), "1 topic x 1,000,000": (1, 1_000_000)}
STICKY_LIMITS = {"eq-fresh": 5, "eq-same": 50, "eq-leave": 50, "eq-join": 150} | {
    f"{kind}-{step}": 1200 for kind in ("odd", "win") for step in ("same", "leave", "join")
}
"""Copies of the owner array that `sticky` may take at most; differing subscriptions only where few
partitions move.
"""
WITHOUT_AVX512 = {"NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL"}
KILOBYTES_IN_MB = 1024


def in_turn(ours, limit, rounds: int) -> tuple[float, float, list[float]]:
    """Return the shortest seconds of each, taken alternately, and the ratios of the pairs,
    ascending.
    """
    pairs = [(seconds(ours), seconds(limit)) for _ in range(rounds + 2)][2:]
    return (
        min(pair[0] for pair in pairs),
        min(pair[1] for pair in pairs),
        sorted(a / b for a, b in pairs),
    )


def seconds(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def row(what: str, shape: str, ours, limit, limit_name: str, goal: str, rounds: int):
    """Print one line of the table."""
    best, best_limit, ratios = in_turn(ours, limit, rounds)
    paired = f"{ratios[len(ratios) // 2]:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    print(
        f"{what:<24} {shape:<20} {best * 1e3:>9.3f} {best_limit * 1e3:>9.3f}  {limit_name:<10}"
        f" {best / best_limit:>6.2f}  {paired:<24} {goal}"
    )


def kernels():
    """Print the ratios of this process."""
    print(
        f"{'assignor':<24} {'shape':<20} {'ours ms':>9} {'limit ms':>9}  {'limit':<10} {'ratio':>6}"
        f"  {'median of pairs (range)':<24} goal"
    )
    for shape, (topic_count, partition_count) in SHAPES.items():
        group = columns(
            topic_count,
            partition_count,
            MEMBER_COUNT,
            lag=lags("uniform", topic_count * partition_count),
        )
        for name in ("range", "roundrobin"):
            assignor = ASSIGNORS[name]()
            owner = assignor.assign(group).owner
            row(name, shape, lambda: assignor.assign(group), owner.copy, "copy", "<= 3", 200)
    for shape, (topic_count, partition_count) in SHAPES.items():
        for distribution in ("uniform", "lognormal"):
            lag_rows(shape, topic_count, partition_count, distribution)


def sticky_rows():
    """Print the ratios of sticky in a million partitions with equal and with differing
    subscriptions.
    """
    for name, most in STICKY_LIMITS.items():
        group, assignor = case("L", *name.split("-")), ASSIGNORS["sticky"]()
        owner = assignor.assign(group).owner
        row(
            f"sticky, {name}",
            "500 topics x 2,000",
            lambda: assignor.assign(group),
            owner.copy,
            "copy",
            f"<= {most:,}",
            15,
        )


def lag_rows(shape: str, topic_count: int, partition_count: int, distribution: str):
    """Print the ratios of lag with the lags as they are and made from offsets."""
    lag = lags(distribution, topic_count * partition_count)
    for kind, from_offsets in (("", False), (", offsets", True)):
        group = columns(
            topic_count, partition_count, MEMBER_COUNT, lag=lag, from_offsets=from_offsets
        )
        assignor = ASSIGNORS["lag"]()
        assignor.assign(group)
        row(
            f"lag, {distribution}{kind}",
            shape,
            lambda: assignor.assign(group),
            lambda: np.sort(lag),
            "np.sort",
            "" if kind else "<= 4",
            15,
        )


def peak_memory(name: str):
    """Print the peak resident size, in MB, of this process after one answer from offsets."""
    group = columns(500, 2000, MEMBER_COUNT, lag=lags("uniform", 1_000_000), from_offsets=True)
    ASSIGNORS[name]().assign(group)
    # Not ru_maxrss, which a process inherits from the one that started it.
    peak = next(
        line
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith("VmHWM")
    )
    print(f"{int(peak.split()[1]) / KILOBYTES_IN_MB:.0f}")


def child(*arguments: str, **environment: str) -> str:
    """Run this file in a fresh process and return what it prints."""
    command = [sys.executable, "-m", "tests.benchmarks.assignors.kernels", *arguments]
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    ).stdout


def cpu_seconds(statement: str) -> float:
    """Return the processor time of a fresh Python that runs a statement."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", statement], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    """Print all tables."""
    group = columns(*SHAPES["500 topics x 2,000"], MEMBER_COUNT)
    print(
        f"1,000,000 partitions x {MEMBER_COUNT:,} members, derived columns made in"
        f" {seconds(lambda: (group.subscribers, group.first_tp)) * 1e3:.1f} ms"
    )
    print(f"sorting as numpy {np.__version__} chooses on this processor")
    kernels()
    sticky_rows()
    print("\nthe same with numpy's AVX-512 sorting switched off")
    print(child("kernels", **WITHOUT_AVX512))
    for name in ASSIGNORS:
        print(
            f"peak memory of a fresh process, {name}: {child('memory', name).strip()} MB, goal"
            " <= 150"
        )
    starts = [
        (cpu_seconds("import evenkeel.assignors"), cpu_seconds("import numpy")) for _ in range(9)
    ]
    ours, numpy_alone = (min(column) for column in zip(*starts, strict=False))
    print(
        f"start: import evenkeel.assignors {ours * 1e3:.0f} ms of processor time, import numpy"
        f" {numpy_alone * 1e3:.0f} ms, ratio {ours / numpy_alone:.2f}, goal <= 1.3"
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["kernels"]:
            kernels()
        case ["memory", assignor]:
            peak_memory(assignor)
        case _:
            main()
