"""The listing of the README with a second reading: Compare, What-if and a share of it."""

from collections.abc import Iterator
from datetime import timedelta
from html import unescape

import pytest

from evenkeel.assignors.diagnosis.finding import GAIN
from evenkeel.dashboard.shares import menu
from evenkeel.dashboard.shares.loading import frozen as sharing
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.shares.store import shares
from tests.dashboard.pasted import HEADER, README, README_LATER

PASTE = f"2026-11-23T12:00:00Z\n{HEADER}{README}2026-11-23T12:00:06Z\n{HEADER}{README_LATER}"


@pytest.fixture
def compared(page):
    return page.paste(PASTE).open("compare")


def against(page, candidate: str, text: str = PASTE):
    """Compare a pasted text with a candidate that the address names."""
    opened = page.paste(text).open("compare").address["opened"]
    return page.anew().open("compare", opened=opened, candidate=candidate)


def frozen(page) -> str:
    what = sharing.freezable(OpenGroup(batch=page.address["opened"], group_id="payments"), [], GAIN)
    said = {"title": "roundrobin?", "note": "", "author": "", "keep": timedelta(days=1)}
    return sharing.freeze(what, redact=(), owner=None, forked_from=None, **said).share_id


@pytest.mark.usefixtures("cookies")
def test_a_frozen_comparison_draws_the_owners_as_listed_beside_the_candidate(compared, page):
    shown = page.anew().open("shared", share=frozen(compared), candidate="roundrobin")

    bars = {
        trace["name"]: trace["text"] for trace in shown.figure()["data"] if trace["type"] == "bar"
    }
    assert bars == {
        "current": ["158,900 records", "22,000 records"],
        "roundrobin": ["122,000 records", "58,900 records"],
    }
    assert [row["name"] for row in shown.rows][0] == "current"
    assert [row["cells"][-1]["text"] for row in shown.rows][:3] == ["≈ 14m 26s", "≈ 14m 26s", "–"]
    assert shown.table["current"][:3] == ["2 / 1", "159\u202fk", "159\u202fk"]


def test_of_an_answer_that_reads_as_much_as_comes_in_the_time_is_unknown(page):
    compared = against(page, "roundrobin")
    cells = {row["name"]: row["cells"][-1] for row in compared.rows}

    # pay-a has orders-0 and orders-2 then: 833.3 records/s come in, and it reads 833.3.
    assert (cells["roundrobin"]["text"], cells["current"]["text"]) == ("–", "≈ 14m 26s")
    assert (
        cells["roundrobin"]["title"]
        == "pay-a reads about as many records as are written: too few readings to tell whether"
        " the lag drains"
    )


def test_an_answer_that_never_drains_is_named_below_the_table(page):
    more = README_LATER.replace("31000 53000 22000", "31000 54000 23000")
    compared = against(page, "roundrobin", PASTE.replace(README_LATER, more))

    # 500 records/s come into both partitions, and pay-a reads 833.3.
    assert (
        "Under roundrobin the group never drains: 166.7 records/s more come in than pay-a can read."
        in compared.html
    )


def test_compare_says_whose_rate_is_assumed(page):
    rows = (
        "billing inv 0 {0} bill-a-0f3c1e52 /10.4.1.17 bill-a\n"
        "billing inv 1 {0} bill-a-0f3c1e52 /10.4.1.17 bill-a\n"
        "billing inv 2 {1} bill-b-7ac2d9b1 /10.4.1.18 bill-b\n"
    )
    first, later = (
        rows.format("0 1000 1000", "500 500 0"),
        rows.format("300 1030 730", "560 660 100"),
    )
    compared = against(
        page,
        "roundrobin",
        f"2026-11-23T12:00:00Z\n{HEADER}{first}2026-11-23T12:00:06Z\n{HEADER}{later}",
    )
    tips = {row["name"]: row["cells"][-1]["title"] for row in compared.rows}

    # bill-b came to the end of its log, so what it can read was not seen; under roundrobin it has
    # inv-1, which is behind.
    assert tips["roundrobin"].endswith(". bill-b's rate is assumed: the group's median")
    assert "assumed" not in tips["current"]
    assert "bill-b's rate is assumed: the group's median." in unescape(compared.html)
    assert "Nothing is assumed" not in " ".join(caption.value for caption in compared.app.caption)


@pytest.mark.usefixtures("cookies")
def test_the_first_click_on_freeze_counts_as_soon_as_a_title_is_typed(compared, monkeypatch):
    # AppTest runs no fragment alone.
    monkeypatch.setattr(menu.st, "rerun", lambda scope="app": None)
    asked_to_freeze(compared)
    # The browser sends the title with the click that leaves its field: the button must be there
    # before.
    assert not compared.app.button(key="share-freeze").disabled
    compared.app.button(key="share-freeze").click()
    asked_to_freeze(compared)
    assert compared.errors == ["A share needs a title. Nothing is stored; your text stays."]

    compared.app.text_input(key="share-title").set_value("roundrobin?")
    compared.app.button(key="share-freeze").click()
    asked_to_freeze(compared)

    assert shares().about(compared.app.session_state["share-made"], None).title == "roundrobin?"


def asked_to_freeze(page) -> None:
    """Draw the page with its dialog."""
    page.app.session_state["share-asked"] = True
    page.app.run()


def test_share_wraps_together_with_the_candidate(compared):
    lines = [[child.type for child in one.children.values()] for one in blocks(compared.app.main)]

    # The label, the choice, and the menu Share.
    assert ["html", "selectbox", "popover"] in lines


def blocks(block) -> Iterator:
    """Yield every block in another one."""
    for child in block.children.values():
        if hasattr(child, "children"):
            yield child
            yield from blocks(child)


@pytest.mark.parametrize(
    ("text", "reason"), [(f"{HEADER}{README}", "One reading: Timeline needs two"), (PASTE, "")]
)
def test_the_tab_timeline_of_one_reading_is_off_and_says_why(page, text, reason):
    links = [link.proto for link in page.paste(text).open("overview").app.get("page_link")]
    timeline = next(link for link in links if link.label == "Timeline")

    assert (timeline.disabled, timeline.help) == (bool(reason), reason)
