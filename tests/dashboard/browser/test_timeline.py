"""The strip above the Timeline in a browser."""

import re
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.manifest import FOLDER
from evenkeel.data.lake.place import place_of
from tests.dashboard.browser.axe import serious_faults
from tests.dashboard.browser.server import settle, watched
from tests.dashboard.browser.test_look import CUT, OVER_THE_EDGE, PHONE, SMALL, untold_columns
from tests.generated.written_slots import kept_up, members_of, restarting, write_slot


@pytest.fixture
def restarts(folder):
    """Fourteen minutes in which one of three members restarts every 30 s; gone afterwards."""
    lake, cluster = place_of(folder / "lake"), "restarts"
    for number in range(28):
        write_slot(lake, number, *restarting("orders", number), cluster=cluster)
    yield f"opened={instants(lake, cluster).axis.batch[-1]}&group=orders"
    for one in (lake.folder / FOLDER).glob(f"{cluster}-*"):
        one.unlink()


@pytest.fixture
def one_by_one(folder):
    """Two groups, each in readings of its own, as pages read live groups; gone afterwards."""
    lake, cluster, names = place_of(folder / "lake"), "singly", ("orders", "payments")
    for number in range(12):
        write_slot(
            lake,
            number,
            kept_up(names[number % 2], number),
            members_of(names[number % 2]),
            cluster=cluster,
        )
    yield instants(lake, cluster).axis.batch
    for one in (lake.folder / FOLDER).glob(f"{cluster}-*"):
        one.unlink()


def drag(page, begin: float, end: float) -> dict[str, str]:
    """Drag over a part of the strip, in shares of its width; return what the address says when the
    page is drawn.
    """
    before, box = page.url, page.locator(".st-key-range-bar .js-plotly-plot").bounding_box()
    first, last, y = box["x"] + begin * box["width"], box["x"] + end * box["width"], box["y"] + 20
    page.mouse.move(first, y)
    page.mouse.down()
    page.mouse.move((first + last) / 2, y, steps=3)
    page.mouse.move(last, y, steps=3)
    page.mouse.up()
    page.wait_for_function("before => location.href != before", arg=before)
    settle(page)
    return {key: value[0] for key, value in parse_qs(urlsplit(page.url).query).items()}


def test_a_drag_over_the_strip_chooses_a_range_and_another_drag_another_one(tab, collected):
    page = tab(collected)

    once = drag(page, 0.25, 0.75)
    readings = page.locator(".st-key-scope .note").inner_text()
    again = drag(page, 0.1, 0.2)

    assert "2026-11-02T02:45Z" < once["from"] < "2026-11-02T03:15Z"
    assert "2026-11-02T08:45Z" < once["to"] < "2026-11-02T09:15Z"
    assert 350 < int(readings.split()[0]) < 390
    assert again["from"] < "2026-11-02T01:30Z" < again["to"] < "2026-11-02T02:40Z"


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["small", "phone"])
def test_a_narrow_window_leaves_out_nothing_of_the_two_moments_and_what_does_not_fit_scrolls(
    tab, collected, size
):
    page = tab(collected, size)

    expect(page.locator(".two-moments thead th").last).to_have_text("Change")
    assert (
        page.locator(".two-moments :is(th, td)").evaluate_all(
            "cells => cells.filter(cell => !cell.getClientRects().length).length"
        )
        == 0
    )
    assert untold_columns(page) == []
    assert page.evaluate(CUT) == []
    assert page.evaluate(OVER_THE_EDGE) <= 0


def test_the_texts_of_the_strip_stand_upright_apart_and_whole_on_a_phone(tab, collected):
    page = tab(collected, PHONE)

    strip = page.locator(".st-key-range-bar .js-plotly-plot")
    texts = strip.locator(".xtick text")
    edge, boxes = (
        strip.bounding_box(),
        texts.evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())"),
    )

    assert len(boxes) >= 3
    assert (
        texts.evaluate_all(
            "all => all.filter(one => /rotate\\((?!0)/.test(one.getAttribute('transform')))"
        )
        == []
    )
    assert all(before["right"] < after["left"] for before, after in pairwise(boxes))
    assert edge["x"] <= boxes[0]["left"]
    assert boxes[-1]["right"] <= edge["x"] + edge["width"]
    assert max(box["bottom"] for box in boxes) <= edge["y"] + edge["height"]


