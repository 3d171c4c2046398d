"""What a refusal costs, and whether a page answers while others ask for the largest scenario that
is allowed.

python -m tests.benchmarks.budget --clients 8 --minutes 1

Starts a server of its own on this machine. Refusals are timed in this process. Then so many clients
ask `POST /api/scenarios` for one step of a million partitions by all assignors, again as soon as
they are answered, while one session chooses another candidate every second.
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
import tracemalloc
from collections import Counter
from pathlib import Path
from statistics import quantiles
from threading import Event, Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import Budget
from evenkeel.data.scenarios.run.results import result_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from tests.benchmarks.sessions import used
from tests.dashboard.browser import server
from tests.dashboard.browser.session import Session

_REPEATS = 20


def main() -> None:
    """Print one line for each figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=1)
    options = parser.parse_args()
    for name, text in _refused().items():
        print(f"{name}: {_cost(text)}", flush=True)
    with tempfile.TemporaryDirectory() as folder, server.served(Path(folder)) as (address, process):
        asyncio.run(_clicks(address, process.pid, 0, options.minutes / 3))
        asyncio.run(_clicks(address, process.pid, options.clients, options.minutes))


def _refused() -> dict[str, bytes]:
    add = {"op": "add_members", "like": "m-0", "count": 10_000}
    return {
        "10,000,000 partitions": _scenario(10_000_000, []),
        "20 steps of 1,000,000 partitions": _scenario(1_000_000, [[]] * 20),
        "300 times 10,000 members": _scenario(10, [[add] * 300]),
    }


def _scenario(partition_count: int, steps: list[list[dict]]) -> bytes:
    members = [{"member_id": f"m-{number}", "subscribed": ["t"]} for number in range(100)]
    group = {
        "format": "evenkeel.group/1",
        "topics": [{"name": "t", "partitions": partition_count}],
        "members": members,
    }
    return json.dumps(
        {
            "format": "evenkeel.scenario/1",
            "group": group,
            "steps": [{"edits": edits} for edits in steps],
        }
    ).encode()


def _cost(text: bytes) -> str:
    seconds = []
    for _ in range(_REPEATS):
        begin = time.perf_counter()
        said = _ask(text)
        seconds.append(time.perf_counter() - begin)
    tracemalloc.start()
    _ask(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (
        f"median {1000 * sorted(seconds)[_REPEATS // 2]:.1f} ms, worst {1000 * max(seconds):.1f}"
        f" ms, {peak / 1e6:.2f} MB: {said}"
    )


def _ask(text: bytes) -> str:
    try:
        result_of(decode_any_scenario(text), budget=Budget())
    except SnapshotError as error:
        return str(error)
    raise AssertionError("the scenario was not refused")


async def _clicks(address: str, pid: int, clients: int, minutes: float) -> None:
    """Choose candidates and ask for the server's health while the clients ask for the largest
    scenario.
    """
    ended, answers = Event(), Counter()
    asking = [Thread(target=_ask_again, args=(address, ended, answers)) for _ in range(clients)]
    async with Session(address, "compare", "sample=one-hot-partition") as session:
        await session.run()
        for thread in asking:
            thread.start()
        clicks, health, resident, end = [], [], 0.0, time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            await asyncio.sleep(1)
            candidate = random.choice(list(session.widget("candidate").options))
            clicks.append(await _timed(session.run(candidate=candidate)))
            health.append(
                await _timed(
                    asyncio.to_thread(
                        lambda: urlopen(f"{address}/_stcore/health", timeout=60).read()
                    )
                )
            )
            resident = max(resident, used(pid).resident_mb)
    ended.set()
    for thread in asking:
        thread.join()
    p95 = [
        f"{name} p50 {quantiles(each, n=20)[9]:.2f} s, p95 {quantiles(each, n=20)[18]:.2f} s"
        for name, each in _named(clicks, health)
    ]
    print(
        f"{clients} clients: {'; '.join(p95)}; server at most {resident:,.0f} MB; answers"
        f" {dict(answers)}",
        flush=True,
    )


def _named(clicks: list[float], health: list[float]) -> list[tuple[str, list[float]]]:
    return [(f"{len(clicks)} clicks", clicks), ("health", health)]


async def _timed(awaited) -> float:
    begin = time.monotonic()
    await awaited
    return time.monotonic() - begin


def _ask_again(address: str, ended: Event, answers: Counter) -> None:
    body = _scenario(1_000_000, [[]])
    while not ended.is_set():
        try:
            with urlopen(
                Request(f"{address}/api/scenarios", body, {"Content-Type": "application/json"}),
                timeout=300,
            ) as answer:
                while answer.read(2**20):
                    pass
                answers[answer.status] += 1
        except HTTPError as error:
            answers[error.code] += 1


if __name__ == "__main__":
    main()
