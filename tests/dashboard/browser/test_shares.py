"""Shares by hand: frozen from the dialog, opened by others after a restart, with no name that was
hidden; the report without a network.
"""

import json
import re
import sqlite3
from contextlib import closing
from urllib.parse import urlsplit
from urllib.request import urlopen

import pyarrow as pa
import pytest
from playwright.sync_api import Browser, Page, expect

from evenkeel.data.shares.redaction import KINDS
from tests.dashboard.browser import server as running
from tests.dashboard.browser.axe import serious_faults
from tests.dashboard.browser.server import settle

MEMBERS, CLIENTS, HOSTS = (
    ["zebra-7f3c", "yak-51d0", "xerus-2b8e"],
    ["zebra", "yak", "xerus"],
    ["/quagga.example", "/okapi.example", "/numbat.example"],
)
TOPICS, GROUP, RACK = ["ocelot", "margay"], "wombat", "puma"
NAMES = [*MEMBERS, *CLIENTS, *(host[1:] for host in HOSTS), *TOPICS, GROUP, RACK]

A4_WITHOUT_MARGINS = 703
"""Pixels: 186 mm."""

_PARTITION = {"begin_offset": 0, "end_offset": 900, "committed_offset": 400}
SCENARIO = {
    "format": "evenkeel.scenario/1",
    "group": {
        "format": "evenkeel.group/1",
        "group_id": GROUP,
        "type": "classic",
        "assignor": "sticky",
        "topics": [{"name": name, "partitions": [_PARTITION] * 4} for name in TOPICS],
        "members": [
            {
                "member_id": member,
                "client_id": client,
                "host": host,
                "rack": RACK,
                "subscribed": TOPICS,
                "owned": {},
            }
            for member, client, host in zip(MEMBERS, CLIENTS, HOSTS, strict=True)
        ],
    },
    "settings": {},
    "steps": [
        {"name": "one stops", "edits": [{"op": "remove_members", "member_ids": MEMBERS[:1]}]},
        {
            "name": "one comes",
            "edits": [{"op": "add_members", "like": MEMBERS[1], "count": 1, "seed": 7}],
        },
        {
            "name": "growth",
            "edits": [{"op": "set_partition_count", "topic": TOPICS[0], "count": 6}],
        },
    ],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return the folder with lake and log of a server that is started again."""
    return tmp_path_factory.mktemp("shares")


def window(chromium: Browser, address: str, **options) -> Page:
    """Open a tab of a browser that has never been here."""
    page = running.watched(
        chromium.new_context(
            base_url=address, viewport={"width": 1440, "height": 900}, **options
        ).new_page()
    )
    return page


def freeze(page: Page, title: str, kinds: tuple[str, ...]) -> str:
    """Freeze what the page shows; return the link without the server's address."""
    page.get_by_role("button", name="Share").last.click()
    page.get_by_role("button", name="Freeze and share").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Title").fill(title)
    for kind in kinds:
        dialog.get_by_role("button", name=kind, exact=True).click()
        expect(dialog.get_by_role("button", name=kind, exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )
    dialog.get_by_role("button", name="Freeze", exact=True).click()
    link = dialog.locator("code").inner_text()
    # A run that still goes on would open the dialog again.
    settle(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    parts = urlsplit(link)
    return f"{parts.path}?{parts.query}"


def id_in(link: str) -> str:
    return re.search(r"share=([\w-]+)", link)[1]


def numbers(page: Page) -> list[list[str]]:
    """Return what the table says, row by row."""
    rows = page.locator("table tbody tr").filter(has=page.locator("th b"))
    return [
        [re.sub(r"\s+", " ", cell) for cell in row.locator("th, td").all_inner_texts()]
        for row in rows.all()
    ]


@pytest.fixture(scope="module")
def links(chromium, place):
    """Freeze a what-if of three steps twice on a server that then stops; return both links and the
    numbers of its table.
    """
    with running.served(place) as (address, _):
        page = window(chromium, address)
        page.goto("/")
        page.get_by_role("textbox", name="Listing").fill(json.dumps(SCENARIO))
        page.get_by_role("button", name="Read", exact=True).click()
        page.wait_for_url("**/whatif**")
        expect(page.locator(".step-title").first).to_contain_text("3 · growth")
        settle(page)
        shown = numbers(page)
        found = freeze(page, "as it is", ()), freeze(page, "hidden", KINDS)
        page.context.close()
    return *found, shown


@pytest.fixture(scope="module")
def again(place, links):
    """Return the address of a new server on the same lake."""
    with running.served(place) as (address, _):
        yield address


def test_a_share_opens_with_the_same_numbers_in_another_browser_after_a_restart(
    chromium, links, again
):
    plain, _, before = links
    page = window(chromium, again)

    page.goto(plain)
    settle(page)

    expect(page.get_by_role("heading", name="as it is")).to_be_visible()
    expect(page.locator(".share-facts")).to_contain_text("same as when frozen")
    assert len(before) > 3
    assert sorted(numbers(page)) == sorted(before)
    page.context.close()


def test_no_hidden_name_leaves_the_server_or_is_in_its_store_or_log(chromium, links, again, place):
    _, hidden, before = links
    page, frames = window(chromium, again), []
    page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(data))
    )

    page.goto(hidden)
    settle(page)

    assert sorted(row[1:] for row in numbers(page)) == sorted(row[1:] for row in before)
    page.get_by_role("button", name="Report").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML").click()
    share_id = id_in(hidden)
    with closing(sqlite3.connect(place / "lake/shares/shares.sqlite")) as store:
        payload = store.execute(
            "SELECT payload FROM payloads WHERE share_id = ?", [share_id]
        ).fetchone()[0]
        said = repr(store.execute("SELECT * FROM shares WHERE id = ?", [share_id]).fetchall())
    stored = pa.input_stream(pa.py_buffer(payload), compression="zstd").read()
    seen = {
        "page": page.content() + page.locator("body").inner_text(),
        "frames": "\n".join(_text(frame) for frame in frames),
        "api": urlopen(f"{again}/api/shares/{share_id}", timeout=180).read().decode(),
        "payload": stored.decode() + said,
        "report": download.value.path().read_text().partition("<script>")[0]
        + download.value.path().read_text().rpartition("<script>")[2],
        "file name": download.value.suggested_filename,
        "log": (place / "server.log").read_text(),
    }
    page.context.close()

    assert all(seen[where] for where in ("page", "frames", "api", "payload", "report"))
    assert "member-01" in seen["frames"]
    assert {
        (where, name) for where, text in seen.items() for name in NAMES if name in text
    } == set()


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode("utf-8", "replace")


def test_a_share_of_a_fork_says_what_it_was_forked_from(chromium, links, again):
    page = window(chromium, again)
    page.goto(links[0])
    settle(page)

    page.get_by_role("button", name="Fork").click()
    page.wait_for_url("**/whatif**")
    expect(page.locator(".step-title").first).to_contain_text("3 · growth")
    settle(page)
    link = freeze(page, "mine", ())
    page.context.close()

    found = json.loads(urlopen(f"{again}/api/shares/{id_in(link)}", timeout=180).read())
    assert (found["title"], found["forked_from"]) == ("mine", id_in(links[0]))
    assert [step["name"] for step in found["scenario"]["steps"]] == [
        "one stops",
        "one comes",
        "growth",
    ]
    assert found["result"][0]["source"] == "an uploaded listing"


def test_in_the_dark_theme_the_frozen_bar_stays_dialogs_are_dark_and_axe_has_no_serious_fault(
    chromium, links, again
):
    page = window(chromium, again, color_scheme="dark")
    page.set_viewport_size({"width": 1024, "height": 500})
    page.goto(links[0])
    settle(page)

    page.get_by_role("button", name="Your shares").scroll_into_view_if_needed()

    expect(page.get_by_role("heading", name="as it is")).not_to_be_in_viewport()
    expect(page.locator(".frozen-bar")).to_be_in_viewport(ratio=1)
    # Dialogs and menus lie outside the part of the page that has the theme.
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
    assert serious_faults(page) == []
    page.context.close()


def test_copy_link_copies_the_address_of_the_view(chromium, links, again):
    page = window(chromium, again, permissions=["clipboard-read", "clipboard-write"])
    page.goto(links[0])
    settle(page)

    page.get_by_role("button", name="Copy link").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.context.close()


def test_a_report_opens_without_a_network_and_draws_its_figures(chromium, links, again, tmp_path):
    page = window(chromium, again)
    page.goto(links[0])
    settle(page)
    page.get_by_role("button", name="Report").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML").click()
    download.value.save_as(file := tmp_path / "report.html")
    page.context.close()
    alone = window(chromium, again, offline=True)
    asked, errors = [], []
    alone.on("request", lambda request: asked.append(request.url))
    alone.on("console", lambda message: errors.append(message.text))
    alone.on("pageerror", lambda error: errors.append(str(error)))

    alone.goto(file.as_uri())

    expect(alone.locator("figure svg").first).to_be_visible()
    expect(alone.locator("figure:has(svg)")).to_have_count(2)
    assert alone.locator("figure svg rect").count() > 3
    assert file.stat().st_size < 300_000
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert errors == []
    for media, width in (("screen", 900), ("print", A4_WITHOUT_MARGINS)):
        alone.emulate_media(media=media)
        alone.set_viewport_size({"width": width, "height": 1000})
        # Every column of each table is seen without scrolling.
        assert alone.locator(".wide").evaluate_all(
            "tables => tables.every(one => one.scrollWidth <= one.clientWidth)"
        )
    alone.context.close()
