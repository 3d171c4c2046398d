"""`evenkeel history` or `alerts test` of all groups of a cluster, on Spark: time, processor time
and the most memory of all its processes.

python -m tests.benchmarks.all_groups --groups 5000 --lake /tmp/lake-of-5000
python -m tests.benchmarks.all_groups --work alerts --partitions 20 --days 7
"""

import argparse
import subprocess
import sys
import tempfile
import time

from evenkeel.data.lake.place import place_of
from tests.benchmarks.ingest import Processes
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import BEGIN, CLUSTER, plan_with_trouble

_WORKS = {
    "history": ["history"],
    "alerts": ["alerts", "test", "--from", f"{BEGIN:%Y-%m-%dT%H:%M:%SZ}", "--against", "1000"],
}


def main() -> None:
    """Write a day of slots, unless the folder has one, and time the command on each master."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", choices=_WORKS, default="history")
    parser.add_argument("--groups", type=int, default=200)
    parser.add_argument("--partitions", type=int, default=12)
    parser.add_argument("--days", type=float, default=1)
    parser.add_argument("--lake", help="a folder that has this lake already, or gets it")
    parser.add_argument("--master", nargs="+", default=["local[2]"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="evenkeel-groups-") as folder:
        lake = place_of(options.lake or f"{folder}/lake")
        if not (lake.folder / "manifests").exists():
            write_lake(
                lake,
                plan_with_trouble(
                    groups=options.groups, partitions=options.partitions, days=options.days
                ),
            )
        for master in options.master:
            command = [*_WORKS[options.work], "--cluster", CLUSTER]
            command += ["--lake", str(lake.folder), "--master", master]
            print(f"{master}: {_told(command)}", flush=True)


def _told(arguments: list[str]) -> str:
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", "import evenkeel.data.commands.main as m; m.main()", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    ) as command:
        processes = Processes(command.pid, pause=0.5)
        lines = command.stdout.read().splitlines()
        command.wait()
    wall, peak = time.perf_counter() - began, processes.peak_bytes
    return (
        f"{len(lines):,} lines, {wall:.0f} s, {processes.seconds():.0f} s of processor time, peak"
        f" memory {peak / 2**20:,.0f} MB"
    )


if __name__ == "__main__":
    main()
