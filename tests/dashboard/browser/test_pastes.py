"""Pastes on a server that finds no Java: read by processes of their own, which end with their tab,
with the server, or by a signal.
"""

import asyncio
import os
import re
import signal
from concurrent.futures import wait
from contextlib import contextmanager
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.dashboard.browser import server as running
from tests.dashboard.browser.session import PageError, Session
from tests.data.test_own_process import is_running
from tests.listening import begun_by, listeners
from tests.waiting import awaited, until

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
LISTING = HEADER + "".join(
    f"payments orders {partition} 100 {100 + partition} {partition} pay-{partition % 3}"
    " /10.0.0.1 c\n"
    for partition in range(500)
)
LARGE = HEADER + "".join(
    f"payments orders {partition} 1 2 1 - - -\n" for partition in range(200_000)
)


@pytest.fixture(scope="module")
def without_java(tmp_path_factory):
    """Address, process and lake of a server with a PATH on which there is no Java."""
    folder = tmp_path_factory.mktemp("without-java")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(folder))
        patch.delenv("JAVA_HOME", raising=False)
        with running.served(folder) as (address, process):
            yield address, process, folder / "lake"


def test_a_paste_gives_table_and_charts_on_a_path_without_java(chromium, without_java):
    address, process, _ = without_java
    page = running.watched(chromium.new_page(base_url=address))
    page.goto("/")
    running.settle(page)
    page.get_by_label("Listing", exact=True).fill(LISTING)

    page.get_by_role("button", name="Read", exact=True).click()

    page.wait_for_url("**/overview*")
    page.get_by_role("link", name="Assignors").click()
    page.wait_for_url("**/compare*")
    running.settle(page)
    expect(page.get_by_role("heading", name="payments")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="cooperative-sticky")).not_to_have_count(0)
    assert page.locator("[data-testid=stPlotlyChart] .main-svg").count() > 0
    expect(page.get_by_text(re.compile("Spark|Java is"))).to_have_count(0)
    assert "java" not in {one.command for one in listeners(process.pid)}
    page.close()


def test_a_paste_is_no_longer_read_when_its_tab_is_closed_and_leaves_nothing(without_java):
    address, process, lake = without_java
    before = set(lake.glob("imports/*"))
    with pasted(address):
        reader = stopped_reader(process.pid)

    until(lambda: not is_running(reader))
    until(lambda: set(lake.glob("imports/*")) == before)


def test_a_reader_that_is_killed_is_one_sentence_on_the_page_and_the_next_paste_works(without_java):
    address, process, lake = without_java
    before = set(lake.glob("imports/*"))
    with pasted(address) as said:
        os.kill(stopped_reader(process.pid), signal.SIGKILL)
        until(lambda: said)

    assert "the process that reads this upload was ended by SIGKILL" in said[0]
    assert "nothing of it is stored" in said[0]
    assert set(lake.glob("imports/*")) == before
    assert awaited(read(address, LISTING)) is None


def test_the_end_of_the_server_ends_what_it_reads(tmp_path):
    with running.served(tmp_path) as (address, process), pasted(address):
        reader = stopped_reader(process.pid)
        children = begun_by(process.pid)
        process.terminate()
        process.wait(500)

        until(lambda: not any(map(is_running, children)))
    assert reader in children


async def read(address: str, text: str) -> str | None:
    """Paste a text in a new tab; return why it was refused."""
    async with Session(address, "", "") as session:
        await session.run()
        try:
            await session.run(press="read-paste", paste=text)
        except PageError as refused:
            return str(refused)
    return None


@contextmanager
def pasted(address: str):
    """Paste a large listing in a tab that is closed at the end; yield what the page says against
    it, when it does.
    """
    loop, said = asyncio.new_event_loop(), []
    thread = Thread(target=loop.run_forever)
    thread.start()

    async def paste() -> None:
        said.append(await read(address, LARGE))

    pasting = asyncio.run_coroutine_threadsafe(paste(), loop)
    try:
        yield said
    finally:
        pasting.cancel()
        wait([pasting])
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def stopped_reader(pid: int) -> int:
    """Wait for the process that reads a paste, and stop it before it has read."""
    (host,) = until(lambda: [one for one in begun_by(pid) if "warm_host" in command(one)][:1])
    (reader,) = until(lambda: begun_by(host), pause=0.001)
    os.kill(reader, signal.SIGSTOP)
    return reader


def command(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/cmdline") as file:
            return file.read()
    except OSError:
        return ""
