"""Brokers' logs against their goal: `python -m tests.benchmarks.rebalances [--lines 1000000] [--spark]`.

Seconds of processor time of one core, and the memory that one process takes at most. `--spark`: the same log by Spark, on one core and two.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evenkeel.data.rebalances.history import Asked, read_history

_GOAL_SECONDS = 60.0
_COORDINATOR = "INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=1]"
_LOGGER = "(org.apache.kafka.coordinator.group.GroupMetadataManager)"
_FOREIGN = (
    "[2026-11-23 15:39:22,711] INFO [LogLoader partition=__cluster_metadata-0, dir=/var/lib/kafka/data] Loading producer state till "
    "offset 0 (org.apache.kafka.storage.internals.log.UnifiedLog)\n"
)
_GROUPS = 500


def write_log(path: Path, lines: int, foreign: int) -> None:
    """Write a log of joins in 500 groups, four lines each, with so many other lines between two of them."""
    with path.open("w") as file:
        written, turn = 0, 0
        while written < lines:
            group, generation = f"group-{turn % _GROUPS}", turn // _GROUPS
            file.writelines(_join(group, generation, turn))
            file.write(_FOREIGN * foreign)
            written, turn = written + 4 + foreign, turn + 1


def _join(group: str, generation: int, turn: int) -> list[str]:
    member = f"client-{generation % 7}-cf5ee822-0335-45f6-9ae2-{turn:012}"
    second = turn * 0.7
    said = [
        (0.0, f"Pending dynamic member with id {member} joins group {group} in Stable state. Adding to the group now."),
        (
            0.001,
            f"Preparing to rebalance group {group} in state PreparingRebalance with old generation {generation} (reason: Adding new member "
            f"{member} with group instance id null; client reason: need to re-join with the given member-id: {member}).",
        ),
        (0.5, f"Stabilized group {group} generation {generation + 1} with 3 members."),
        (
            0.51,
            f"Assignment received from leader {member} for group {group} for generation {generation + 1}. The group has 3 members, 0 of which "
            "are static.",
        ),
    ]
    return [f"[{_clock(second + later)}] {_COORDINATOR} {text} {_LOGGER}\n" for later, text in said]


def _clock(second: float) -> str:
    day, rest = divmod(round(second * 1000), 86_400_000)
    moment = time.strftime("%H:%M:%S", time.gmtime(rest // 1000))
    return f"2026-{1 + day // 28 % 12:02}-{1 + day % 28:02} {moment},{rest % 1000:03}"


def main() -> int:
    """Print a row for each kind of log; return 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--spark", action="store_true")
    options = parser.parse_args()
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, foreign in (("19 of 20 lines foreign", 76), ("every line a coordinator's", 0)):
            path = Path(folder, "server.log")
            write_log(path, options.lines, foreign)
            began = time.process_time()
            found = read_history(Asked(), [path], keeps_texts=False)
            seconds = time.process_time() - began
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            missed |= seconds > _GOAL_SECONDS * options.lines / 1_000_000
            head = f"| {name} | {options.lines:,} lines, {path.stat().st_size / 2**20:,.0f} MB | {len(found.events):,}"
            print(f"{head} | {seconds:.1f} s | {memory:,.0f} MB |")
            if options.spark:
                _by_spark(path, folder)
    return int(missed)


def _by_spark(path: Path, folder: str) -> None:
    for cores in (1, 2):
        began = time.monotonic()
        command = ["ingest", str(path), "--master", f"local[{cores}]", "--out", f"{folder}/lake-{cores}"]
        subprocess.run([sys.executable, "-m", "evenkeel", *command], check=True, stdout=subprocess.DEVNULL)
        print(f"| the same by Spark | {cores} cores | | {time.monotonic() - began:.1f} s | |")


if __name__ == "__main__":
    sys.exit(main())
