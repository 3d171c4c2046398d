"""Brokers' logs against their goal: `python -m tests.benchmarks.rebalances [--lines 1000000]
[--spark]`.

Seconds of processor time, and the memory that `evenkeel rebalances` takes at most, with and without
`--json`. `--spark`: the same log by Spark, on one core and two, by the clock and in processor time;
each run has no other core.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_GOAL_SECONDS = 60.0
_COORDINATOR = "INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=1]"
_LOGGER = "(org.apache.kafka.coordinator.group.GroupMetadataManager)"
_FOREIGN = (
    "[2026-11-23 15:39:22,711] INFO [LogLoader partition=__cluster_metadata-0,"
    " dir=/var/lib/kafka/data] Loading producer state till offset 0"
    " (org.apache.kafka.storage.internals.log.UnifiedLog)\n"
)
_GROUPS = 500
_CORES = os.sched_getaffinity(0)
_LEADER = "cf5ee822-0335-45f6-9ae2-000000000000"


def write_log(path: Path, lines: int, foreign: int) -> None:
    """Write a log of joins and leaves in 500 groups, three or four lines each, with so many other
    lines between two of them.
    """
    with path.open("w") as file:
        written, turn = 0, 0
        while written < lines:
            group, generation = f"group-{turn % _GROUPS}", turn // _GROUPS
            said = _rebalance(group, generation, turn)
            file.writelines(said)
            file.write(_FOREIGN * foreign)
            written, turn = written + len(said) + foreign, turn + 1


def _rebalance(group: str, generation: int, turn: int) -> list[str]:
    """A member joins in every other generation, and leaves in the next one."""
    is_join = generation % 2 == 0
    member = (
        f"client-{generation // 2 % 7}-cf5ee822-0335-45f6-9ae2-{turn - (not is_join) * _GROUPS:012}"
    )
    second = turn * 0.7
    leaves = f"Removing member {member} on LeaveGroup; client reason: the consumer is being closed"
    said = [
        (
            0.0,
            (
                f"Pending dynamic member with id {member} joins group {group} in Stable state."
                " Adding to the group now."
            ),
        ),
        (
            0.001,
            f"Preparing to rebalance group {group} in state PreparingRebalance with old generation"
            f" {generation} (reason: "
            + (
                f"Adding new member {member} with group instance id null; client reason: not"
                " provided)."
                if is_join
                else f"{leaves})."
            ),
        ),
        (0.5, f"Stabilized group {group} generation {generation + 1} with 3 members."),
        (
            0.51,
            (
                f"Assignment received from leader client-0-{_LEADER} for group {group} for"
                f" generation {generation + 1}. The group has 3 members, 0 of which are static."
            ),
        ),
    ]
    return [
        f"[{_clock(second + later)}] {_COORDINATOR} {text} {_LOGGER}\n"
        for later, text in said[not is_join :]
    ]


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
            for form in ("--json", "text"):
                seconds, memory = _measured(
                    ["rebalances", str(path), *(["--json"] if form == "--json" else [])]
                )
                missed |= seconds > _GOAL_SECONDS * options.lines / 1_000_000
                size = f"{options.lines:,} lines, {path.stat().st_size / 2**20:,.0f} MB"
                print(
                    f"| {name} | {size} | {form} | {seconds:.1f} s | {memory:,.0f} MB |", flush=True
                )
            if options.spark:
                _by_spark(path, folder)
    return int(missed)


def _measured(command: list[str]) -> tuple[float, float]:
    """Return processor seconds and the most memory, in MB, of a command and what it has begun, by a
    process of its own.
    """
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True,"
        " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); used ="
        " resource.getrusage(resource.RUSAGE_CHILDREN); print(used.ru_utime + used.ru_stime,"
        " used.ru_maxrss / 1024)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, sys.executable, "-m", "evenkeel", *command],
        check=True,
        stdout=subprocess.PIPE,
    )
    seconds, memory = map(float, told.stdout.split())
    return seconds, memory


def _by_spark(path: Path, folder: str) -> None:
    for cores in (1, 2):
        began = time.monotonic()
        # A child has the cores of the process that begins it: with `local[1]` alone, the JVM would
        # use a second one beside the Python worker.
        os.sched_setaffinity(0, sorted(_CORES)[:cores])
        command = [
            "ingest",
            str(path),
            "--master",
            f"local[{cores}]",
            "--out",
            f"{folder}/lake-{cores}",
        ]
        seconds = _of_session([sys.executable, "-m", "evenkeel", *command])
        os.sched_setaffinity(0, _CORES)
        print(
            f"| the same by Spark | {cores} cores | | {time.monotonic() - began:.1f} s,"
            f" {seconds:.1f} s of processors | |",
            flush=True,
        )


def _of_session(command: list[str]) -> float:
    """Return processor seconds of a command and all that it has begun: a JVM that is ended at once
    tells nothing of itself.
    """
    used: dict[str, int] = {}
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as running:
        while running.poll() is None:
            for stat in Path("/proc").glob("[0-9]*/stat"):
                with suppress(OSError):
                    values = stat.read_text().rpartition(")")[2].split()
                    if int(values[3]) == running.pid:
                        used[stat.parent.name] = int(values[11]) + int(values[12])
            time.sleep(0.2)
    return sum(used.values()) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    sys.exit(main())
