"""The operator's way through the pages: home, upload, overview, assignors, moves, CSV; the numbers
are read off the page.
"""

import csv
import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import serving
from tests.dashboard.browser.server import settle

LISTING = """
GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID     HOST            CLIENT-ID
payments        orders          0          1000            101000          100000          pay-a-0f3c1e52  /10.4.1.17      pay-a
payments        orders          1          1000            61000           60000           pay-a-0f3c1e52  /10.4.1.17      pay-a
payments        orders          2          1000            51000           50000           pay-b-7ac2d9b1  /10.4.1.18      pay-b
"""  # noqa: E501
MEMBERS = """
GROUP     CONSUMER-ID     HOST        CLIENT-ID  #PARTITIONS
payments  pay-a-0f3c1e52  /10.4.1.17  pay-a      2
payments  pay-b-7ac2d9b1  /10.4.1.18  pay-b      1
payments  pay-c-51f0984c  /10.4.1.19  pay-c      0
"""


def kpis(page):
    return dict(
        zip(
            page.locator(".kpis dt").all_inner_texts(),
            page.locator(".kpis dd b").all_inner_texts(),
            strict=True,
        )
    )


def rows(page):
    cells = page.locator("table[aria-label=Assignors] tbody tr").all()
    return {
        row.locator("b").inner_text(): row.locator("td:not(.bar)").all_inner_texts()
        for row in cells
    }


@pytest.fixture
def ready(tab):
    """Home on a server whose Spark has started."""
    page = tab("/")
    expect(page.get_by_text("recognised by content")).to_be_visible()
    return page


def test_an_upload_becomes_a_comparison_moves_and_a_csv(ready, tmp_path):
    page = ready
    files = [
        {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        for name, text in (("offsets.txt", LISTING), ("members.txt", MEMBERS))
    ]
    page.locator("input[type=file]").set_input_files(files)
    # The names move the button.
    expect(page.get_by_text("members.txt")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Read", exact=True).click()

    expect(page).to_have_url(re.compile("/overview[?]opened=[A-Za-z0-9_-]{22}$"))
    page.get_by_role("link", name="Assignors").click()
    expect(page).to_have_url(re.compile("/compare"))
    page.locator("table[aria-label=Assignors] tbody tr").filter(
        has=page.locator("b:text-is('lag')")
    ).click()
    expect(page.get_by_text("Worst member under lag")).to_be_visible()
    expect(page.get_by_role("heading", name="payments", level=1)).to_be_visible()
    settle(page)
    assert kpis(page) == {
        "Lag": "210\u202fk",
        "Worst member": "160\u202fk",
        "Worst member under lag": "100\u202fk",
        "Members": "3",
        "Partitions": "3",
        "Moved under lag": "2",
    }
    expect(page.locator("tr.best-row")).to_contain_text("proved best")
    table = rows(page)
    assert list(table) == ["current", *serving(None, ASSIGNORS), "best"]
    assert table["current"] == [
        "2 / 0",
        "160\u202fk",
        "–",
        "1",
        "–",
        "–",
        "–",
    ]
    assert table["lag"] == [
        "1 / 1",
        "100\u202fk",
        "−38\u202f%",
        "0",
        "2",
        "110\u202fk",
        "3 / 1",
    ]

    page.get_by_role("link", name="Moves").click()
    expect(page.get_by_text("Moved partitions")).to_be_visible()
    settle(page)
    assert kpis(page)["Moved"] == "2"
    assert kpis(page)["Eager switch"] == "3 paused"

    with page.expect_download() as download:
        page.locator(".st-key-moves-csv button").click()
    download.value.save_as(tmp_path / "moves.csv")
    assert download.value.suggested_filename == "moved-current-to-lag.csv"
    with (tmp_path / "moves.csv").open(newline="") as text:
        moved = list(csv.reader(text))
    assert moved[0] == [
        "topic",
        "partition",
        "from_member",
        "to_member",
        "lag",
        "lag_share_percent",
    ]
    assert moved[1:] == [
        ["orders", "1", "pay-a-0f3c1e52", "pay-b-7ac2d9b1", "60000", "28.5714"],
        ["orders", "2", "pay-b-7ac2d9b1", "pay-c-51f0984c", "50000", "23.8095"],
    ]


def test_an_upload_is_seen_again_by_who_has_its_address_and_by_nobody_else(ready, tab):
    ready.get_by_role("textbox", name="Listing").fill(LISTING)
    ready.get_by_role("button", name="Read", exact=True).click()
    expect(ready.get_by_role("heading", name="payments", level=1)).to_be_visible()
    settle(ready)

    other = tab("/compare")
    ready.reload()

    expect(other.get_by_text("No group is open")).to_be_visible()
    assert other.get_by_text("payments").count() == 0
    expect(ready.get_by_role("heading", name="payments", level=1)).to_be_visible()
    assert "pay" not in ready.url.partition("?")[2]


def test_an_uploaded_file_leaves_the_servers_memory_when_its_page_is_left(ready, server):
    def held():
        return int(
            float(
                re.search(
                    r"^evenkeel_uploaded_bytes (\S+)$",
                    urlopen(f"{server}/metrics").read().decode(),
                    re.MULTILINE,
                )[1]
            )
        )

    before = held()
    ready.locator("input[type=file]").set_input_files(
        [{"name": "offsets.txt", "mimeType": "text/plain", "buffer": LISTING.encode()}]
    )
    expect(ready.get_by_text("offsets.txt")).to_be_visible()
    settle(ready)
    assert held() == before + len(LISTING.encode())
    ready.get_by_role("button", name="Read", exact=True).click()

    expect(ready.get_by_role("heading", name="payments", level=1)).to_be_visible()
    settle(ready)
    ready.get_by_role("link", name="Moves").click()
    expect(ready).to_have_url(re.compile("/moves"))
    settle(ready)
    assert held() == before


def test_a_picture_is_refused_in_one_line(ready):
    ready.locator("input[type=file]").set_input_files(
        [
            {
                "name": "chart.png",
                "mimeType": "image/png",
                "buffer": b"\x89PNG\r\n\x1a\n" + bytes(100),
            }
        ]
    )
    ready.get_by_role("button", name="Read", exact=True).click()

    expect(ready.get_by_role("alert")).to_contain_text("chart.png: a PNG picture")
    assert ready.get_by_text("Traceback").count() == 0


def test_a_file_over_the_limit_is_told_which_command_reads_it(ready, tmp_path):
    with (tmp_path / "large.txt").open("wb") as large:
        large.truncate(201 * 2**20)
    ready.locator("input[type=file]").set_input_files(tmp_path / "large.txt")

    expect(ready.get_by_text(re.compile("must be 200.* or smaller"))).to_be_visible()
    expect(ready.get_by_text("larger files with evenkeel ingest PATH")).to_be_visible()


def test_rejected_lines_stand_below_the_list_with_number_and_reason(ready):
    ready.get_by_role("textbox", name="Listing").fill(
        LISTING + "payments orders seven 0 1 1 pay-b-7ac2d9b1 /10.4.1.18 pay-b\n"
    )
    ready.get_by_role("button", name="Read", exact=True).click()

    expect(ready.get_by_text("Rejected lines")).to_be_visible()
    settle(ready)
    assert kpis(ready)["Rejected"] == "1"
    ready.locator("table[aria-label=Groups] tbody tr, .line").first.click()
    expect(ready.get_by_role("heading", name="payments", level=1)).to_be_visible()
