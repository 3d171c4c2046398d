"""`evenkeel assign --jsonl` on 1,000,000 partitions and 2,000 members beside Kafka's class behind
Jackson: `python -m tests.benchmarks.assignors.end_to_end`.

Both are whole processes, started in turn: JSON in, JSON out, by the clock, in processor time and in
peak memory. The answers are compared.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

import msgspec

from evenkeel.data.configuration.java import java_home
from evenkeel.data.configuration.plugin.assignor import kafka_jars
from tests.benchmarks.assignors.cases import case, document
from tests.judge.building import compile_java
from tests.judge.differences import meaning

_CASES = (("range", "fresh"), ("sticky", "fresh"), ("sticky", "same"), ("sticky", "leave"))
_WARM_UPS, _PAIRS = 1, 7
_OURS = [
    sys.executable,
    "-c",
    (
        "import sys; from evenkeel.data.commands.main import main; sys.exit(main(['assign',"
        " '--jsonl']))"
    ),
]


class Used(NamedTuple):
    """What a process took."""

    seconds: float
    processor: float
    megabytes: float


def used(command: list[str], request: Path, answer: Path) -> Used:
    """Run a process from file to file."""
    with request.open("rb") as read, answer.open("wb") as write:
        start = perf_counter()
        process = subprocess.Popen(command, stdin=read, stdout=write, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Used(perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def write_requests(folder: Path):
    """Write a request for each case."""
    for assignor, step in _CASES:
        request = {"assignor": assignor, "group": document(case("L", "eq", step))}
        (folder / f"{assignor}-{step}").write_bytes(msgspec.json.encode(request) + b"\n")


def row(request: Path, java: list[str]) -> str:
    """Measure one case; the answers lie beside the request."""
    sides = [
        (command, Path(f"{request}.{side}")) for command, side in ((_OURS, "ours"), (java, "java"))
    ]
    pairs = [
        [used(command, request, answer) for command, answer in sides]
        for _ in range(_WARM_UPS + _PAIRS)
    ][_WARM_UPS:]
    cells = []
    for column in range(2):
        ours, theirs = ([pair[side][column] for pair in pairs] for side in (0, 1))
        ratios = [their / our for our, their in zip(ours, theirs, strict=False)]
        cells += [
            f"{median(ours):.2f}",
            f"{median(theirs):.2f}",
            f"{median(theirs) / median(ours):.1f} ({min(ratios):.1f} to {max(ratios):.1f})",
        ]
    return (
        f"| {request.name} | {' | '.join(cells)} |"
        f" {' | '.join(f'{max(pair[side].megabytes for pair in pairs):,.0f}' for side in (0, 1))} |"
    )


def is_same(request: Path) -> bool:
    """Tell whether both answered the same."""
    ours, java = (
        meaning(msgspec.json.decode(Path(f"{request}.{side}").read_bytes()))
        for side in ("ours", "java")
    )
    return ours == java


def main():
    """Print the table."""
    print(
        "| | ours s | Java s | ratio | ours, processor s | Java | ratio | ours, peak MB | Java"
        f" |\n{'|---' * 9}|"
    )
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: a process that is started inherits the peak memory of the one
        # that starts it.
        subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.assignors.end_to_end", folder], check=True
        )
        jars = kafka_jars("kafka-group-coordinator")
        compile_java([Path(__file__).with_name("EndToEnd.java")], jars, Path(folder))
        java = [
            str(java_home() / "bin" / "java"),
            "-Xmx8g",
            "-cp",
            os.pathsep.join(map(str, [folder, *jars])),
            "EndToEnd",
        ]
        requests = [Path(folder, f"{assignor}-{step}") for assignor, step in _CASES]
        for request in requests:
            print(row(request, java), flush=True)
        print(f"same answers: {all(map(is_same, requests))}")


if __name__ == "__main__":
    write_requests(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
