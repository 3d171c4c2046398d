"""Timeline: groups of a collected lake."""

from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from evenkeel.data.lake.place import place_of
from tests.dashboard.conftest import ENTRY, Page
from tests.dashboard.pages.test_hostile_addresses import NASTY
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import plan_with_trouble


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """A tenth of a day of three groups: one with a stalled member, one with a hot partition, one
    that flaps.
    """
    folder = tmp_path_factory.mktemp("timeline")
    write_lake(place_of(folder), plan_with_trouble(groups=3, partitions=8, members=4, days=0.1))
    return folder


@pytest.fixture
def tab(collected, ingests_here, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(collected))
    return Page(AppTest.from_file(ENTRY, default_timeout=300))


def opened(tab, group: str, **link) -> Page:
    return tab.open("timeline", cluster="simulated", group=group, **link)


def events(tab) -> list[dict]:
    return tab.component("lines")["lines"]


def test_without_a_group_the_page_says_what_it_reads_and_how_to_collect(page):
    page.open("timeline")

    assert page.app.subheader[0].value == "No group with a history is open"
    assert page.app.code[0].value.startswith("evenkeel collect ")


def test_the_moment_of_an_address_is_the_end_of_the_range_and_moment_b(
    tab,
):
    tab.open("timeline", cluster="simulated", group="group-0001", at="2026-11-02T01:00Z")
    assert "until Mon 2 Nov 00:59 UTC" in tab.html
    assert "<b>B</b> 00:59" in tab.html
    assert (tab.address["from"], tab.address["to"]) == (
        "2026-11-02T00:00Z",
        "2026-11-02T01:00Z",
    )
    assert "b" not in tab.address


def test_the_moment_of_an_address_is_b_to_the_second(tab):
    tab.open("timeline", cluster="simulated", group="group-0001", at="2026-11-02T01:00:15Z")

    # Readings are half a minute apart: 01:00:00 is the last one before.
    assert (tab.address["to"], tab.address["b"]) == (
        "2026-11-02T01:01Z",
        str(int(datetime(2026, 11, 2, 1, 0, 15, tzinfo=UTC).timestamp())),
    )


def test_a_range_in_the_address_stays_beside_its_moment(tab):
    tab.open(
        "timeline", cluster="simulated", group="group-0001", at="2026-11-02T01:00Z", range="7d"
    )

    assert "<b>B</b> 00:59" in tab.html
    assert tab.address["range"] == "7d"
    assert tab.address["b"] == str(int(datetime(2026, 11, 2, 1, tzinfo=UTC).timestamp()))


def test_a_worked_example_has_no_history(page):
    page.open("timeline", sample="one-hot-partition")

    assert page.app.subheader[0].value == "No group with a history is open"


def test_a_stalled_member_is_named_with_its_lag_over_time(tab):
    opened(tab, "group-0000")

    assert (tab.scope, tab.kpis["Rebalances in range"]) == ("group-0000", "0")
    assert '<p class="verdict advice"><b>member-3-4b1e ' in tab.html
    assert tab.figure(1)["data"][0]["name"] == "member-3-4b1e"
    assert [(one["title"], one["tone"]) for one in events(tab) if one["word"] == "STALL"] == [
        ("topic-0000-6 and 1 more", "bad")
    ]
    # The sentence above says who: no event says it again.
    assert not any(one["title"] == "member-3-4b1e" for one in events(tab))


def test_the_line_above_has_state_assignor_and_readings_and_no_second_verdict(tab):
    opened(tab, "group-0000", range="6h")
    badges = [one.value for one in tab.app.markdown]

    assert [
        text for text in ("STALL", "Stable", "range") if any(text in badge for badge in badges)
    ] == ["Stable", "range"]
    assert "288 readings, one every 30 s · last Mon 2 Nov 02:23 UTC" in tab.html


def test_the_notes_say_how_lag_changes_and_when_time_lag_was_highest(tab):
    opened(tab, "group-0000")

    assert "▲ +" in tab.html.split("Lag</dt>")[1].split("</dd>")[0]
    assert ", peak 20m " in tab.html.split("Behind</dt>")[1].split("</dd>")[0]


def test_a_range_in_the_past_says_when_its_numbers_were_so(tab):
    opened(tab, "group-0000", **{"from": "2026-11-02T00:30Z", "to": "2026-11-02T01:00Z"})

    assert list(tab.kpis)[:3] == [
        "Lag at 00:59",
        "Behind at 00:59",
        "Drained at 00:59",
    ]
    assert "until Mon 2 Nov 00:59 UTC" in tab.html
    assert [
        one["text"] for one in tab.figure(1)["layout"]["annotations"] if "lag at" in one["text"]
    ] == ["lag at 00:59, √"]


