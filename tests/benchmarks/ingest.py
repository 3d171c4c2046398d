"""Lines per second, processor time and memory of an ingest, beside pandas reading the same file.

python -m tests.benchmarks.ingest --lines 1000000 --cores 1
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.benchmarks.listings import write_listing

_TICKS = os.sysconf("SC_CLK_TCK")


class Processes:
    """A process, this one unless another is named, and all below it: seconds of processor time, and
    the most memory that they held together.

    `pause`: seconds between two looks; a look at hundreds of megabytes takes processor time itself.
    """

    def __init__(self, root: int | None = None, pause: float = 0.1):
        self._root, self._pause = os.getpid() if root is None else root, pause
        self._over = threading.Event()
        self._seconds: dict[int, float] = {}
        self._names: dict[int, str] = {}
        self.peak_bytes = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def seconds(self) -> float:
        """Return the processor time so far."""
        self._look()
        return sum(self._seconds.values())

    def seconds_by_name(self) -> dict[str, float]:
        """Return the processor time so far, by the names of the programs; the first process is
        `root`.
        """
        self._look()
        found = dict.fromkeys(self._names.values(), 0.0)
        for process, seconds in self._seconds.items():
            found[self._names[process]] += seconds
        return found

    def _watch(self) -> None:
        while not self._over.wait(self._pause):
            self._look()

    def _look(self) -> None:
        memory = 0
        for process in _tree(self._root):
            try:
                name, _, rest = (
                    Path(f"/proc/{process}/stat").read_text().partition(" (")[2].rpartition(") ")
                )
                fields = rest.split()
                memory += (
                    int(
                        Path(f"/proc/{process}/smaps_rollup")
                        .read_text()
                        .partition("\nPss:")[2]
                        .split()[0]
                    )
                    * 1024
                )
            except (OSError, IndexError):
                continue
            self._names[process] = "root" if process == self._root else name
            self._seconds[process] = (int(fields[11]) + int(fields[12])) / _TICKS
        self.peak_bytes = max(self.peak_bytes, memory)


def _tree(process: int) -> list[int]:
    below = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            below += [int(child) for child in task.read_text().split()]
        except OSError:
            continue
    return [process, *(found for child in below for found in _tree(child))]


def _pandas_seconds(path: Path) -> float:
    code = (
        "import sys, time, pandas as pd; start = time.process_time();pd.read_csv(sys.argv[1],"
        " sep=r'\\s+', header=None, names=list('abcdefghi'), low_memory=False);"
        " print(time.process_time() - start)"
    )
    return float(
        subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        ).stdout
    )


def main() -> None:
    """Print one line for each run: the first in a new JVM, the next ones in a warm one."""
    from evenkeel.data.lake.place import place_of
    from evenkeel.data.pipeline.ingest import ingest
    from evenkeel.data.pipeline.ingest.inputs import inputs_of
    from evenkeel.data.pipeline.session import session

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--files", type=int, default=1, help="the lines stand in so many files")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    with tempfile.TemporaryDirectory() as folder:
        listings = [Path(folder, f"listing-{number}.txt") for number in range(options.files)]
        for number, listing in enumerate(listings):
            write_listing(
                listing,
                options.lines * (number + 1) // options.files
                - options.lines * number // options.files,
                number,
            )
        size = sum(listing.stat().st_size for listing in listings)
        processes, started = Processes(), time.perf_counter()
        with session(f"local[{options.cores}]") as spark:
            print(
                f"{options.lines:,} lines, {size / 2**20:,.0f} MB, {options.cores} cores; Spark"
                f" starts in {time.perf_counter() - started:.1f} s"
            )
            for run in range(options.runs):
                began, seconds = time.perf_counter(), processes.seconds()
                one = ingest.ingest(
                    inputs_of(listings), place_of(Path(folder, f"lake-{run}")), lambda: spark
                )
                wall, used = time.perf_counter() - began, processes.seconds() - seconds
                assert one.counts.lines == options.lines
                print(
                    f"run {run + 1}: {options.lines / wall:>9,.0f} lines/s, {wall:6.2f} s,"
                    f" processor {used:6.2f} s, peak memory {processes.peak_bytes / 2**20:,.0f} MB"
                )
        pandas = sum(map(_pandas_seconds, listings))
        print(
            f"pandas.read_csv: processor {pandas:.2f} s, {pandas / used:.2f} times that of the"
            " last run"
        )


if __name__ == "__main__":
    main()