def test_back_from_the_comparison_of_two_moments_shows_the_range_that_was_open(tab, collected):
    page = tab(collected + "&range=6h")

    page.get_by_role("button", name="Compare these two moments").click()
    page.wait_for_url("**/moves?**since=**")
    settle(page)
    page.go_back()

    page.wait_for_url("**/timeline?**range=6h**")
    settle(page)
    expect(page.get_by_role("heading", name="group-0000")).to_be_visible()
    assert re.fullmatch(
        "36[01] readings", page.locator(".st-key-scope .note").inner_text().split(",")[0]
    )


def test_times_are_the_readers_until_a_switch_to_utc_which_the_browser_remembers(
    chromium, server, collected
):
    window = chromium.new_context(
        base_url=server, viewport={"width": 1440, "height": 900}, timezone_id="Asia/Kolkata"
    )
    page = watched(window.new_page())
    page.goto(collected + "&from=2026-11-02T10:00Z&to=2026-11-02T11:00Z")
    settle(page)

    note, axis, inputs = (
        page.locator(".st-key-scope .note"),
        page.locator(".st-key-timeline .xtick text"),
        page.locator(".st-key-range-ends"),
    )
    local = (
        note.inner_text().split(" · ")[1],
        axis.first.text_content()[:5],
        inputs.locator(".note").last.inner_text(),
    )
    page.locator(".st-key-zone button").first.click()
    page.wait_for_function(
        "() => document.querySelector('.st-key-scope .note').innerText.endsWith('UTC')"
    )
    settle(page)
    later = watched(window.new_page())
    later.goto(page.url)
    settle(later)
    found = later.locator(".st-key-scope .note").inner_text().split(" · ")[1]
    address = page.url
    window.close()

    assert local == ("until Mon 2 Nov 16:29 IST", "15:45", "IST")
    assert found == "until Mon 2 Nov 10:59 UTC"
    assert "from=2026-11-02T10:00Z&to=2026-11-02T11:00Z" in address.replace("%3A", ":")


def test_a_member_that_restarts_every_30_s_is_one_line_at_the_top_and_the_only_one_flagged(
    tab, restarts
):
    page = tab(f"/timeline?{restarts}")

    said = "orders-2 left and came back 27 times in 13 m, every 30 s"
    lines = page.locator("ol.events li")
    expect(lines.first.locator(".head, .text")).to_have_text(
        ["•Unstableorders-2", f"{said}; 27 rebalances meanwhile."]
    )
    expect(lines.filter(has_text=re.compile("Unstable|Joined|Left"))).to_have_count(1)

    expect(lines.first.locator("button.line")).to_have_attribute(
        "title", "Make the reading before “Unstable orders-2” moment A"
    )
    expect(lines.first.locator("button.later")).to_have_attribute(
        "aria-label", re.compile("^Make .* moment B: Unstable orders-2$")
    )


def test_back_comes_to_the_group_before_where_each_group_has_a_reading_of_its_own(tab, one_by_one):
    page = tab(f"/timeline?opened={one_by_one[0]}&group=orders")
    title = page.locator(".scope-title")
    expect(title).to_have_text("orders")
    page.goto(f"/timeline?opened={one_by_one[1]}&group=payments")
    expect(title).to_have_text("payments")
    settle(page)

    page.go_back()

    expect(title).to_have_text("orders")
    settle(page)
    page.go_forward()
    expect(title).to_have_text("payments")


@pytest.mark.parametrize(
    ("size", "dark"), [((1440, 900), False), ((390, 844), True)], ids=["wide-light", "phone-dark"]
)
def test_axe_finds_no_serious_fault(tab, collected, size, dark):
    assert serious_faults(tab(collected, size, dark)) == []
