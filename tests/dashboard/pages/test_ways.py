"""Compare and Moves: the way to an answer: rounds that never end, claims that are stale, partitions
that are refused.
"""

import html
import json
import re

import pytest

NOBODY_SUBSCRIBES = [
    {"member_id": "a", "subscribed": []},
    {"member_id": "b", "subscribed": ["orders"], "owned": {"orders": [0, 1, 2]}, "generation": 5},
    {"member_id": "c", "subscribed": ["orders"], "owned": {"orders": [3, 4, 5]}, "generation": 5},
]
OLDER_CLAIM = [
    {
        "member_id": "a",
        "subscribed": ["refunds", "orders"],
        "owned": {"refunds": [0, 1]},
        "generation": 7,
    },
    {"member_id": "b", "subscribed": ["orders"], "owned": {"refunds": [0, 1]}, "generation": 6},
]
BEYOND = [
    {"member_id": "a", "subscribed": ["orders"], "owned": {"orders": [0, 1, 7]}, "generation": 5},
    {"member_id": "b", "subscribed": ["orders"], "owned": {"orders": [2, 3]}, "generation": 5},
]


def pasted(page, members, candidate="cooperative-sticky", **topics):
    """Open Compare on a group whose partitions have these lags."""
    described = [
        {"name": name, "partitions": [{"lag": lag} for lag in lags]}
        for name, lags in topics.items()
    ]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": described, "members": members}
        )
    )
    page.open("compare")
    page.app.selectbox(key="candidate").set_value(candidate).run()
    assert not page.app.exception
    return page


def rounds(page):
    table = re.search('<table class="rounds">(.*?)</table>', page.html)[1]
    return [re.findall(r">([^<>]+)</t[hd]>", row) for row in table.split("</tr>")[:-1]]


def tiles(page):
    """Note and tone of the tiles that have some, by label."""
    cells = [
        re.fullmatch(
            r'(.*)</dt><dd><b>.*</b><span class="(.*?)">(.*?)</span></dd>.*', cell, re.DOTALL
        )
        for cell in page.html.split("<dt>")[1:]
    ]
    return {_plain(cell[1]): (_plain(cell[3]), cell[2]) for cell in cells if cell}


def _plain(text):
    return html.unescape(re.sub("<.*?>", "", text))


@pytest.fixture
def endless(page):
    return pasted(page, NOBODY_SUBSCRIBES, orders=[100, 200, 300, 400, 500, 600])


def test_a_switch_that_never_ends_is_said_in_the_tiles_and_in_the_row(endless):
    assert tiles(endless)["Worst member under cooperative-sticky"] == (
        "never ends · −40\u202f% · a",
        "worse",
    )
    assert tiles(endless)["Moved under cooperative-sticky"] == (
        "never ends · 33\u202f% · 900 lag",
        "worse",
    )
    assert [row["name"] for row in endless.rows if row["warning"]] == [
        "sticky",
        "cooperative-sticky",
    ]


def test_the_rounds_count_what_is_refused(endless):
    assert rounds(endless) == [
        ["Rebalance", "revoked", "handed out", "refused", "still waiting"],
        ["1", "2", "0", "0", "2"],
        ["2", "0", "0", "2", "0"],
    ]


def test_moves_says_what_never_ends(endless):
    endless.open("moves")

    assert endless.kpis["Cooperative switch"] == "2 paused"
    assert tiles(endless)["Cooperative switch"] == ("never ends", "worse")
    assert " · never ends</span>" in endless.html[endless.html.index('<div class="chain">') :]
    said = re.search('<p class="switch">(.*?)</p>', endless.html)[1]
    assert said.startswith(
        '<b class="worse">The switch to cooperative-sticky never ends.</b> 2 partitions pause for 2'
        " rounds; all others keep running. The switch never ends: a member refuses its assignment"
        " in every round and rejoins."
    )
    assert "Q-5" in said


def test_moves_says_nothing_of_a_switch_that_ends(endless):
    endless.app.selectbox(key="candidate").set_value("range").run()
    endless.open("moves")

    assert "never ends" not in endless.html


def test_a_stale_claim_that_is_given_up_stops_nothing(page):
    pasted(page, OLDER_CLAIM, orders=[100, 200], refunds=[100, 200])

    stale = (
        "2 stale claims are given up. The claimed partition belongs to another member or does not"
        " exist, so nothing pauses. A member that gives up a claim rejoins."
    )
    assert f"No partition pauses. {stale} Done after 2 rounds." in page.html
    assert rounds(page) == [
        ["Rebalance", "revoked", "stale claims", "handed out", "still waiting"],
        ["1", "2", "2", "2", "0"],
        ["2", "0", "0", "0", "0"],
    ]


def test_a_second_round_without_a_pause_has_its_reason_in_the_sentence_and_over_the_cell(page):
    pasted(page, BEYOND, orders=[100, 200, 300, 400])

    said = (
        "No partition pauses. 1 stale claim is given up. The claimed partition belongs to"
        " another member or does not exist, so nothing pauses. A member that gives up a claim"
        " rejoins."
        " Done after 2 rounds. Each round is a rebalance."
    )
    cells = next(row for row in page.rows if row["name"] == "cooperative-sticky")["cells"]
    cell = next(cell for cell in cells if "title" in cell)
    assert said in page.html
    assert (cell["text"], said in cell["title"]) == ("0 / 2", True)


def test_a_worst_member_without_earlier_lag_has_a_plain_sentence_above_unread_lag(
    page,
):
    owned = [
        {"member_id": "a", "subscribed": ["orders"], "owned": {"orders": [1]}},
        {"member_id": "b", "subscribed": ["orders"]},
    ]
    pasted(page, owned, "range", orders=[70, 0])

    assert tiles(page)["Worst member under range"] == ("▲ from 0 · a", "worse")
    assert page.table["current"][2] == page.table["range"][2] == "70"
    assert page.table["range"][3] == "="
