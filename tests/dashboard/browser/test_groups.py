"""The list of groups in a browser: rows open with mouse and keyboard, Back and Forward walk through
what was chosen, the age goes on while nothing is read.
"""

import os
import re
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient
from playwright.sync_api import expect

from tests.brokers.commits import commit
from tests.brokers.topics import create_topic
from tests.dashboard.browser.axe import serious_faults
from tests.dashboard.browser.conftest import Tabs, opened
from tests.dashboard.browser.server import dashboard, resize, settle
from tests.dashboard.browser.test_look import CUT, OVER_THE_EDGE, PHONE, SMALL, untold_columns
from tests.waiting import until

_GROUPS = {f"passing-{number:02}": number for number in range(20)}
"""Group ids by their lag; the first is without."""

_LONG = "shops-of-all-countries-in-europe-roundrobin"

SETTLED_MS = 1_500
"""A file of the configuration counts once it has been the same for a second."""


@pytest.fixture(scope="module")
def admin(broker):
    """A client of a broker that has groups, which read the topic passing."""
    admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    create_topic(admin, "passing", 1)
    producer = Producer({"bootstrap.servers": broker.bootstrap()})
    for _ in _GROUPS:
        producer.produce("passing", b"x", partition=0)
    producer.flush()
    for group_id, lag in _GROUPS.items():
        commit(admin, group_id, {("passing", 0): len(_GROUPS) - lag})
    commit(admin, _LONG, {("passing", 0): len(_GROUPS)})
    yield admin
    for done in admin.delete_consumer_groups([*_GROUPS, _LONG]).values():
        # A test has deleted one.
        done.exception()
    for done in admin.delete_topics(["passing"]).values():
        done.result()


