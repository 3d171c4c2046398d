"""Timeline of odd groups: each says what is so."""

import pytest
from streamlit.testing.v1 import AppTest

from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.lake.history.instants import instants
from evenkeel.data.lake.place import place_of
from tests.dashboard.conftest import ENTRY, Page
from tests.generated.written_slots import DAY, kept_up, members_of, restarting, write_slot

SLOTS, LAST_OF_GONE = 24, 11
FIRST_OF_LATE, OTHER_OWNERS = 4, 14


def rows(group: str, number: int, **columns) -> list[dict]:
    return [row | columns for row in kept_up(group, number)]


def wide(number: int) -> list[dict]:
    return [
        row | {"partition": tp, "member_id": "AB"[tp % 2]}
        for row in kept_up("wide", number)[:1]
        for tp in range(1000)
    ]


def late(number: int) -> list[dict]:
    return kept_up("late", number, ("A", "B", "C", "C") if number < OTHER_OWNERS else ("A", "B"))


def slot(number: int) -> tuple[list[dict], list[dict]]:
    """Return rows of OFFSETS and MEMBERS."""
    offsets = {
        "empty": rows("empty", number, member_id=None),
        "uncommitted": rows("uncommitted", number, committed_offset=None),
        "one": kept_up("one", number, "A")[:1],
        "wide": wide(number),
        "gone": kept_up("gone", number) if number <= LAST_OF_GONE else [],
        "away": kept_up("away", number) if not 6 <= number < 18 else [],
        "late": late(number) if number >= FIRST_OF_LATE else [],
        "endless": rows("endless", number, end_offset=None),
        "no-partitions": [],
    }
    members = [
        row
        for group, found in offsets.items()
        if found and group not in ("empty", "late")
        for row in members_of(group)
    ]
    # A live classic group whose members told no generation has 0.
    members += [
        row | {"generation": 0}
        for row in members_of("late", sorted({row["member_id"] for row in offsets["late"]}))
    ]
    again = restarting("restarting", number)
    offsets["restarting"], members = again[0], [*members, *again[1]]
    return [row for found in offsets.values() for row in found], [
        *members,
        *members_of("no-partitions"),
    ]


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    for number in range(SLOTS):
        write_slot(place_of(folder), number, *slot(number))
    return folder


@pytest.fixture
def opened(collected, ingests_here, monkeypatch):
    """Return a function that opens a group on the Timeline, as a reading has it."""
    monkeypatch.setenv("EVENKEEL_LAKE", str(collected))

    def tab(group: str, slot: int = -1, **link: str) -> Page:
        app = AppTest.from_file(ENTRY, default_timeout=300)
        batch = instants(place_of(collected), "c").axis.batch[slot]
        app.session_state["opened"] = OpenGroup(batch=batch, group_id=group)
        page = Page(app).open("timeline", **link)
        assert list(app.exception) == []
        assert page.errors == []
        return page

    return tab


def legend(page: Page) -> list[str]:
    return [
        note["text"]
        for note in page.figure(1)["layout"]["annotations"]
        if "■" in note["text"] and note.get("yref") == "paper"
    ]


def test_a_group_without_members_has_no_others_and_is_never_drained(opened):
    page = opened("empty")

    assert page.kpis["Drained"] == "never"
    assert "no consumer reads orders-0, orders-1, orders-2 and 1 more" in page.html
    assert [text.split("</span> ")[1] for text in legend(page)] == ["unowned"]


def test_a_group_whose_lags_are_unknown_has_no_figure_of_them_and_says_that_none_is_known(opened):
    for group in ("uncommitted", "endless"):
        page = opened(group)

        assert {"Lag", "Behind", "Drained"}.isdisjoint(page.kpis)
        assert (
            page.app.info[0].value
            == "The lag of every partition is unknown in this range, so nothing is drawn."
        )


def test_one_partition_has_one_row(opened):
    page = opened("one")

    assert page.figure(1)["layout"]["yaxis2"]["ticktext"] == ["orders-0"]
    assert "owners-button" not in [button.key for button in page.app.button]


def test_of_a_thousand_partitions_few_have_rows_and_the_others_one_a_topic(opened):
    page = opened("wide")
    few = page.figure(1)["layout"]["yaxis2"]["ticktext"]
    page.app.button(key="owners-button").click().run()
    many = page.figure(1)["layout"]["yaxis2"]["ticktext"]

    assert (len(few), few[-1], len(many), many[-1]) == (17, "orders +984", 41, "orders +960")