def test_a_group_that_flaps_has_its_rebalances_in_bursts(tab):
    opened(tab, "group-0002")

    assert tab.kpis["Rebalances in range"] == "10"
    assert [one["title"] for one in events(tab) if one["word"] == "Rebalance"][
        0
    ] == "2 rebalances in 10 m"


def test_the_range_stands_in_the_address(tab):
    opened(tab, "group-0000")

    tab.app.segmented_control(key="range").set_value("7d").run()

    assert tab.address["range"] == "7d"
    assert list(tab.app.exception) == []
    assert tab.errors == []


def test_a_range_that_is_none_is_refused_by_name(tab):
    opened(tab, "group-0000", range="2w")

    assert tab.warnings == ["The URL asks for the range “2w”; available: 6h, 24h, 7d, custom."]
    assert tab.app.segmented_control(key="range").value == "24h"


def test_an_upload_without_times_has_no_history(page):
    page.paste(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\ng t 0"
        " 1 2 1 a /1 a\n"
    )
    page.open("timeline")

    assert page.app.info[0].value.startswith("A history needs more than one reading.")


def test_two_moments_have_their_figures_and_open_moves(tab):
    opened(tab, "group-0002")
    before = int(events(tab)[-1]["seconds"])

    tab.app.button(key="compare-moments").click().run()

    assert list(tab.app.exception) == []
    assert tab.errors == []
    assert tab.address["since"].startswith("simulated-")
    assert before > 0
    assert tab.kpis["Moved"].split()[0].isdecimal()


def test_a_moment_of_the_address_is_a(tab):
    opened(tab, "group-0002", a="1793579401")
    tables = [one for one in tab.html.split("<table") if "two-moments" in one]

    assert "<b>A</b> 00:30" in tables[0]
    assert "<b>B</b> 02:23" in tables[0]
    assert tab.address["a"] == "1793579401"


def test_both_moments_have_flags_in_the_figure(tab):
    opened(tab, "group-0002", a="1793579401", b="1793583001")
    flags = {
        one["text"]: one["x"]
        for one in tab.figure(1)["layout"]["annotations"]
        if one["text"] in ("<b>A</b>", "<b>B</b>")
    }

    assert flags == {"<b>A</b>": 1793579400700, "<b>B</b>": 1793583000700}
    assert tab.component("lines")["b"] == 1793583001


def test_b_comes_after_a(tab):
    opened(tab, "group-0002", a="1793583001", b="1793579401")

    assert tab.address["a"] == "1793583001"
    assert "b" not in tab.address
    assert "<b>A</b> 01:30" in tab.html
    assert "<b>B</b> 02:23" in tab.html


def test_a_moment_that_is_no_time_is_refused(tab):
    opened(tab, "group-0002", a="noon")

    assert tab.warnings == ["The URL asks for the moment “noon”, expected seconds since 1970."]


def test_a_range_from_one_time_to_another_stands_in_the_address(tab):
    opened(tab, "group-0000", **{"from": "2026-11-02T00:30Z", "to": "2026-11-02T03:00:00+02:00"})

    assert (tab.address["from"], tab.address["to"]) == ("2026-11-02T00:30Z", "2026-11-02T01:00Z")
    assert "range" not in tab.address
    assert tab.app.segmented_control(key="range").value == "custom"
    assert "60 readings, one every 30 s" in tab.html


def test_custom_begins_with_what_was_shown(tab):
    opened(tab, "group-0000", range="24h")

    tab.app.segmented_control(key="range").set_value("custom").run()

    assert (tab.address["from"], tab.address["to"]) == ("2026-11-02T00:00Z", "2026-11-02T02:24Z")
    assert tab.errors == []


def test_a_range_that_ends_before_it_begins_is_refused(tab):
    opened(tab, "group-0000", **{"from": "2026-11-02T01:00Z", "to": "2026-11-02T00:30Z"})

    assert tab.errors == [
        "The range from Mon 2 Nov 01:00 to Mon 2 Nov 00:30 ends before it begins."
    ]
    assert tab.kpis == {}
    assert len(tab.app.get("plotly_chart")) == 1


def test_a_range_without_a_reading_is_refused_with_what_the_lake_has(tab):
    opened(tab, "group-0000", **{"from": "2026-10-01T00:00Z", "to": "2026-10-02T00:00Z"})

    assert tab.errors[0].startswith("No reading from Thu 1 Oct 00:00 to Fri 2 Oct 00:00.")
    assert tab.errors[0].endswith(
        "The lake has readings from Mon 2 Nov 00:00 to Mon 2 Nov 02:23 UTC."
    )


