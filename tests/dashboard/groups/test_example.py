"""The example cluster: one press in Open, or its address, and every page of it without a broker."""

import pytest

from evenkeel.dashboard.groups.words import JUDGING
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.shell.loading.example import is_example
from evenkeel.data.episodes.recent_slots import recent_slots
from evenkeel.data.live import for_pages
from tests.waiting import until


@pytest.fixture(autouse=True)
def without_brokers(monkeypatch):
    """No broker may be asked, and the server has no other cluster."""

    def asked(*arguments):
        raise AssertionError("a broker was asked")

    monkeypatch.setattr(for_pages, "_with_connection", asked)
    ALL.clear()
    yield
    ALL.clear()


@pytest.fixture
def example(page):
    """Its home."""
    return page.open(example="cluster")


def test_its_address_shows_home_with_what_is_wrong_first_and_nothing_is_old(example):
    assert not example.errors
    assert not example.warnings
    assert "need you" in example.counts
    assert len(example.findings) == 8
    assert len(example.groups) == 11
    assert "example, Fri 14:02" in example.html
    assert example.address["cluster"] == "example"


def test_home_says_that_the_history_is_being_judged_until_its_sentences_are_there(page):
    # Rows in memory would be judged before the page is drawn.
    recent_slots.cache_clear()

    page.open(example="cluster")

    assert JUDGING in page.html
    until(lambda: JUDGING not in page.anew().open(example="cluster").html)


def test_open_alerts_shorten_the_list_and_explain_groups_without_an_alert(page):
    page.open(example="cluster", more="need")

    page.app.button(key="alerts").click().run()
    page.until(lambda: "alerts-table" in page.html)

    assert len(page.findings) == 3
    captions = " ".join(each.value for each in page.app.caption)
    # Three of the nineteen that need the reader have findings of the last two readings alone.
    without = "reconciliation, fraud\\-scorer, kyc"
    assert f"Open for 16 of the 19 groups that need you; not for {without}" in captions
    assert "Also open for geo\\-index" in captions


def test_a_group_that_catches_up_recovers_on_home_and_overview(page):
    page.open(example="cluster")
    until(lambda: JUDGING not in page.anew().open(example="cluster").html)

    assert "1</b> will recover by itself" in page.html
    seen = page.anew().open("overview", cluster="example", group="catalog-sync").component("what")
    assert seen["what"]["advice"].startswith("It catches up by itself")
    assert [row["name"] for row in seen["helps"]["rows"] if row["isAdvised"]] == ["Do nothing"]


def test_a_group_is_found_with_what_is_wrong(page):
    page.open(example="cluster", search="invoice-writer")

    assert list(page.findings) == ["invoice-writer"]
    assert (
        "invoice-writer-3 (10.20.5.12) has read nothing in 300 s" in page.findings["invoice-writer"]
    )


def test_open_offers_it_before_the_single_groups(page):
    page.open().app.button(key="try-example").click().run()

    offered = [button.label for button in page.app.button if button.key.startswith("open-")]
    assert offered[0] == "A cluster, generated"


def test_it_is_closed_as_an_upload_is(example):
    example.app.button(key="close-example").click().run()

    assert "What is wrong in your consumer groups?" in example.html
    assert "cluster" not in example.address


def test_another_example_in_the_address_is_refused(page):
    page.open(example="flock")

    assert page.warnings == ["The URL asks for the example “flock”, expected cluster."]


def test_a_configured_cluster_of_its_name_is_not_replaced(lake, monkeypatch):
    assert is_example("example")

    (lake / "evenkeel.toml").write_text('[clusters.example]\n"bootstrap.servers" = "127.0.0.1:1"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))

    assert not is_example("example")


@pytest.mark.parametrize("name", ["overview", "timeline", "rebalances", "compare"])
def test_a_group_of_it_draws_every_page_at_its_last_slot(page, name):
    page.open(name, cluster="example", group="payments")

    assert not page.errors
    assert not page.warnings
    assert page.scope == "payments"


def test_a_group_is_as_far_behind_on_home_as_on_overview_and_both_mark_what_is_guessed(page):
    page.open(example="cluster")
    until(lambda: JUDGING not in page.anew().open(example="cluster").html)
    home = page.anew().open(example="cluster")
    lines = {line.get("name"): line for line in home.component("lines")["lines"]}

    for name, note in (
        ("returns-archiver", "worst partition"),
        ("email-sender", "worst partition"),
        ("catalog-sync", "worst partition"),
        ("old-reports", "extrapolated"),
    ):
        strip = (
            page.anew().open("overview", cluster="example", group=name).component("what")["strip"]
        )
        (cell,) = [each for each in strip if each["label"] == "Behind"]
        assert (cell["value"], cell["note"]) == (lines[name]["behind"], note)
        assert lines[name]["isGuessed"] == (note == "extrapolated")


def test_overview_has_six_hours_of_lag(page):
    page.open("overview", cluster="example", group="invoice-writer")

    assert "example, Fri 14:02" in page.html
    what = page.component("what")
    assert what["what"]["sentence"].startswith(
        "invoice-writer-3 (10.20.5.12) has read nothing in 300 s"
    )
    hours = [tick["text"] for tick in what["who"]["hours"]["xs"]]
    assert hours == ["09:00", "10:00", "11:00", "12:00", "13:00", "14:00"]


def test_a_restart_of_all_members_is_a_line_of_overview_and_timeline(page):
    page.open("overview", cluster="example", group="payments")
    (mark,) = page.component("what")["who"]["hours"]["marks"]
    assert mark["text"] == "all 4 members restarted at 13:29"
    # 33 of 360 minutes before the end.
    assert mark["at"] == pytest.approx(327 / 360)

    again = page.anew().open("timeline", cluster="example", group="payments")
    titles = [line["title"] for line in again.component("lines")["lines"]]
    assert "all 4 members restarted at 13:29" in titles
    assert "⚑ all 4 members restarted at 13:29" in str(again.figure(1))


def test_groups_leads_from_a_reopened_group_to_the_home_of_its_cluster(page):
    shown = page.open("overview", cluster="example", group="payments").address
    again = page.anew().open("overview", **shown)

    again.open("start")

    assert "email-sender" in again.findings
    assert "example, Fri 14:02" in again.html


def test_readiness_judges_its_groups(page):
    page.open("readiness", cluster="example")

    assert not page.errors
    assert "32 opened groups" in page.badges
