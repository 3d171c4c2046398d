"""Compare: how a group is opened on it, by a link, an upload or not at all."""

import pytest


def test_what_is_assumed_does_not_depend_on_how_a_group_was_opened(page):
    page.open("compare", sample="two-consumers", candidate="range")
    said = page.remarks

    assert any("depends on lag, which is unknown (topic1" in line for line in said["lag"])
    assert page.anew().open("compare", sample="two-consumers", candidate="lag").remarks == said


def test_without_a_group_the_page_says_what_it_is_for_and_opens_an_example(page):
    page.open("compare")

    assert page.app.subheader[0].value == "No group is open"
    page.app.button(key="empty-lag-aware").click().run()
    assert page.kpis["Lag"] == "210\u202fk"


def test_an_unknown_example_in_the_link_is_said_and_no_group_is_open(page):
    page.open("compare", sample="no-such-example")

    assert (
        "No worked example is called “no-such-example”; available: one-hot-partition,"
        " idle-under-range" in page.warnings[0]
    )
    assert page.app.subheader[0].value == "No group is open"
    assert not page.app.exception


def test_an_upload_stands_in_the_address_by_its_id_and_is_opened_again_from_it(page):
    listing = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    page.paste(f"{listing}pay orders 0 0 5 5 a-1 /h a\nship orders 0 0 70 70 b-1 /h b\n").open(
        "compare"
    )
    address = page.address

    first = page.anew().open("compare", **address)
    second = page.anew().open("moves", **address | {"place": "2"})
    named = page.anew().open("whatif", opened=address["opened"], group="pay")
    once = page.anew().open("whatif", opened=address["opened"], group="2")

    assert address == {"opened": address["opened"], "place": "1"}
    assert (first.scope, second.scope, named.scope, once.scope) == ("ship", "pay", "pay", "pay")


def test_a_group_named_like_the_place_of_another_opens_again_from_the_address_of_its_page(
    page,
):
    listing = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    page.paste(f"{listing}1 orders 0 0 5 5 a-1 /h a\n2 orders 0 0 70 70 b-1 /h b\n").open("compare")
    upload = page.address["opened"]

    assert (page.scope, page.address) == ("2", {"opened": upload, "place": "1"})
    assert page.anew().open("compare", **page.address).scope == "2"
    assert [
        page.anew().open("compare", opened=upload, group=name).scope for name in ("1", "2")
    ] == ["1", "2"]


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (
            {"opened": "no-such-upload"},
            "deleted after 24 h. Paste or upload it again.",
        ),
        (
            {"opened": "../imports"},
            "deleted after 24 h. Paste or upload it again.",
        ),
    ],
)
def test_an_upload_that_is_gone_is_said_with_what_to_do(page, link, said):
    page.open("compare", **link)

    assert said in page.warnings[0]
    assert page.app.subheader[0].value == "No group is open"


def test_a_group_that_an_upload_does_not_have_is_said(page):
    page.paste(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\npay"
        " orders 0 0 5 5 a-1 /h a\n"
    )
    address = page.address

    assert (
        "asks for the group “7” of this upload, expected its name, or a place from 1 to 1"
        in page.anew().open("compare", **address | {"place": "7"}).warnings[0]
    )


def test_a_worked_example_has_no_age_and_no_colour_of_a_warning(page):
    page.open("compare", sample="one-hot-partition")

    badges = " ".join(badge.value for badge in page.app.markdown if "-badge[" in badge.value)
    assert "a worked example" in page.html
    assert "PreparingRebalance" in badges
    assert not any(f":{color}-badge" in badges for color in ("yellow", "orange", "red"))


@pytest.mark.parametrize("title", ["compare", "moves", "whatif"])
def test_a_browser_that_draws_a_choice_anew_draws_the_one_that_was_made(page, title):
    page.open(title, sample="one-hot-partition", candidate="sticky", kafka="3.9.0")

    drawn = {
        box.key: box.options[box.proto.default]
        for box in page.app.selectbox
        if box.key in ("candidate", "kafka")
    }
    assert drawn == {"candidate": "sticky", "kafka": "Java 3.9.0"}
