"""The gain from which on a switch is worth it: the same in every sentence about the group, with its
fraction.
"""

import json
from datetime import timedelta

import pytest

from evenkeel.dashboard.shares import report_files
from evenkeel.dashboard.shares.loading import frozen as sharing
from evenkeel.dashboard.shares.loading.opened import advised_lines, open_share
from evenkeel.dashboard.shares.reports.markdown import markdown
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.shares.store import shares

NOT_WORTH, WORTH = (
    "Both members that read orders are behind",
    "pay-a has 160 k records, 1.5 times the mean",
)


@pytest.fixture
def opened(page):
    """A group in which roundrobin gains 6.25 %, and no assignor of its client more."""
    owned = {"pay-a": [0, 1], "pay-b": [2]}
    group = {
        "format": "evenkeel.group/1",
        "group_id": "payments",
        "type": "classic",
        "assignor": "range",
        "topics": [
            {"name": "orders", "partitions": [{"lag": 100_000}, {"lag": 60_000}, {"lag": 50_000}]}
        ],
        "members": [
            {"member_id": name, "subscribed": ["orders"], "owned": {"orders": some}}
            for name, some in owned.items()
        ],
    }
    return page.paste(json.dumps(group)).address["opened"]


def frozen(upload: str, gain: float, kinds=()) -> str:
    what = sharing.freezable(OpenGroup(batch=upload, group_id="payments"), [], gain)
    said = {"title": "roundrobin?", "note": "", "author": "", "keep": timedelta(days=1)}
    return sharing.freeze(what, redact=kinds, owner=None, forked_from=None, **said).share_id


def configured(tmp_path, monkeypatch, gain: str) -> None:
    (tmp_path / "evenkeel.toml").write_text(f'[advice]\ngain = "{gain}"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))


def said(page) -> str:
    return (
        page.html.split('<p class="verdict advice">')[1]
        .split("</p>")[0]
        .replace("<b>", "")
        .replace('<b class="better">', "")
    )


def test_compare_and_what_if_ask_for_the_gain_of_the_address_and_keep_it_there(page, opened):
    pages = {}
    for name in ("compare", "moves", "whatif"):
        pages[name] = page.anew().open(name, opened=opened, gain="5")

    assert [tab.address["gain"] for tab in pages.values()] == ["5"] * 3
    assert [said(pages[name]).startswith(WORTH) for name in ("compare", "whatif")] == [True, True]
    assert said(page.anew().open("whatif", opened=opened)).startswith(NOT_WORTH)


@pytest.mark.usefixtures("cookies")
@pytest.mark.parametrize("kinds", [(), KINDS], ids=["plain", "redacted"])
def test_a_share_keeps_the_gain_that_was_chosen(page, opened, kinds):
    share_id = frozen(opened, 0.05, kinds)
    text = markdown(report_files.of_share(open_share(share_id, None), 0, "roundrobin").report)

    assert "has 160 k records, 1.5 times the mean of 105 k" in said(
        page.anew().open("shared", share=share_id, part="answers")
    )
    assert "has 160 k records, 1.5 times the mean of 105 k" in text.replace("\\", "")
    assert "a switch is worth it if the gain is at least 5 %" in text.replace("\\", "")
    assert [one["worth_it"] for one in advised_lines(shares().open(share_id))[0]["advice"]] == [
        True
    ]


@pytest.mark.usefixtures("cookies")
def test_a_share_that_keeps_no_gain_asks_for_the_configured_one(
    page, opened, monkeypatch, tmp_path
):
    monkeypatch.setattr(sharing.Freezable, "gain", None)
    share_id = frozen(opened, 0.05)
    configured(tmp_path, monkeypatch, "6.25 %")

    assert said(page.anew().open("shared", share=share_id, part="answers")).startswith(WORTH)


def test_the_report_of_a_view_asks_for_the_gain_that_was_chosen(opened):
    found = [
        sharing.freezable(OpenGroup(batch=opened, group_id="payments"), [], gain)
        for gain in (0.05, 0.125)
    ]

    texts = [
        markdown(report_files.of_view(what, 0, "roundrobin").report).replace("\\", "")
        for what in found
    ]

    assert f"**{WORTH}" in texts[0]
    assert "if the gain is at least 5 %" in texts[0]
    assert f"**{NOT_WORTH}" in texts[1]
    assert "if the gain is at least 12.5 %" in texts[1]


def test_a_gain_keeps_its_fraction(page, opened, monkeypatch, tmp_path):
    # 6.25 % is a gain of 6.2 % and none of 6.3 %.
    for gain, answer in (("6.2", WORTH), ("6.25", WORTH), ("6.3", NOT_WORTH)):
        configured(tmp_path, monkeypatch, f"{gain} %")
        tab = page.anew().open("compare", opened=opened)
        linked = page.anew().open("compare", opened=opened, gain=gain)

        assert said(tab).startswith(answer)
        assert said(linked).startswith(answer)
        assert "gain" not in tab.address
        assert "gain" not in linked.address


@pytest.mark.parametrize("gain", ["0", "0.5", "101", "x", "-5", "1e1"])
def test_an_address_with_a_gain_that_there_is_not_says_what_is_expected(page, opened, gain):
    tab = page.anew().open("whatif", opened=opened, gain=gain)

    assert tab.warnings == [
        f"The URL asks for the gain “{gain}” in percent, expected a number from 1 to 100."
    ]