def test_an_address_whose_range_is_no_pair_of_times_is_refused_by_name(tab):
    opened(tab, "group-0000", **{"from": "noon", "to": "2026-11-02T00:30Z"})

    assert tab.warnings[0].startswith(
        "The URL asks for the range “noon” to “2026-11-02T00:30Z”, expected two times such as "
    )
    assert tab.app.segmented_control(key="range").value == "24h"
    assert "from" not in tab.address


def test_the_worst_member_is_shown_under_every_assignor_of_the_groups_type(tab):
    opened(tab, "group-0002")
    lines = [
        one["name"]
        for one in tab.figure(1)["data"]
        if one.get("yaxis") == "y3" and one["type"] == "scatter"
    ]

    assert sorted(lines) == [
        "cooperative-sticky",
        "current",
        "lag",
        "range",
        "roundrobin",
        "sticky",
    ]


def test_while_assignors_are_asked_the_rest_is_drawn(tab, monkeypatch):
    monkeypatch.setattr("evenkeel.dashboard.timeline.picture.regret_of", lambda group, shown: None)
    opened(tab, "group-0000")

    assert tab.figure(1)["data"][0]["name"] == "member-3-4b1e"
    assert "other assignors are replayed …" in [
        one["text"] for one in tab.figure(1)["layout"]["annotations"]
    ]


def test_a_range_partly_outside_of_the_readings_says_what_is_shown(tab):
    opened(tab, "group-0000", **{"from": "2026-11-01T00:00Z", "to": "2026-11-02T01:00Z"})

    assert "Shown from Mon 2 Nov 00:00 UTC: there are no earlier readings." in [
        one.value for one in tab.app.caption
    ]
    assert tab.address["from"] == "2026-11-01T00:00Z"
    assert tab.errors == []


def test_a_range_of_which_all_is_there_says_nothing(tab):
    opened(tab, "group-0000", **{"from": "2026-11-02T00:30Z", "to": "2026-11-02T01:00Z"})

    assert [one.value for one in tab.app.caption if "Shown" in one.value] == []


def test_a_link_to_the_timeline_can_be_copied(tab):
    opened(tab, "group-0000", range="6h")
    button = next(one.proto.body for one in tab.app.get("html") if "<button" in one.proto.body)

    assert "Opens the last 6 h up to the newest reading" in button


def test_a_narrowed_range_has_no_event_that_began_before_it(tab):
    opened(tab, "group-0000", **{"from": "2026-11-02T02:07Z", "to": "2026-11-02T02:11Z"})

    assert "8 readings" in tab.html
    assert "Lag at 02:10" in tab.kpis
    assert tab.component("lines") is None

    tab.app.segmented_control(key="range").set_value("24h").run()

    assert [one["at"] for one in events(tab) if one["word"] == "STALL"] == ["02:05"]


@pytest.mark.parametrize("link", [{}, {"at": "2026-11-02T02:00Z"}])
def test_an_address_that_a_person_writes_opens_a_group_of_a_cluster_now_or_at_a_moment(tab, link):
    tab.open("compare", cluster="simulated", group="group-0001", **link)

    assert not tab.app.exception
    assert not tab.warnings
    assert tab.scope == "group-0001"
    assert tab.address["opened"] == (
        "simulated-20261102T020000Z" if link else "simulated-20261102T022330Z"
    )


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (
            {"group": "no-such"},
            "No snapshot is stored of the group “no-such” of the cluster “simulated”",
        ),
        (
            {"group": "group-0001", "at": "2020-01-01T00:00Z"},
            "of the cluster “simulated” up to 2020-01-01T00:00Z",
        ),
        (
            {"group": "group-0001", "at": "soon"},
            "The URL asks for the moment “soon”, expected a moment such as 2026-11-23T14:40Z.",
        ),
    ],
)
def test_what_an_address_asks_for_in_vain_is_said(tab, link, said):
    tab.open("compare", cluster="simulated", **link)

    assert said in tab.warnings[0]
    assert tab.app.subheader[0].value == "No group is open"


def test_any_text_in_the_address_of_an_open_history_is_refused_or_left_out(tab):
    link, keys = (
        opened(tab, "group-0001").address,
        ("a", "b", "from", "to", "owners", "at", "since"),
    )

    for turn in range(0, len(NASTY), 2):
        tab.anew().open(
            "timeline",
            **link | {key: NASTY[(turn + place) % len(NASTY)] for place, key in enumerate(keys)},
        )
