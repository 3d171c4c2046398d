"""The listing of the README with a second reading: Compare, What-if and a share of it."""

from datetime import timedelta

import pytest

from dashboard.loading.sharing import freezable as sharing
from dashboard.view import Opened
from tests.dashboard.pasted import HEADER, README, README_LATER

PASTE = f"2026-11-23T12:00:00Z\n{HEADER}{README}2026-11-23T12:00:06Z\n{HEADER}{README_LATER}"


@pytest.fixture
def compared(page):
    return page.paste(PASTE).open("compare")


def frozen(page) -> str:
    what = sharing.freezable(Opened(batch=page.address["opened"], group_id="payments"), [])
    said = {"title": "roundrobin?", "note": "", "author": "", "keep": timedelta(days=1)}
    return sharing.freeze(what, redact=(), owner=None, forked_from=None, **said).share_id


@pytest.mark.usefixtures("cookies")
def test_a_frozen_comparison_draws_the_owners_as_listed_beside_the_candidate(compared, page):
    shown = page.anew().open("shared", share=frozen(compared), candidate="roundrobin")

    bars = {trace["name"]: trace["text"] for trace in shown.figure()["data"] if trace["type"] == "bar"}
    assert bars == {"current": ["158,900 records", "22,000 records"], "roundrobin": ["122,000 records", "58,900 records"]}
    assert [row["name"] for row in shown.rows][0] == "current"
    assert shown.table["current"][:3] == ["2 / 1", "159\u202fk", "159\u202fk"]
