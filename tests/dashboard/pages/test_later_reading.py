"""A later reading of an upload: the group has rates then, and says of when its readings are."""

import re

import pytest

from tests.dashboard.conftest import unescaped
from tests.dashboard.pasted import HEADER, PAYMENTS, REFUNDS

LATER = (
    "payments orders 0 70 130 60 pay-a-0f3c /10.4.1.17 pay-a\npayments orders 1 40 40 0 pay-b-7ac2"
    " /10.4.1.18 pay-b\n"
)
FIRST, SECOND = "2026-11-23T12:00:00Z\n", "Mon Nov 23 12:01:00 UTC 2026\n"


def add(page, text: str, **times: str):
    """Fill the form of the line and press its button."""
    page.app.text_area(key="later-paste").set_value(text)
    for key, time in times.items():
        page.app.text_input(key=f"later-{key}").set_value(time)
    page.app.button(key="later-add").click().run()
    return page


def readings_of(page) -> str:
    """The line of the readings, its blanks plain."""
    return re.sub(
        r"\s",
        " ",
        next(line for line in page.html.splitlines() if " reading" in line and "note" in line),
    )


@pytest.fixture
def compared(page):
    return page.paste(HEADER + PAYMENTS).open("compare")


def test_an_upload_without_times_says_that_its_time_is_that_of_the_upload(compared):
    assert re.search(r"1 reading, [0-9: -]+ UTC, time of the upload", compared.html)


def test_a_later_reading_gives_rates_and_its_address_opens_the_same(compared, page):
    before = dict(compared.address)

    add(compared, HEADER + LATER, earlier="2026-11-23 12:00:00", time="2026-11-23 12:01:00")

    assert "2 readings in 1 m, 2026-11-23 12:00:00 to 12:01:00 UTC" in readings_of(compared)
    assert compared.address["opened"] != before["opened"]
    again = page.anew().open("timeline", opened=compared.address["opened"])
    assert again.kpis["Lag"] == "60"
    # 70 of orders-0 was its end 120 s before the first reading, at 20 records a minute; 60 behind,
    # 40 fewer each minute.
    assert [re.sub(r"\s", " ", again.kpis[key]) for key in ("Behind", "Drained")] == [
        "3 m",
        "in ≈ 1m 30s",
    ]


def test_two_listings_with_times_in_one_paste_are_two_readings(page):
    page.paste(FIRST + HEADER + PAYMENTS + SECOND + HEADER + LATER)

    assert "2 readings, 2026-11-23 12:01:00 UTC" in page.html
    page.open("compare")
    assert "2 readings in 1 m, 2026-11-23 12:00:00 to 12:01:00 UTC" in readings_of(page)


def test_another_group_is_refused_in_one_sentence(compared):
    add(compared, HEADER + REFUNDS)

    assert compared.errors[0] == "The later listing shows refunds, expected payments"


def test_an_earlier_reading_is_refused_with_both_times(compared):
    add(compared, HEADER + LATER, earlier="2026-11-23 12:00:00", time="2026-11-23 11:59:00")

    assert (
        "is of 2026-11-23 11:59:00 UTC, expected a time after 2026-11-23 12:00:00 UTC"
        in compared.errors[0]
    )


def test_a_time_that_is_none_is_refused(compared):
    add(compared, HEADER + LATER, time="noon")

    assert compared.errors[0].startswith('The time is "noon", expected a time such as 2')


def test_a_wrong_time_is_corrected(compared):
    add(compared, HEADER + LATER, earlier="2026-11-23 12:00:00", time="2026-11-23 12:01:00")

    batch = compared.address["opened"]
    compared.app.text_input(key=f"time-{batch}-0").set_value("2026-11-23 11:59:00")
    compared.app.button(key="times-correct").click().run()

    assert "2 readings in 2 m, 2026-11-23 11:59:00 to 12:01:00 UTC" in readings_of(compared)


def test_of_listings_without_a_time_between_the_last_counts_and_overview_says_how_the_lag_grew(
    page,
):
    page.paste(HEADER + PAYMENTS + HEADER + LATER).open("overview")

    (text,) = page.component("what")["what"]["input"]
    assert text == (
        "2 readings, the latest is used: the lag fell by 70 records: 20 came in, 90 were read."
    )


def test_home_says_that_the_last_of_several_readings_of_several_groups_counts(page):
    page.paste(HEADER + PAYMENTS + REFUNDS + HEADER + LATER + REFUNDS).open()

    assert "read" in page.address
    assert "Several readings of the same partitions: only the latest is used." in [
        unescaped(caption.value) for caption in page.app.caption
    ]
    assert page.groups["payments"]["lag"] == "60"


def test_files_of_two_moments_without_a_time_are_told_apart_in_words(page):
    page.upload(
        ("first.txt", (HEADER + PAYMENTS).encode()), ("later.txt", (HEADER + LATER).encode())
    ).open()

    assert page.warnings[0].startswith("Some lines repeat a partition with other offsets")


def test_a_group_without_a_name_has_that_of_its_text(page):
    header = HEADER.removeprefix("GROUP ")
    first, later = (text.replace("payments ", "") for text in (PAYMENTS, LATER))

    page.paste(FIRST + header + first + SECOND + header + later).open("compare")

    assert page.scope == "pasted text"


def test_a_listing_above_the_first_time_is_an_earlier_reading_without_a_time(page):
    page.paste(HEADER + PAYMENTS + FIRST + HEADER + LATER).open("compare")

    assert page.warnings == []
    assert readings_of(page).startswith('<span class="note">1 reading, 2026-11-23 12:00:00 UTC.')


def test_offsets_that_fell_are_said_on_every_page(compared):
    add(
        compared,
        HEADER + LATER.replace("130 60", "20 -50"),
        earlier="2026-11-23 12:00:00",
        time="2026-11-23 12:01:00",
    )

    assert compared.warnings[0].startswith(
        "End offsets fell: the topic was created again, or records were lost."
    )


def test_a_zone_that_is_taken_as_utc_is_said_beside_the_times(page):
    page.paste(
        FIRST.replace("Z", "") + HEADER + PAYMENTS + SECOND.replace("UTC", "CET") + HEADER + LATER
    ).open("compare")

    assert "12:00:00 to 12:01:00 UTC (no zone is taken as UTC)" in readings_of(page)


def test_the_timeline_of_a_listing_without_a_name_takes_a_later_one(page):
    header = HEADER.removeprefix("GROUP ")
    page.paste(header + PAYMENTS.replace("payments ", "")).open("timeline")
    assert page.app.info[0].value.startswith("A history needs more than one reading.")

    add(
        page,
        header + LATER.replace("payments ", ""),
        earlier="2026-11-23 12:00:00",
        time="2026-11-23 12:01:00",
    )

    assert (page.scope, page.kpis["Lag"]) == ("pasted text", "60")
