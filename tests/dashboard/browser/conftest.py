"""A real server and a real browser: Debian's Chromium on the pages, with a lake of their own."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[3]
FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"
PATIENCE_MS = 60_000
"""A shared machine is slow at times; Spark's start is the longest wait."""

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Return the address of the dashboard."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = {"server.headless": "true", "server.port": port, "server.address": "127.0.0.1", "server.fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/app.py", *(f"--{name}={value}" for name, value in options.items())]
    log = tmp_path_factory.mktemp("server") / "log.txt"
    environment = os.environ | {"EVENKEEL_LAKE": str(tmp_path_factory.mktemp("lake"))}
    with log.open("w") as output, subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output) as process:
        try:
            _wait_until_healthy(port, process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


def _wait_until_healthy(port: int, process: subprocess.Popen, log: Path) -> None:
    for _ in range(120):
        if process.poll() is not None:
            pytest.fail(f"the server stopped: {log.read_text()[-2000:]}")
        try:
            urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
            return
        except OSError:
            time.sleep(0.25)
    pytest.fail(f"the server did not start: {log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def chromium():
    path = shutil.which("chromium")
    if not path:
        pytest.skip("chromium is not installed: make chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium, server):
    """Return a maker of tabs: (path, wide, dark) -> a page that has been drawn."""
    contexts = []

    def open_tab(path: str = "/", size: tuple[int, int] = (1440, 900), dark: bool = False) -> Page:
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light", base_url=server)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(path)
        settle(page)
        return page

    yield open_tab
    for context in contexts:
        context.close()


def settle(page: Page) -> None:
    """Wait until the script has run and every figure and table is drawn."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_function("() => [...document.querySelectorAll('[data-testid=stPlotlyChart]')].every(chart => chart.querySelector('.main-svg'))")
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
