"""One server and one browser for all tests; a tab for each."""

import shutil
from functools import cache

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from evenkeel.data.lake.manifest import FOLDER
from evenkeel.data.lake.place import place_of
from tests.dashboard.browser import server as running
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan

PATIENCE_MS = 60_000
"""A shared machine is slow at times; Spark's start is the longest wait."""

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Return the folder with lake and log of the dashboard."""
    return tmp_path_factory.mktemp("dashboard")


@pytest.fixture
def collected(folder):
    """Half a day of a group; gone afterwards, so that other tests of this server do not see its cluster."""
    lake = place_of(folder / "lake")
    write_lake(lake, Plan(groups=1, partitions=4, members=2, days=0.5, every=60))
    yield f"/timeline?opened={CLUSTER}-20261102T115900Z&place=1"
    for one in (lake.folder / FOLDER).glob(f"{CLUSTER}-*"):
        one.unlink()


@pytest.fixture(scope="session")
def served(folder):
    """Return address and process of the dashboard."""
    with running.served(folder) as address_and_process:
        yield address_and_process


@pytest.fixture(scope="session")
def server(served):
    """Return the address of the dashboard."""
    return served[0]


@pytest.fixture(scope="session")
def chromium():
    if not shutil.which("chromium"):
        pytest.skip("chromium is not installed: make chromium")
    with running.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def windows(chromium, server):
    """Return a maker of browser windows by size and theme; each keeps the files of the server in its cache."""

    @cache
    def window(size: tuple[int, int], dark: bool) -> BrowserContext:
        return chromium.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light", base_url=server
        )

    return window


@pytest.fixture(autouse=True)
def nothing_refused():
    """No page that a test has watched may break its content security policy."""
    yield
    refused = running.REFUSED.copy()
    running.REFUSED.clear()
    assert refused == []


@pytest.fixture
def tab(windows):
    """Return a maker of tabs: (path, size, dark) -> a page that has been drawn."""
    pages = []

    def open_tab(path: str = "/", size: tuple[int, int] = (1440, 900), dark: bool = False) -> Page:
        page = running.watched(windows(size, dark).new_page())
        pages.append(page)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(path)
        running.settle(page)
        return page

    yield open_tab
    for page in pages:
        page.close()


def pytest_collection_modifyitems(items):
    """Tests that look at the same page follow each other; those that walk through it with the keyboard come last."""
    places = [place for place, item in enumerate(items) if "look" in getattr(item, "fixturenames", ())]
    looks = sorted((items[place] for place in places), key=lambda item: (item.callspec.params["look"], "keyboard" in item.nodeid))
    for place, item in zip(places, looks, strict=True):
        items[place] = item


@pytest.fixture(scope="session")
def last_look():
    """The page that is looked at, by its path, size and theme; no other one stays open."""
    kept = {}
    yield kept
    for page in kept.values():
        page.close()


@pytest.fixture
def look(request, windows, last_look):
    """Return the page of a parameter (path, size, dark), drawn once for all tests that change nothing of it."""
    path, size, dark = request.param
    if request.param not in last_look:
        while last_look:
            last_look.popitem()[1].close()
        last_look[request.param] = page = running.watched(windows(size, dark).new_page())
        page.set_default_timeout(PATIENCE_MS)
        page.goto(path)
        running.settle(page)
    return last_look[request.param]
