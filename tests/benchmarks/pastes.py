"""A pasted listing, from the click to its Overview in a browser: read by one process of its own,
and by Spark, in the same run.

python -m tests.benchmarks.pastes --lines 500 20000 --pastes 7

Starts two servers on this machine, one of which reads every upload with Spark (`[limits]
without_spark = "0 MB"`), and waits until they rest. Pastes take turns. Processor time is that of a
server with all its processes; memory counts pages that its processes share once.
"""

import argparse
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from tests.dashboard.browser import server

_HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
_WAYS = {"one process": "", "Spark": '[limits]\nwithout_spark = "0 MB"\n'}
_RESTS_SECONDS, _BUSY_SHARE, _PATIENCE_SECONDS = 3, 0.05, 300
_PATIENCE_MS = 120_000
_NUMBERS = count(1)


class Paste(NamedTuple):
    """What a paste took: seconds until Overview is drawn, processor time of the server with all its
    processes.
    """

    seconds: float
    processor: float


def main() -> None:
    """Paste, and print a line for each way and number of lines."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, nargs="+", default=[500, 20_000])
    parser.add_argument("--pastes", type=int, default=7, choices=range(1, 101), metavar="N")
    options = parser.parse_args()
    with ExitStack() as stack:
        servers = {way: stack.enter_context(_served(text)) for way, text in _WAYS.items()}
        _show_memory(servers, "before anybody has come")
        browser = stack.enter_context(server.chromium())
        clipboard = {"permissions": ["clipboard-read", "clipboard-write"]}
        pages = {
            way: browser.new_page(base_url=address, **clipboard)
            for way, (address, _) in servers.items()
        }
        for way, (_, pid) in servers.items():
            pages[way].goto("/")
            _wait_until_it_rests(pid)
        _show_memory(servers, "after the first page")
        for lines in options.lines:
            _compare(pages, {way: pid for way, (_, pid) in servers.items()}, lines, options.pastes)
        _show_memory(servers, "after the pastes")


def _compare(pages: dict[str, Page], pids: dict[str, int], lines: int, pastes: int) -> None:
    found: dict[str, list[Paste]] = {way: [] for way in pages}
    for number in range(pastes + 1):
        for way, page in pages.items():
            paste = _pasted(page, pids[way], _listing(lines))
            # The first one of each fills what a server and a browser keep.
            found[way] += [paste] if number else []
    medians = {way: Paste(*map(median, zip(*some, strict=True))) for way, some in found.items()}
    for way, one in medians.items():
        print(
            f"{lines:>8,} lines  {way:12} {one.seconds:.2f} s, processor {one.processor:.2f} s",
            flush=True,
        )
    ours, old = medians.values()
    print(
        f"{lines:>8,} lines  ratio {ours.seconds / old.seconds:.2f}, of processor time"
        f" {ours.processor / old.processor:.2f}",
        flush=True,
    )


def _pasted(page: Page, pid: int, text: str) -> Paste:
    page.set_default_timeout(_PATIENCE_MS)
    page.goto("/")
    server.drawn(page)
    _paste(page, text)
    before, begin = _processor(pid), time.monotonic()
    page.get_by_role("button", name="Read", exact=True).click()
    page.wait_for_url("**/overview*")
    page.get_by_text("What helps").wait_for()
    server.drawn(page)
    seconds = time.monotonic() - begin
    return Paste(seconds, _processor(pid) - before)


def _paste(page: Page, text: str) -> None:
    """Paste as a person does: Playwright's own `fill` takes minutes for 20,000 lines."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.get_by_role("textbox", name="Listing").focus()
    page.keyboard.press("Control+V")
    page.wait_for_function(
        "length => document.querySelector('textarea').value.length === length", arg=len(text)
    )


def _listing(lines: int) -> str:
    number = next(_NUMBERS)
    return _HEADER + "".join(
        f"g{number} t{row % 5} {row // 5} {row} {row + number} {number} m-{row % 9} /10.0.0.1 c\n"
        for row in range(lines)
    )


@contextmanager
def _served(text: str) -> Iterator[tuple[str, int]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
        ExitStack() as stack,
    ):
        Path(folder, "evenkeel.toml").write_text(text)
        patch.setenv("EVENKEEL_CONFIG", str(Path(folder, "evenkeel.toml")))
        address, process = stack.enter_context(server.served(Path(folder)))
        yield address, process.pid


def _show_memory(servers: dict[str, tuple[str, int]], when: str) -> None:
    for way, (_, pid) in servers.items():
        pids = _processes(pid)
        java = sum(
            Path(f"/proc/{one}/cmdline").read_bytes().partition(b"\0")[0].endswith(b"java")
            for one in pids
        )
        print(
            f"{when}: {way}: {_held_mb(pids):.0f} MB in {len(pids)} processes, {java} of Java",
            flush=True,
        )


def _processes(pid: int) -> list[int]:
    """Return a process and all that it has begun."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout.split()
    parents = dict(zip(map(int, listed[::2]), map(int, listed[1::2]), strict=True))
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return [one for one in found if Path(f"/proc/{one}/smaps").exists()]


def _held_mb(pids: Sequence[int]) -> float:
    """Return the memory of processes, pages of a file once, however many of them have it."""
    own, of_files = 0, dict[str, int]()
    for pid in pids:
        for region in re.split(
            r"^(?=[0-9a-f]+-[0-9a-f]+ )", Path(f"/proc/{pid}/smaps").read_text(), flags=re.MULTILINE
        )[1:]:
            head, sizes = (
                region.partition("\n")[0].split(maxsplit=5),
                dict(re.findall(r"^(\w+): +(\d+) kB", region, re.MULTILINE)),
            )
            own += int(sizes["Anonymous"])
            key = " ".join([*head[1:5:3], head[2]])
            shared = int(sizes["Rss"]) - int(sizes["Anonymous"])
            of_files[key] = max(of_files.get(key, 0), shared)
    return (own + sum(of_files.values())) / 1000


def _processor(pid: int) -> float:
    """Return the processor time of a process and all that it has begun, those that have
    ended too.
    """
    return sum(_with_ended(one) for one in _processes(pid))


def _with_ended(pid: int) -> float:
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
    return sum(map(int, ticks)) / 100


def _wait_until_it_rests(pid: int) -> None:
    """Wait until a server has started and warmed up what it needs."""
    end, before = time.monotonic() + _PATIENCE_SECONDS, _processor(pid)
    while time.monotonic() < end:
        time.sleep(_RESTS_SECONDS)
        now = _processor(pid)
        if now - before < _BUSY_SHARE * _RESTS_SECONDS:
            return
        before = now


if __name__ == "__main__":
    main()
