"""Two moments of one group: uploads of this session, times in one upload, batches of the lake."""

import json

import pytest

from evenkeel.dashboard.shell.loading import uploads
from tests.dashboard.pasted import HEADER

EARLIER = HEADER + "pay orders 0 10 110 100 a-1 /h a\npay orders 1 10 40 30 b-1 /h b\n"
LATER = (
    HEADER
    + "pay orders 0 20 125 105 b-1 /h b\npay orders 1 20 50 30 b-1 /h b\npay orders 2 0 5 5 a-1"
    " /h a\n"
)


def document(time, **owned):
    members = [
        {"member_id": member, "subscribed": ["orders"], "owned": {"orders": partitions}}
        for member, partitions in owned.items()
    ]
    return json.dumps(
        {
            "format": "evenkeel.group/1",
            "group_id": "pay",
            "taken_at": time,
            "topics": [{"name": "orders", "partitions": 2}],
            "members": members,
        }
    )


def compared_with_the_only_moment_before(page):
    page.open("moves")
    since = page.app.selectbox(key="since")
    assert len(since.options) == 2
    since.set_value(since.options[1]).run()
    assert not page.app.exception
    return page


@pytest.fixture
def read_twice(page):
    page.paste(EARLIER)
    page.open("start")
    if "forget-import" in [button.key for button in page.app.button]:
        page.app.button(key="forget-import").click().run()
    return page.paste(LATER)


def test_what_was_read_before_in_this_session_is_a_moment_to_compare_with(read_twice):
    compared_with_the_only_moment_before(read_twice)

    assert read_twice.kpis["Moved"] == "1"


def test_the_card_of_an_earlier_moment_has_its_own_lag_beside_that_of_the_open_one(read_twice):
    compared_with_the_only_moment_before(read_twice)
    first, second = read_twice.html.split('<div class="chain">')[1].split('<div class="card ')[1:3]

    # a had orders-0 with 100 and now has another one; b has both others.
    assert "worst 100 then, 105 with the lag of current · 1 / 1 · 0 idle" in first
    assert "worst 135 · 2 / 1 · 0 idle" in second


def test_what_was_read_before_can_be_opened_again(read_twice):
    page = read_twice.open("start")
    page.app.button(key="forget-import").click().run()
    earlier = page.app.selectbox(key="stored-batch").options[1]

    page.app.selectbox(key="stored-batch").set_value(earlier)
    page.app.button(key="open-stored").click().run()

    assert page.groups["pay"]["members"] == "2"
    assert page.groups["pay"]["partitions"] == "2"


def test_times_in_one_upload_are_moments_and_the_page_says_so(page):
    page.paste(
        document("2026-11-20T08:00:00Z", a=[0], b=[1])
        + "\n"
        + document("2026-11-20T09:00:00Z", a=[], b=[0, 1])
        + "\n"
    )

    assert "2 readings, 2026-11-20 09:00:00 UTC" in page.html
    compared_with_the_only_moment_before(page)
    assert page.kpis["Moved"] == "1"
    assert page.address["since"].endswith("@2026-11-20T08:00:00+00:00")


def test_batches_of_the_lake_are_moments_of_each_other(page, ingested):
    ingested(EARLIER)
    ingested(LATER)
    page.open("start")
    page.app.button(key="open-stored").click().run()

    compared_with_the_only_moment_before(page)

    assert page.kpis["Moved"] == "1"


def test_the_choice_says_how_many_older_snapshots_of_the_lake_it_leaves_out(
    page, ingested, monkeypatch
):
    monkeypatch.setattr(uploads, "_MOST_STORED", 2)
    for listing in (EARLIER, LATER, EARLIER.replace("110", "111")):
        ingested(listing)
    page.open("start")
    page.app.button(key="open-stored").click().run()

    compared_with_the_only_moment_before(page)

    assert page.app.selectbox(key="since").help.endswith(
        "Only the lake's last 2 snapshots are checked, not 1 older one."
    )


def test_a_copied_address_compares_with_the_same_moment(read_twice):
    compared_with_the_only_moment_before(read_twice)
    link = read_twice.address

    other = read_twice.anew().open("moves", **link)

    assert other.kpis["Moved"] == "1"
    assert other.warnings == []


def test_unknown_owners_of_an_earlier_moment_do_not_count_as_no_owners(page):
    page.paste(
        "group,topic,partition,committed_offset,end_offset\npay,orders,0,10,110\npay,orders,1,10,40\n"
    )
    page.open("start")
    page.app.button(key="forget-import").click().run()
    page.paste(LATER)

    compared_with_the_only_moment_before(page)

    assert [
        text
        for text in page.warnings
        if "are unknown, so the present owners cannot be compared with them" in text
    ]
    assert "previously unowned" not in page.html
