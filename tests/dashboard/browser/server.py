"""A real server and a real browser, for tests and for the pictures of the README."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.dashboard.crashes import crashes_in

ROOT = Path(__file__).parents[3]
FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
START_SECONDS = 60

REFUSED: list[str] = []
"""What the content security policy of a page that is watched has refused; `conftest.py` fails the test."""


@contextmanager
def dashboard(folder: Path) -> Iterator[str]:
    """Run the dashboard on a free port, its lake and log in `folder`; yield its address."""
    with served(folder) as (address, _):
        yield address


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, subprocess.Popen]]:
    """Run the dashboard as `dashboard` does; yield its address and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"server.headless": "true", "server.port": port, "server.fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", *(f"--{name}={value}" for name, value in options.items())]
    log = folder / "server.log"
    environment = os.environ | {"EVENKEEL_LAKE": str(folder / "lake")}
    with log.open("w") as output, subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output) as process:
        try:
            _wait_until_healthy(port, process, log)
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()
            process.wait(30)
            # A page that crashes shows an error id, which no test looks for.
            if found := crashes_in(log.read_text(errors="replace")):
                raise RuntimeError(f"{len(found)} pages have crashed: {found[0]}; {log}")


def _wait_until_healthy(port: int, process: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.25)
    raise RuntimeError(f"the dashboard did not start in {START_SECONDS} s: {log.read_text()[-2000:]}")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Debian's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS.split())
        yield browser
        browser.close()


def named(page: Page) -> None:
    """Wait until everything drawn has its name: `names.js` gives names shortly after Streamlit has drawn."""
    page.wait_for_function("() => !('unnamed' in document.documentElement.dataset)")


def watched(page: Page) -> Page:
    """Note what the content security policy of a page refuses."""
    page.on("console", lambda message: REFUSED.append(message.text) if "Content Security Policy" in message.text else None)
    return page


def settle(page: Page) -> None:
    """Wait until the script has run and every figure and table is drawn."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_function(
        "() => [...document.querySelectorAll('[data-testid=stPlotlyChart]')].every(chart => chart.querySelector('.main-svg'))"
    )
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
    # Their scripts are loaded after the page has been run.
    expect(page.locator("tr.columns:empty, .strip:empty, .holders:empty")).to_have_count(0)
