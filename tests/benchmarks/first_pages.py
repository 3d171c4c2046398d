"""What the first page of somebody who has never been here costs the server: processor time,
whatever else the machine does.

    python -m tests.benchmarks.first_pages --visits 20
    # Seconds until each of 50 people sees the page.
    python -m tests.benchmarks.first_pages --people 50 --within 60

Starts a server of its own, and waits until it rests. Chromium opens each page once and tells what
it asks for. A visit asks for all of it, over six connections as a browser does, and runs the page
over the websocket. Processor time is that of the server's process alone.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tests.benchmarks.sessions import share_of, used
from tests.dashboard.browser import server
from tests.dashboard.browser.session import Session

_PAGES = {
    "/": ("", ""),
    "/compare?sample=one-hot-partition": ("compare", "sample=one-hot-partition"),
}
_HEADERS = {"Accept": "*/*", "Accept-Encoding": "gzip, deflate, br, zstd"}
_CONNECTIONS = 6
_FIRST = 2
"""Visits that are not counted: they fill what the server keeps."""

_RESTS_SECONDS, _BUSY_SHARE, _PATIENCE_SECONDS = 3, 0.05, 180


def main() -> None:
    """Visit each page so many times, one visit after the other, or let people arrive; print a line
    for each.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--visits", type=int, default=20, choices=range(1, 1001), metavar="N")
    parser.add_argument(
        "--people",
        type=int,
        choices=range(1, 201),
        metavar="N",
        help="arrive one after the other and wait for nobody",
    )
    parser.add_argument(
        "--within", type=float, default=60, help="seconds in which all of them arrive"
    )
    options = parser.parse_args()
    count = options.visits
    with tempfile.TemporaryDirectory() as folder, server.served(Path(folder)) as (address, process):
        asked = {path: _asked(address, path) for path in _PAGES}
        _wait_until_it_rests(process.pid)
        for path, (page, query) in _PAGES.items():
            if options.people:
                waits = _arrived(
                    options.people,
                    options.within,
                    lambda path=path, where=(page, query): _visit(address, asked[path], *where),
                )
                print(
                    f"{path:36} p50 {share_of(waits, 50):.2f} s, p95 {share_of(waits, 95):.2f} s,"
                    f" longest {max(waits):.2f} s",
                    flush=True,
                )
                continue
            sizes: list[int] = []
            load = _cost(
                process.pid,
                count,
                lambda path=path, sizes=sizes: sizes.append(_loaded(address, asked[path])),
            )
            session = _cost(
                process.pid,
                count,
                lambda page=page, query=query: asyncio.run(_opened(address, page, query)),
            )
            print(
                f"{path:36} {load + session:4.0f} ms of processor: {load:.0f} for"
                f" {len(asked[path])} files, {sizes[-1] / 1e6:.1f} MB; {session:.0f} for the page",
                flush=True,
            )


def _asked(address: str, path: str) -> list[str]:
    """Return the paths that a browser asks for which has nothing yet."""
    found: list[str] = []
    with server.chromium() as browser:
        page = browser.new_page()
        page.on("request", lambda request: found.append(request.url))
        page.goto(address + path)
        server.drawn(page)
    return [url.removeprefix(address) for url in found if url.startswith(address)]


def _cost(pid: int, count: int, one: Callable[[], object]) -> float:
    """Return milliseconds of processor time of each."""
    for _ in range(_FIRST):
        one()
    before = used(pid).processor_seconds
    for _ in range(count):
        one()
    return 1000 * (used(pid).processor_seconds - before) / count


def _arrived(people: int, within: float, visit: Callable[[], object]) -> list[float]:
    """Let people arrive at regular times; return for how many seconds each has waited for
    the page.
    """

    def arrive(number: int) -> float:
        time.sleep(number * within / people)
        begin = time.monotonic()
        visit()
        return time.monotonic() - begin

    with ThreadPoolExecutor(people) as threads:
        return list(threads.map(arrive, range(people)))


def _visit(address: str, paths: Sequence[str], page: str, query: str) -> None:
    _loaded(address, paths)
    asyncio.run(_opened(address, page, query))


def _loaded(address: str, paths: Sequence[str]) -> int:
    """Ask for everything; return the bytes of all answers."""
    with ThreadPoolExecutor(_CONNECTIONS) as threads:
        return sum(
            threads.map(
                lambda first: _of_one_connection(address, paths[first::_CONNECTIONS]),
                range(_CONNECTIONS),
            )
        )


def _of_one_connection(address: str, paths: Sequence[str]) -> int:
    connection, size = HTTPConnection(urlsplit(address).netloc), 0
    for path in paths:
        connection.request("GET", path, headers=_HEADERS)
        size += len(connection.getresponse().read())
    connection.close()
    return size


async def _opened(address: str, page: str, query: str) -> None:
    async with Session(address, page, query) as session:
        await session.run()


def _wait_until_it_rests(pid: int) -> None:
    """Wait until the server has started Spark and warmed it up."""
    end, before = time.monotonic() + _PATIENCE_SECONDS, used(pid).processor_seconds
    while time.monotonic() < end:
        time.sleep(_RESTS_SECONDS)
        now = used(pid).processor_seconds
        if now - before < _BUSY_SHARE * _RESTS_SECONDS:
            return
        before = now


if __name__ == "__main__":
    main()
