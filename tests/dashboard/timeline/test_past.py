"""Timeline: what a metrics store has of a group before the lake has it."""

from datetime import timedelta

import pytest
from streamlit.testing.v1 import AppTest

from evenkeel.data.lake.place import place_of
from tests.dashboard.conftest import ENTRY, Page
from tests.generated.scraped import GROUP, scraped
from tests.generated.written_slots import DAY, write_slot
from tests.services.stores import answers_of, serving

LAKE_FROM, SLOTS = 600, 40
"""The lake begins 5 hours after `DAY`, a slot every 30 s."""

END = DAY + timedelta(seconds=30 * (LAKE_FROM + SLOTS))


@pytest.fixture
def tab(tmp_path, ingests_here, monkeypatch):
    lake = place_of(tmp_path / "lake")
    for number in range(LAKE_FROM, LAKE_FROM + SLOTS):
        offsets = [
            {
                "group_id": GROUP,
                "topic": "orders",
                "partition": partition,
                "begin_offset": 0,
                "committed_offset": 10**6 + number,
                "end_offset": 10**6 + number + 7,
                "member_id": "A",
            }
            for partition in range(2)
        ]
        write_slot(lake, number, offsets)
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setattr("evenkeel.data.clock.now", lambda: END)
    return Page(AppTest.from_file(ENTRY, default_timeout=300))


def opened(tab, tmp_path, url: str, **link: str) -> Page:
    (tmp_path / "evenkeel.toml").write_text(
        '[clusters.c]\n"bootstrap.servers" = "127.0.0.1:1"\n'
        f'[clusters.c.history]\nprometheus = "{url}"\n'
    )
    return tab.open("timeline", cluster="c", group=GROUP, **link)


def test_the_past_of_a_store_is_shown_before_the_lake_and_named(tab, tmp_path):
    with serving(answers_of(scraped(END))) as served:
        page = opened(tab, tmp_path, served.url)

    assert not page.app.exception
    assert (
        "from Prometheus (kafka_exporter), scraped every 60 s; "
        "owners not recorded before Tue 10 Nov 05:00 UTC" in page.badges
    )
    assert page.kpis["Lag"] == "14"
    assert '<div title="From the lake."><dt>Lag' in page.html
    texts = [one["text"] for one in page.figure(1)["layout"]["annotations"]]
    assert "owners not recorded before Tue 10 Nov 05:00 UTC" in texts
    assert "no reading" in texts
    assumed = "readings without owners are replayed with the present members"
    assert any(assumed in text.replace("<br>", " ") for text in texts)
    spans = [shades(page.figure(place)) for place in (0, 1)]
    assert [len(some) for some in spans] == [1, 1]


def test_a_range_before_the_lake_is_of_the_store_alone_and_says_nothing_of_members(tab, tmp_path):
    link = {"from": "2026-11-10T04:00Z", "to": "2026-11-10T04:55Z"}
    with serving(answers_of(scraped(END))) as served:
        page = opened(tab, tmp_path, served.url, **link)

    assert not page.app.exception
    assert "scraped every 60 s; owners not recorded]" in page.badges
    assert '<div title="From Prometheus (kafka_exporter), scraped every 60 s."><dt>Lag' in page.html
    kpis = page.kpis
    assert {"Rebalances in range", "Unowned", "Drained at 04:54"}.isdisjoint(kpis)
    events = [one["text"] for one in page.component("lines")["lines"]]
    told = [page.html, *events]
    assert not any(word in text for text in told for word in ("joined", "no owner", "no consumer"))


def shades(figure: dict) -> list[tuple]:
    """Return from when to when a figure is grey."""
    shapes = figure["layout"]["shapes"]
    return [(one["x0"], one["x1"]) for one in shapes if one.get("opacity") == 0.2]


def test_a_store_that_refuses_leaves_the_lake_as_it_is(tab, tmp_path):
    with serving(lambda handler, path, query: handler.send(403, b"")) as served:
        page = opened(tab, tmp_path, served.url)

    assert not page.app.exception
    assert "no past from Prometheus" in page.badges
    assert page.kpis["Lag"] == "14"
    assert len(served.asked) == 1
