"""One server and one browser for all tests; a tab for each."""

import shutil

import pytest
from playwright.sync_api import Browser, Page
from playwright.sync_api import Error as PlaywrightError

from evenkeel.data.lake.manifest import FOLDER
from evenkeel.data.lake.place import place_of
from tests.dashboard.browser import server as running
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, Plan


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Return the folder with lake and log of the dashboard."""
    return tmp_path_factory.mktemp("dashboard")


@pytest.fixture
def collected(folder):
    """Half a day of a group; gone afterwards, so that other tests of this server do not see its
    cluster.
    """
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


@pytest.fixture(autouse=True)
def nothing_refused():
    """No page that a test has watched may break its content security policy."""
    yield
    refused = running.REFUSED.copy()
    running.REFUSED.clear()
    assert refused == []


def opened(page: Page, path: str) -> Page:
    """Go to a path of the tab's server; return the tab once its page is drawn."""
    page.goto(path)
    running.settle(page)
    return page


class Tabs:
    """Tabs of one server in one window.

    One that is closed is kept empty for the next test: the page's scripts are compiled in it, half
    of what a page takes.
    """

    _MOST_STEPS = 40
    """Chromium keeps 50 steps of a tab's history."""

    def __init__(self, chromium: Browser, server: str):
        self._window = chromium.new_context(base_url=server)
        self._kept: list[Page] = []

    def blank(self, size: tuple[int, int], dark: bool) -> Page:
        """Return an empty tab."""
        page = self._kept.pop() if self._kept else running.watched(self._window.new_page())
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.emulate_media(color_scheme="dark" if dark else "light")
        return page

    def close(self, page: Page) -> None:
        """Leave a tab as a new one is, or close it."""
        if page.is_closed():
            return
        try:
            page.evaluate("sessionStorage.clear()")
            page.goto("about:blank")
            is_kept = page.evaluate("history.length") < self._MOST_STEPS
        except PlaywrightError:
            is_kept = False
        if is_kept:
            self._kept.append(page)
        else:
            page.close()

    def end(self) -> None:
        """Close the window."""
        self._window.close()


@pytest.fixture(scope="session")
def tabs(chromium, server):
    """The tabs of all tests that look at the one server."""
    return Tabs(chromium, server)


@pytest.fixture
def blank(tabs):
    """Return a maker of empty tabs: (size, dark) -> a page."""
    lent = []

    def blank_tab(size: tuple[int, int] = (1440, 900), dark: bool = False) -> Page:
        lent.append(tabs.blank(size, dark))
        return lent[-1]

    yield blank_tab
    for one in lent:
        tabs.close(one)


@pytest.fixture
def tab(blank):
    """Return a maker of tabs: (path, size, dark) -> a page that has been drawn."""

    def open_tab(path: str = "/", size: tuple[int, int] = (1440, 900), dark: bool = False) -> Page:
        return opened(blank(size, dark), path)

    return open_tab


def pytest_collection_modifyitems(items):
    """Tests that look at the same page follow each other; those that walk through it with the
    keyboard come last.
    """
    places = [
        place for place, item in enumerate(items) if "look" in getattr(item, "fixturenames", ())
    ]
    looks = sorted(
        (items[place] for place in places),
        key=lambda item: (item.callspec.params["look"], "keyboard" in item.nodeid),
    )
    for place, item in zip(places, looks, strict=True):
        items[place] = item


@pytest.fixture(scope="session")
def last_look():
    """The page that is looked at, by its path, size and theme; no other one stays open."""
    return {}


@pytest.fixture
def look(request, tabs, last_look):
    """Return the page of a parameter (path, size, dark), drawn once for all tests that change
    nothing of it.
    """
    if request.param not in last_look:
        for page in last_look.values():
            tabs.close(page)
        last_look.clear()
        path, *window = request.param
        last_look[request.param] = opened(tabs.blank(*window), path)
    return last_look[request.param]
