"""A real server and a real browser, for tests and for the pictures of the README."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.dashboard.crashes import crashes_in
from tests.ending import WITH_US
from tests.services.ports import free_port

ROOT = Path(__file__).parents[3]
_FEATURES = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,OptimizationHints,"
    "MediaRouter,HttpsUpgrades,PaintHolding,AimEnabled,PreconnectToSearch"
)
"""What the browser leaves out: two pages of its own for each window, that take half a second of
processor, and what asks others.
"""

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
    f" --disable-features={_FEATURES}"
)
START_SECONDS = 500
PATIENCE_MS = 180_000
"""A shared machine is slow at times; Spark's start is the longest wait."""

expect.set_options(timeout=PATIENCE_MS)

_RUNS = """(() => {
    const send = WebSocket.prototype.send;
    let asked = 0;
    // Streamlit's messages begin with the number of their kind: 11 to the server asks for a run, 6
    // from it ends one. Hash and metadata come before the kind.
    const kind = (bytes) => {
        let at = 0;
        while (bytes[at] === 10 || bytes[at] === 18) {
            let length = 0, shift = 0, byte;
            at += 1;
            do { byte = bytes[at++]; length |= (byte & 127) << shift; shift += 7;
                } while (byte & 128);
            at += length;
        }
        return [bytes[at] >> 3, bytes[at + 1]];
    };
    const ended = ({ data }) => {
        const [message, how] = data instanceof ArrayBuffer ? kind(new Uint8Array(data)) : [];
        const number = asked;
        // One that ended early is followed by another. What has come is drawn in a task of its own.
        if (message === 6 && how !== 2) setTimeout(() => {
            if (number === asked) delete window.isAsked; }, 50);
    };
    WebSocket.prototype.send = function (data) {
        if (this.url.endsWith("/_stcore/stream") && data[0] >> 3 === 11) {
            asked += 1;
            window.isAsked = true;
            if (!this.isWatched) this.addEventListener("message", ended);
            this.isWatched = true;
        }
        return send.call(this, data);
    };
})()"""
"""Say in `isAsked` that a run of the page was asked for and has not ended: Streamlit itself says it
is running only once the server has said so.
"""

_STILL = """document.addEventListener("readystatechange", () => {
    const still = document.createElement("style");
    still.textContent = "[data-testid=stSkeleton] { animation: none !important; }";
    document.head.append(still);
}, { once: true })"""
"""Leave a page that is still empty as it is: a tenth of what a page takes is to draw its grey boxes
in the next shade.
"""

REFUSED: list[str] = []
"""What the content security policy of a page that is watched has refused; `conftest.py` fails the
test.
"""


@contextmanager
def dashboard(folder: Path) -> Iterator[str]:
    """Run the dashboard on a free port, its lake and log in `folder`; yield its address."""
    with served(folder) as (address, _):
        yield address


@contextmanager
def served(
    folder: Path, port: int | None = None, given: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Run the dashboard as `dashboard` does; yield its address and its process. `given`: more
    variables of its environment.
    """
    port = port or free_port()
    options = {"server.headless": "true", "server.port": port, "server.fileWatcherType": "none"}
    command = [
        *WITH_US,
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "dashboard/app.py",
        *(f"--{name}={value}" for name, value in options.items()),
    ]
    log = folder / (f"server-{port}.log" if given else "server.log")
    # A process that computes an answer begins in a second; on a machine with much to do that takes
    # longer than the 20 s it has.
    (patient := folder / "patient.toml").write_text('[limits]\ntime = "240s"\n')
    environment = (
        {"EVENKEEL_CONFIG": str(patient)}
        | os.environ
        | {"EVENKEEL_LAKE": str(folder / "lake")}
        | given
    )
    with (
        log.open("w") as output,
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=output, stderr=output
        ) as process,
    ):
        try:
            _wait_until_healthy(port, process, log)
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()
            process.wait(500)
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
    raise RuntimeError(
        f"the dashboard did not start in {START_SECONDS} s: {log.read_text()[-2000:]}"
    )


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run Debian's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=FLAGS.split(),
            timeout=START_SECONDS * 1000,
        )
        yield browser
        browser.close()


def named(page: Page) -> None:
    """Wait until everything drawn has its name: `names.js` gives names shortly after Streamlit has
    drawn.
    """
    page.wait_for_function("() => !('unnamed' in document.documentElement.dataset)")


def resize(page: Page, width: int, height: int) -> None:
    """Give a page another size; return once it is drawn in it, with what watches the sizes of
    elements.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(
        "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
    )


def watched(page: Page) -> Page:
    """Note what the content security policy of a page refuses, and which runs of it were asked for;
    be patient with it.
    """
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(_RUNS)
    page.add_init_script(_STILL)
    page.on(
        "console",
        lambda message: (
            REFUSED.append(message.text) if "Content Security Policy" in message.text else None
        ),
    )
    return page


def settle(page: Page) -> None:
    """Wait until a page is drawn, once more if Assignors is run again when the best assignment is
    found.
    """
    drawn(page)
    expect(page.locator("table[aria-label=Assignors] :text-is('searched now')")).to_have_count(0)
    drawn(page)


def drawn(page: Page) -> None:
    """Wait until every run that was asked for has ended and every figure and table is drawn: right
    after a click, too.
    """
    page.wait_for_function("() => !window.isAsked")
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_function(
        "() => [...document.querySelectorAll('[data-testid=stPlotlyChart]')].every(chart =>"
        " chart.querySelector('.main-svg'))"
    )
    page.wait_for_function("() => !document.querySelector('[data-testid=stSkeleton]')")
    page.wait_for_function(
        "() => [...document.querySelectorAll('[data-testid^=stBidiComponent]')].every(one =>"
        " (one.shadowRoot ?? one).querySelector('*'))"
    )
    # Their scripts are loaded after the page has been run.
    expect(page.locator("tr.columns:empty, .strip:empty, .holders:empty")).to_have_count(0)
