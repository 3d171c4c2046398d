"""Every time on a page is in the reader's zone, and the page has the switch to UTC."""

import json

import pytest
import streamlit as st

from tests.dashboard.pages.test_later_reading import add, readings_of
from tests.dashboard.pages.test_since import compared_with_the_only_moment_before, document
from tests.dashboard.pasted import HEADER, PAYMENTS
from tests.generated.small_applications import EXAMPLE_APPLICATION

LATER = PAYMENTS.replace("110 100", "130 120")


@pytest.fixture(autouse=True)
def in_kolkata(monkeypatch, cookies):
    """A browser five and a half hours before UTC."""
    monkeypatch.setattr(type(st.context), "timezone", property(lambda context: "Asia/Kolkata"))


def test_an_earlier_moment_on_moves_is_in_the_readers_zone_and_in_utc_after_the_switch(page):
    page.paste(
        f"{document('2026-11-08T14:02:11Z', a=[0, 1], b=[])}\n"
        f"{document('2026-11-08T15:02:11Z', a=[0], b=[1])}\n"
    )
    compared_with_the_only_moment_before(page)

    assert "2026-11-08 19:32:11 IST" in page.html
    assert "14:02:11" not in page.html
    page.app.button(key="zone").click().run()
    assert "2026-11-08 14:02:11 UTC" in page.html
    assert "19:32:11" not in page.html
    assert page.kpis["Moved"] == "1"
    assert not page.app.exception


def test_the_rounds_of_an_application_are_in_the_readers_zone_which_its_page_names_and_switches(
    page,
):
    page.paste(json.dumps(EXAMPLE_APPLICATION | {"taken_at": "2026-11-08T14:02:11Z"})).open(
        "streams"
    )

    rounds = [card["facts"][0] for card in page.component("cards")["cards"]]
    assert rounds[0] == "19:32"
    assert page.app.button(key="zone").label == "IST"
    page.app.button(key="zone").click().run()
    assert page.component("cards")["cards"][0]["facts"][0] == "14:02"


def test_an_upload_without_a_time_has_the_switch_too(page):
    page.paste(HEADER + PAYMENTS).open("compare")

    assert page.app.button(key="zone").label == "IST"
    assert " IST, time of the upload" in readings_of(page)


def test_times_are_typed_in_the_readers_zone_or_in_the_one_that_they_name(page):
    compared = page.paste(HEADER + PAYMENTS).open("compare")
    assert compared.app.text_input(key="later-time").label == "Time of the later reading, IST"

    add(compared, HEADER + LATER, earlier="2026-11-23 17:30:00", time="2026-11-23T12:01:00Z")

    assert "2 readings in 1 m, 2026-11-23 17:30:00 to 17:31:00 IST" in readings_of(compared)
    batch = compared.address["opened"]
    corrected = compared.app.text_input(key=f"time-{batch}-0")
    assert (corrected.label, corrected.value) == (
        "Reading 1, time from the listing or a person, IST",
        "2026-11-23 17:30:00",
    )
    corrected.set_value("2026-11-23 17:29:00")
    compared.app.button(key="times-correct").click().run()
    assert "2 readings in 2 m, 2026-11-23 17:29:00 to 17:31:00 IST" in readings_of(compared)
