"""Large groups beside other sessions: what a page of another session waits for meanwhile, and what
is left of them in the server's memory.

python -m tests.benchmarks.big_pastes --partitions 10000000 --pastes 5

Starts a server of its own on this machine. Each paste is a new session that ends when its page is
drawn; another session chooses candidates of a worked example all the time.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from statistics import median

from evenkeel.data.group.document import FORMAT
from tests.benchmarks.sessions import used
from tests.dashboard.browser import server
from tests.dashboard.browser.session import PageError, Session

_PAUSE_SECONDS = 0.5


def main() -> None:
    """Paste, and print a line for each paste."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--partitions", type=int, default=10_000_000)
    parser.add_argument("--members", type=int, default=2)
    parser.add_argument("--pastes", type=int, default=5, choices=range(1, 51), metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server.served(Path(folder)) as (address, process):
        asyncio.run(
            _measured(
                address, process.pid, document(options.partitions, options.members), options.pastes
            )
        )


def document(partition_count: int, member_count: int) -> str:
    """Return a document of which only the sizes are known."""
    members = [{"member_id": f"m-{place}", "subscribed": ["t"]} for place in range(member_count)]
    return json.dumps(
        {
            "format": FORMAT,
            "topics": [{"name": "t", "partitions": partition_count}],
            "members": members,
        }
    )


async def _measured(address: str, pid: int, text: str, pastes: int) -> None:
    async with Session(address, "compare", "sample=one-hot-partition") as other:
        await other.run()
        names = cycle(other.widget("candidate").options)
        alone = [await _switch(other, next(names)) for _ in range(20)]
        print(
            f"{len(text)} bytes; another session alone: {_times(alone)};"
            f" {used(pid).resident_mb:.0f} MB",
            flush=True,
        )
        for number in range(1, pastes + 1):
            paste, meanwhile, begin = (
                asyncio.create_task(_paste(address, text)),
                [],
                time.monotonic(),
            )
            while not paste.done():
                meanwhile.append(await _switch(other, next(names)))
                await asyncio.sleep(_PAUSE_SECONDS)
            print(
                f"paste {number}: {time.monotonic() - begin:.1f} s, {paste.result()}; another"
                f" session meanwhile: {_times(meanwhile)}; {used(pid).resident_mb:.0f} MB",
                flush=True,
            )


async def _switch(session: Session, name: str) -> float:
    begin = time.monotonic()
    await session.run(candidate=name)
    return time.monotonic() - begin


async def _paste(address: str, text: str) -> str:
    async with Session(address, "", "") as session:
        await session.run()
        try:
            await session.run(press="read-paste", paste=text)
        except PageError as refused:
            return f"refused: {str(refused)[:90]}"
        return "shown"


def _times(seconds: Sequence[float]) -> str:
    return f"median {median(seconds):.2f}, longest {max(seconds):.2f} s"


if __name__ == "__main__":
    main()
