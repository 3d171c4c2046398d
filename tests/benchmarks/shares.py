"""Many people who share: sessions over the websocket that each freeze a view and open the link, one
after the other.

python -m tests.benchmarks.shares --sessions 50 --minutes 5
python -m tests.benchmarks.shares --sessions 20 --minutes 1 --database postgresql --kill

Starts a server of its own on this machine, and a PostgreSQL where asked for. Seconds are those
until the page's script has finished: to make a share, the menu, the dialog and the button together.
With --kill the server is killed in the middle (SIGKILL) and started again on the same store; then
every share whose link was shown is opened.
"""

import argparse
import asyncio
import os
import random
import re
import signal
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from websockets.exceptions import WebSocketException

from tests.benchmarks.sessions import share_of
from tests.dashboard.browser import server
from tests.dashboard.browser.session import PageError, Session
from tests.services.postgres import Postgres

_LINK = re.compile(r"share=([A-Za-z0-9_-]{22})")
_FAILURES = (PageError, OSError, TimeoutError, StopIteration, WebSocketException)


class Walk:
    """What the sessions met; `confirmed`: ids of shares whose link was shown."""

    def __init__(self) -> None:
        self.made: list[float] = []
        self.opened: list[float] = []
        self.errors: list[str] = []
        self.confirmed: list[str] = []


def main() -> None:
    """Make and open shares, print one line for each figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument(
        "--every",
        type=float,
        default=20,
        help="seconds between two shares of a session, a quarter more or less",
    )
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--kill", action="store_true", help="kill the server in the middle")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        if options.database == "postgresql":
            os.environ["EVENKEEL_DATABASE_URL"] = stack.enter_context(Postgres()).database()
        # All sessions come without cookies and count as one browser.
        (Path(folder) / "evenkeel.toml").write_text("[shares]\nper_day = 100000\n")
        os.environ["EVENKEEL_CONFIG"] = str(Path(folder) / "evenkeel.toml")
        walk = Walk()
        with server.served(Path(folder)) as (address, process):
            asyncio.run(_measured(address, process.pid, options, walk))
        _report(walk, options)
        if options.kill:
            with server.served(Path(folder)) as (address, _):
                _check(address, walk.confirmed)


async def _measured(address: str, pid: int, options: argparse.Namespace, walk: Walk) -> None:
    end = time.monotonic() + 60 * options.minutes
    async with asyncio.TaskGroup() as walking:
        for number in range(options.sessions):
            walking.create_task(_share(address, walk, random.Random(number), options.every, end))
        if options.kill:
            await asyncio.sleep(30 * options.minutes)
            os.kill(pid, signal.SIGKILL)


async def _share(address: str, walk: Walk, chance: random.Random, every: float, end: float) -> None:
    """Freeze the view and open the link, until the time is over or the server is gone."""
    await asyncio.sleep(chance.uniform(0, every))
    number = 0
    while time.monotonic() < end:
        begin = time.monotonic()
        try:
            await _once(address, walk, f"share {chance.getrandbits(40)} {number}")
        except _FAILURES as error:
            walk.errors.append(repr(error))
            return
        number += 1
        await asyncio.sleep(max(0, begin + every * chance.uniform(0.75, 1.25) - time.monotonic()))


async def _once(address: str, walk: Walk, title: str) -> None:
    session = await Session(address, "compare", "sample=one-hot-partition").__aenter__()
    await session.run()
    begin = time.monotonic()
    await session.run(opened="share-menu-0")
    await session.run(press="freeze")
    await session.run(press="share-freeze", within="share-title", **{"share-title": title})
    share_id = _LINK.search(session.text())[1]
    walk.made.append(time.monotonic() - begin)
    walk.confirmed.append(share_id)
    await session.__aexit__()
    begin = time.monotonic()
    async with Session(address, "shared", f"share={share_id}") as reader:
        await reader.run()
        if title not in reader.text():
            raise PageError(f"share {share_id} does not show its title")
    walk.opened.append(time.monotonic() - begin)


def _report(walk: Walk, options: argparse.Namespace) -> None:
    expected = " (the server was killed)" if options.kill else ""
    print(f"errors   {len(walk.errors)}{expected} {walk.errors[:1] or ''}", flush=True)
    for name, seconds in (("made", walk.made), ("opened", walk.opened)):
        p50, p95 = (share_of(seconds, percent) for percent in (50, 95))
        print(
            f"{name:8} {len(seconds):,}, p50 {p50:.2f} s, p95 {p95:.2f} s, longest"
            f" {max(seconds):.2f} s",
            flush=True,
        )


def _check(address: str, confirmed: list[str]) -> None:
    lost = []
    for share_id in confirmed:
        try:
            urlopen(f"{address}/api/shares/{share_id}", timeout=30).close()
        except URLError as error:
            lost.append(f"{share_id}: {error}")
    print(f"confirmed {len(confirmed)}, of these lost {len(lost)} {lost[:1] or ''}", flush=True)


if __name__ == "__main__":
    main()
