"""Renew the pictures of the README: `python -m tests.dashboard.browser.screenshots`, a minute.

`python -m tests.dashboard.browser.screenshots FOLDER` takes every page into a folder, to be looked
at: wide, small and on a phone, in light, in dark, and in dark after the theme was switched while
the page was open.

The picture of a real group that becomes lag-aware: `lag_aware_group`.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from evenkeel.data.lake.place import place_of
from tests.dashboard.browser.server import ROOT, chromium, dashboard, named, settle
from tests.dashboard.browser.test_login import ACCOUNTS, closed, log_in
from tests.dashboard.browser.test_whatif import LINK as WHAT_IF
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import Plan
from tests.services.oidc_provider import certified
from tests.services.ports import free_port

SIZE = {"width": 1440, "height": 900}
FOLDER = ROOT / "docs/screenshots"
TROUBLE = Plan(
    groups=1,
    partitions=24,
    members=12,
    days=1,
    stalled={0: (3, 2700, 2879)},
    rebalances={0: (2350, 2400, 2404, 2408, 2412, 2600)},
    missed=((2480, 2500),),
)
_HOME = "/?example=cluster"
_TIMELINE = "/timeline?opened=simulated-20261102T235930Z&place=1&range=6h"

PICTURES = {
    "home-light": (_HOME, False),
    "overview-light": ("/overview?sample=idle-under-range", False),
    "compare-light": ("/compare?sample=one-hot-partition", False),
    "compare-dark": ("/compare?sample=one-hot-partition", True),
    "moves-light": ("/moves?sample=one-hot-partition", False),
    "streams-light": ("/streams?sample=orders-enrich&round=3", False),
    "streams-dark": ("/streams?sample=orders-enrich&round=3", True),
}


SURVEY = {
    "home": _HOME,
    "open": "/open",
    "overview": "/overview?sample=idle-under-range",
    "compare": "/compare?sample=one-hot-partition",
    "best": "/best?sample=one-hot-partition",
    "moves": "/moves?sample=one-hot-partition",
    "whatif": WHAT_IF,
    "streams": "/streams?sample=orders-enrich&round=3",
    "timeline": _TIMELINE,
}
SIZES = {"wide": (1440, 900), "small": (800, 1000), "phone": (390, 844)}


def survey(into: Path) -> None:
    """Take every page at every size; the name of a picture says which."""
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        write_lake(place_of(f"{folder}/lake"), TROUBLE)
        with dashboard(Path(folder)) as address, chromium() as browser:
            for page_name, path in SURVEY.items():
                for size_name, (width, height) in SIZES.items():
                    _look(
                        browser,
                        address + path,
                        into / f"{page_name}-{size_name}",
                        {"width": width, "height": height},
                    )


def _look(browser: Browser, url: str, name: Path, size: dict[str, int]) -> None:
    context = browser.new_context(viewport=size, color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(url)
    settle(page)
    named(page)
    page.screenshot(path=f"{name}-light.png", full_page=True)
    page.emulate_media(color_scheme="dark")
    settle(page)
    page.wait_for_timeout(1_500)
    page.screenshot(path=f"{name}-switched.png")
    page.reload()
    settle(page)
    named(page)
    page.screenshot(path=f"{name}-dark.png")
    context.close()


def main() -> None:
    """Take every picture, or those to be looked at."""
    if sys.argv[1:]:
        survey(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        take(Path(folder), PICTURES)
        write_lake(place_of(f"{folder}/lake"), TROUBLE)
        take(
            Path(folder), {"timeline-light": (_TIMELINE, False), "timeline-dark": (_TIMELINE, True)}
        )
        take_header(Path(folder))


def take_header(folder: Path) -> None:
    """Take the header of a page as a person sees it who has logged in."""
    port = free_port()
    with (
        certified(f"http://127.0.0.1:{port}", ACCOUNTS) as (provider, _),
        closed(folder, port, honest=provider) as server,
        chromium() as browser,
        browser.new_context(viewport=SIZE, base_url=server.address) as context,
    ):
        page = context.new_page()
        page.set_default_timeout(120_000)
        log_in(page, "ada")
        page.get_by_role("button", name="Ada Lovelace").wait_for()
        page.goto("/compare?sample=one-hot-partition")
        settle(page)
        page.get_by_role("button", name="Ada Lovelace").click()
        page.get_by_role("button", name="Log out").wait_for()
        page.wait_for_timeout(3_000)
        page.screenshot(
            path=str(FOLDER / "header-light.png"),
            clip={"x": 0, "y": 0, "width": 1440, "height": 220},
        )


def take(folder: Path, pictures: dict[str, tuple[str, bool]]) -> None:
    """Take pictures of pages: of each its name, its address, and whether it is dark. `folder` has
    the lake.
    """
    with dashboard(folder) as address, chromium() as browser:
        for name, (path, dark) in pictures.items():
            _save(_picture(browser, address + path, dark), name)


def _save(taken: bytes, name: str) -> None:
    # Two bits less for each colour: nobody sees it, and every file stays under 200 kB.
    Image.open(io.BytesIO(taken)).convert("RGB").point(
        lambda value: value & 0xFC | value >> 6
    ).save(FOLDER / f"{name}.png", optimize=True)


def _picture(browser: Browser, url: str, dark: bool) -> bytes:
    context = browser.new_context(viewport=SIZE, color_scheme="dark" if dark else "light")
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(url)
    settle(page)
    # Fonts and the tables on canvas are drawn after the last element is there.
    page.wait_for_timeout(3_000)
    picture = page.screenshot()
    context.close()
    return picture


if __name__ == "__main__":
    main()