def test_a_group_that_is_gone_is_told_as_it_was_last(opened):
    page = opened("gone", slot=3)

    assert list(page.kpis)[:3] == [f"{name} at 00:05" for name in ("Lag", "Behind", "Drained")]
    assert any("not in the last 12 readings" in badge.value for badge in page.app.markdown)
    assert [line["word"] for line in page.component("lines")["lines"]] == ["Gone"]
    assert "no forecast:<br>the last reading does<br>not have the group" in [
        note["text"] for note in page.figure(1)["layout"]["annotations"]
    ]


def test_two_moments_of_a_group_that_is_gone_cannot_be_compared(opened):
    page = opened("gone", slot=3)
    table = next(one for one in page.html.split("<table") if "two-moments" in one)

    page.app.button(key="compare-moments").click().run()

    assert page.warnings == ["The group is not listed at B, so there is nothing to compare."]
    assert "<td>2, 0</td><td>–</td>" in table
    assert "0 of " not in table
    assert table.count("<td>–</td>") == 4


def test_a_group_that_was_away_begins_anew(opened):
    page = opened("away")
    texts = [note["text"] for note in page.figure(1)["layout"]["annotations"]]

    assert [line["word"] for line in page.component("lines")["lines"]] == ["Back", "Gone"]
    assert texts.count("no reading") == 2


def test_a_group_whose_members_tell_no_generation_has_rebalances_that_are_seen_as_a_lower_bound(
    opened,
):
    page = opened("late")
    lines = [
        (line["at"], line["word"], line["title"], line["text"])
        for line in page.component("lines")["lines"]
    ]

    assert page.kpis["Rebalances in range"] == "≥ 1"
    assert lines == [
        ("00:07", "Left", "C", "The group then has 2 members."),
        (
            "00:07",
            "Rebalance",
            "1 rebalance",
            "2 partitions changed owner. Seen by its owners: the generation is unknown.",
        ),
        (
            "00:02",
            "First",
            "late",
            "Earlier snapshots do not have the group; here it has 3 members: A, B and C.",
        ),
    ]


def test_where_no_rebalance_is_seen_and_one_may_have_been_their_number_is_unknown(opened):
    page = opened("late", **{"from": f"{DAY:%Y-%m-%dT00:02Z}", "to": f"{DAY:%Y-%m-%dT00:05Z}"})

    assert "Rebalances in range" not in page.kpis


def test_a_is_the_first_reading_that_lists_the_group(opened):
    page = opened("late")
    table = next(one for one in page.html.split("<table") if "two-moments" in one)

    assert "<b>A</b> 00:02" in table
    assert "a" not in page.address
    assert "<td>3, 0</td><td>2, 0</td>" in table
    assert "2 of 4" in table


def test_before_the_group_was_there_every_figure_is_unknown(opened):
    page = opened("late", a=str(int(DAY.timestamp()) + 31))
    table = next(one for one in page.html.split("<table") if "two-moments" in one)

    assert "<b>A</b> 00:00" in table
    assert table.count("<td>–</td>") == 4
    assert "0 of " not in table


def test_an_event_is_between_the_reading_before_it_and_the_one_that_shows_it(opened):
    page = opened("late")
    rebalance = page.component("lines")["lines"][1]
    page = opened("late", a=str(int(rebalance["before"]) + 1), b=str(int(rebalance["seconds"]) + 1))

    assert (rebalance["word"], rebalance["seconds"] - rebalance["before"]) == ("Rebalance", 30)
    assert "2 of 4" in page.html
    assert page.component("lines")["a"] == int(rebalance["before"]) + 1


def test_a_group_without_partitions_says_so(opened):
    page = opened("no-partitions")

    assert (
        page.app.info[0].value
        == "No reading from Tue 10 Nov 00:00 to Tue 10 Nov 00:11 UTC has a partition of this group."
    )


def test_a_consumer_that_restarts_all_the_time_is_one_line_and_no_other_member_is_blamed(
    opened,
):
    page = opened("restarting")

    said = "left and came back 23 times in 11 m, every 30 s"
    lines = page.component("lines")["lines"]
    assert [
        (one["word"], one["text"]) for one in lines if one["word"] in ("Joined", "Left", "Unstable")
    ] == [("Unstable", f"orders-2 {said}; 23 rebalances meanwhile.")]
    assert not any(
        "orders-0" in one["title"] or "orders-1" in one["title"]
        for one in lines
        if one["word"] == "Unstable"
    )
    # Owners by consumer: nobody's partitions changed hands.
    assert {one["title"] for one in lines if one["word"] == "Rebalance"} == {
        "23 rebalances in 11 m"
    }
    assert any(
        "Owners changed 0 times" in one["text"] for one in lines if one["word"] == "Rebalance"
    )


def test_the_timeline_begins_with_the_diagnosis(opened):
    page = opened("one")

    assert '<p class="verdict advice"><b>one is fine' in page.html