@pytest.fixture(scope="module")
def address(admin, broker, tmp_path_factory):
    """A dashboard that knows the broker as `local`; it writes its configuration where a test can
    change it.
    """
    folder = tmp_path_factory.mktemp("groups")
    (folder / "evenkeel.toml").write_text(
        f'[clusters.local]\n"bootstrap.servers" = "{broker.bootstrap()}"\n'
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVENKEEL_CONFIG", str(folder / "evenkeel.toml"))
        with dashboard(folder) as address:
            yield address


@pytest.fixture(scope="module")
def tabs(address, chromium):
    tabs = Tabs(chromium, address)
    yield tabs
    tabs.end()


@pytest.fixture
def page(blank):
    return blank()


@pytest.fixture(scope="module")
def drawn(tabs):
    """The list, drawn once for tests that change no more than the size of its window."""
    page = opened(tabs.blank((1440, 900), False), "/groups?sort=group")
    expect(rows(page).first).to_be_visible()
    return page


@pytest.mark.parametrize("size", [(1440, 900), SMALL, PHONE], ids=["wide", "small", "phone"])
def test_groups_name_the_columns_that_a_narrow_window_hides(drawn, size):
    resize(drawn, *size)

    assert untold_columns(drawn) == []
    assert drawn.evaluate(CUT) == []
    assert drawn.evaluate(OVER_THE_EDGE) <= 0
    assert (drawn.locator(".hidden-columns").inner_text() == "") == (size[0] == 1440)


@pytest.mark.parametrize("width", [1440, 1024, 700, 390])
def test_the_table_fills_its_place_at_every_width_and_nothing_is_cut(drawn, width):
    resize(drawn, width, 900)

    edges = "cells => Math.max(...cells.map(cell => cell.getBoundingClientRect().right))"
    right = drawn.locator("table[aria-label^=Groups]").evaluate(
        "table => table.getBoundingClientRect().right"
    )
    cells = drawn.locator("table[aria-label^=Groups] tbody tr:not(.fold) > *:visible")

    assert right - cells.evaluate_all(edges) < 2
    assert drawn.evaluate(OVER_THE_EDGE) <= 0
    assert (
        cells.evaluate_all(
            "cells => cells.filter(cell => !cell.matches('.most-at, .topics, .host') &&"
            " cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.innerText)"
        )
        == []
    )


def test_axe_finds_no_serious_fault(drawn):
    resize(drawn, 1440, 900)

    assert serious_faults(drawn) == []


def test_a_live_group_has_its_figures_at_the_top_of_compare_and_the_watch_below_them(
    page, admin, broker
):
    group_id = "at-the-top"
    reader = Consumer(
        {
            "bootstrap.servers": broker.bootstrap(),
            "group.id": group_id,
            "auto.offset.reset": "earliest",
        }
    )
    reader.subscribe(["passing"])
    until(lambda: (reader.poll(0.1), reader.assignment())[1], pause=0)
    page.goto(f"/compare?cluster=local&group={group_id}")
    settle(page)
    figures, again = (
        one.bounding_box()["y"]
        for one in (page.locator(".kpis").first, page.get_by_role("button", name="Read again"))
    )
    reader.close()
    admin.delete_consumer_groups([group_id])[group_id].exception()

    assert figures <= 180 < again


def rows(page):
    return page.locator("table[aria-label^=Groups] tbody tr:not(.fold)")


def names(page):
    return rows(page).locator(".group").all_inner_texts()


def listed(page, query):
    """Open the list; other tests of the run have groups of their own on this broker."""
    page.goto(f"/groups?{query}")
    expect(rows(page).first).to_be_visible()
    settle(page)
    return page


@pytest.mark.parametrize("act", ["click", "Enter", " "])
def test_a_row_opens_on_click_enter_and_space(page, act):
    listed(page, "search=passing-1")

    if act == "click":
        rows(page).nth(1).locator("td").last.click()
    else:
        rows(page).first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press(act)

    expect(page).to_have_url(re.compile("/overview"))
    expect(page.get_by_role("heading", name="passing-18", level=1)).to_be_visible()


def test_back_and_forward_walk_through_sort_page_and_search(page):
    def stands(first: str, *words: str):
        expect(rows(page).first).to_contain_text(first)
        for word in words:
            expect(page).to_have_url(re.compile(word))
        settle(page)

    listed(page, "search=passing")
    worst = names(page)
    page.get_by_role("button", name="Next").click()
    stands("passing-08", "page=2")
    page.get_by_role("button", name="Group", exact=True).click()
    stands("passing-00", "sort=group")

    page.go_back()
    stands("passing-08", "page=2")
    page.go_back()
    stands("passing-19")
    page.go_forward()
    stands("passing-08", "page=2")

    assert worst == [f"passing-{number:02}" for number in range(19, 8, -1)]


def test_a_group_that_is_gone_when_it_is_clicked_is_named_and_no_other_one_opens(admin, page):
    listed(page, "search=passing-1&sort=group")
    for done in admin.delete_consumer_groups(["passing-10"]).values():
        done.result()

    rows(page).first.click()

    expect(page.get_by_role("alert")).to_contain_text("passing-10")
    settle(page)
    expect(page).to_have_url(re.compile("/groups"))
    expect(rows(page).filter(has_text="passing-11")).to_be_visible()


def test_a_configuration_that_breaks_and_disappears_while_a_group_is_watched_is_one_sentence(page):
    configuration = Path(os.environ["EVENKEEL_CONFIG"])
    as_it_was = configuration.read_text()
    listed(page, "search=passing-19")
    rows(page).first.click()
    expect(page.get_by_role("heading", name="passing-19", level=1)).to_be_visible()
    settle(page)

    try:
        configuration.write_text("[clusters")
        page.wait_for_timeout(SETTLED_MS)
        page.get_by_role("button", name="Read again").click()
        expect(page.get_by_role("alert")).to_contain_text("not TOML")
        expect(page.get_by_test_id("stException")).to_have_count(0)
        settle(page)
        configuration.unlink()
        # A missing file has no time of its own: it counts from the first look at it.
        page.get_by_role("link", name="Assignors").click()
        settle(page)
        page.wait_for_timeout(SETTLED_MS)
        page.get_by_role("link", name="Readiness").click()
        expect(
            page.get_by_role("alert").filter(has_text="No such file or directory")
        ).to_be_visible()
        expect(page.get_by_test_id("stException")).to_have_count(0)
    finally:
        # The tests after this one read the same file.
        configuration.write_text(as_it_was)
    page.wait_for_timeout(SETTLED_MS)
    page.go_back()
    expect(page.get_by_role("heading", name="passing-19", level=1)).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
