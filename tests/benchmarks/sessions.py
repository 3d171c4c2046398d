"""Many people at once: sessions over the websocket that each open a group and choose another
candidate every few seconds.

python -m tests.benchmarks.sessions --sessions 50 --minutes 5 --every 8

Starts a server of its own on this machine. Processor time is that of the server's process alone;
times are those until the page's script has finished.
"""

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from tests.dashboard.browser import server
from tests.dashboard.browser.session import PageError, Session

_MOST_SESSIONS, _MOST_MINUTES = 200, 30
_JITTER = 0.25


class Used(NamedTuple):
    """What a process holds and has used."""

    resident_mb: float
    processor_seconds: float


class Walk:
    """What the sessions met."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.errors: list[str] = []


def main() -> None:
    """Open the sessions, let them choose, print one line for each figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sessions", type=int, default=50, choices=range(1, _MOST_SESSIONS + 1), metavar="N"
    )
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument(
        "--every",
        type=float,
        default=8,
        help="seconds between two choices of a session, a quarter more or less",
    )
    parser.add_argument(
        "--sample", default="one-hot-partition", help="the worked example that each opens"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server.served(Path(folder)) as (address, process):
        asyncio.run(_measured(address, process.pid, options))


async def _measured(address: str, pid: int, options: argparse.Namespace) -> None:
    walk, minutes = Walk(), min(options.minutes, _MOST_MINUTES)
    async with asyncio.TaskGroup() as opening:
        opened = [
            opening.create_task(_opened(address, options.sample)) for _ in range(options.sessions)
        ]
    sessions = [task.result() for task in opened]
    before, begin = used(pid), time.monotonic()
    async with asyncio.TaskGroup() as walking:
        for number, session in enumerate(sessions):
            walking.create_task(
                _walk(session, walk, random.Random(number), options.every, begin + 60 * minutes)
            )
    elapsed, after = time.monotonic() - begin, used(pid)
    for session in sessions:
        await session.__aexit__()
    print(
        _report(walk, elapsed, before, after, sum(session.received for session in sessions)),
        flush=True,
    )


async def _opened(address: str, sample: str) -> Session:
    session = await Session(address, "compare", f"sample={sample}").__aenter__()
    await session.run()
    return session


async def _walk(
    session: Session, walk: Walk, chance: random.Random, every: float, end: float
) -> None:
    """Choose one candidate after the other; who waits longer than `every` chooses again at once."""
    begin = time.monotonic() + chance.uniform(0, every)
    while begin < end:
        await asyncio.sleep(max(0, begin - time.monotonic()))
        started = time.monotonic()
        shown = session.widget("candidate")
        try:
            await session.run(candidate=chance.choice(list(shown.options)))
        except (PageError, OSError, TimeoutError) as error:
            walk.errors.append(repr(error))
        walk.seconds.append(time.monotonic() - started)
        begin += every * chance.uniform(1 - _JITTER, 1 + _JITTER)


def used(pid: int) -> Used:
    """Return what a process of this machine holds and has used, without its children."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return Used(
        pages * os.sysconf("SC_PAGE_SIZE") / 1e6, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
    )


def _report(walk: Walk, elapsed: float, before: Used, after: Used, received: int) -> str:
    reruns = len(walk.seconds)
    return "\n".join(
        (
            f"reruns           {reruns:,}, {reruns / elapsed:.2f} a second",
            (
                f"seconds          p50 {share_of(walk.seconds, 50):.2f}, p95"
                f" {share_of(walk.seconds, 95):.2f}, longest {max(walk.seconds):.2f}"
            ),
            f"errors           {len(walk.errors)} {walk.errors[:1] or ''}",
            (
                "processor       "
                f" {(after.processor_seconds - before.processor_seconds) / reruns:.3f} s a rerun"
            ),
            (
                f"resident memory  {before.resident_mb:.0f} MB at the start,"
                f" {after.resident_mb:.0f} MB at the end"
            ),
            f"received         {received / 1e6:.1f} MB",
        )
    )


def share_of(values: Sequence[float], percent: int) -> float:
    """Return a percentile."""
    return (
        quantiles(values, n=100, method="inclusive")[percent - 1] if len(values) > 1 else values[0]
    )


if __name__ == "__main__":
    main()
