"""Moves: the difference of two assignments."""

import json

import pytest


def moved_to_range_and_lag(page):
    page.open("moves", sample="lag-aware", candidate="lag")
    page.app.multiselect(key="via").set_value(["roundrobin"]).run()
    return page


def test_the_strip_counts_what_stays_moves_and_pauses(page):
    page.open("moves", sample="lag-aware", candidate="lag")

    assert page.kpis == {
        "Kept": "2",
        "Moved": "1",
        "Members that change": "2",
        "Eager switch": "3 paused",
    }
    assert "with 60.0\u202fk lag" in page.html


@pytest.mark.parametrize(
    ("candidate", "tiles"),
    [
        ("roundrobin", {"Eager switch": "3 paused"}),
        ("cooperative-sticky", {"Cooperative switch": "0 paused"}),
        ("uniform", {"Switch": "0 paused"}),
    ],
)
def test_only_the_switch_that_the_assignor_does_is_shown(page, candidate, tiles):
    page.open("moves", sample="lag-aware", candidate=candidate)

    assert {label: value for label, value in page.kpis.items() if "witch" in label} == tiles


def test_the_table_lists_what_moves_with_its_lag_and_share(page):
    page.open("moves", sample="lag-aware", candidate="lag")

    assert page.app.dataframe[0].value.round(1).values.tolist() == [
        ["t0-1", "C0", "C1", 60000, 28.6]
    ]
    looks = json.loads(page.app.dataframe[0].proto.columns).values()
    assert [
        look["type_config"]["max_value"]
        for look in looks
        if "max_value" in look.get("type_config", {})
    ] == [100]


def test_the_kind_chooses_the_rows(page):
    page.open("moves", sample="lag-aware", candidate="lag")

    page.app.segmented_control(key="rows").set_value("kept").run()

    assert page.app.dataframe[0].value["Partition"].tolist() == ["t0-0", "t0-2"]


def test_tiles_and_matrix_of_a_group_line_up(page):
    page.open("moves", sample="one-hot-partition", candidate="lag")

    tiles, matrix = (page.figure(place)["layout"] for place in (0, 1))
    assert (tiles["height"], tiles["margin"]["t"]) == (matrix["height"], matrix["margin"]["t"])


def test_members_before_and_after_are_the_bars_of_compare(page):
    page.open("moves", sample="one-hot-partition", candidate="lag")
    page.app.segmented_control(key="rows").set_value("by-member").run()
    members = page.app.dataframe[0].value.set_index("Member")

    page.open("compare")

    for column, trace in (("Lag before", 0), ("Lag after", 1)):
        bars = page.figure()["data"][trace]
        drawn = {
            name: 0 if text == "idle, 0" else int(text.replace(",", ""))
            for name, text in zip(bars["hovertext"], bars["text"], strict=True)
        }
        assert members[column].to_dict() == drawn
    assert (
        members["Partitions before"] + members["Partitions added"] - members["Partitions revoked"]
        == members["Partitions after"]
    ).all()


def test_a_chain_shows_the_moves_of_each_step_and_the_total(page):
    moved_to_range_and_lag(page)

    strip = page.html[page.html.index('<div class="chain">') :]
    assert [part.split("</b>")[0] for part in strip.split('<div class="card ')[1:]] == [
        'current"><b>current',
        '"><b>roundrobin',
        'candidate"><b>lag',
    ]
    assert "<b>1 move</b>" in strip
    assert "<b>2 moves</b>" in strip
    assert "3 moves in 2 steps; 1 if switched at once" in strip


def test_a_step_of_the_chain_can_be_looked_at_alone(page):
    moved_to_range_and_lag(page)

    page.app.segmented_control(key="step").set_value("current → roundrobin").run()

    assert page.kpis["Moved"] == "2"
    assert set(page.app.dataframe[0].value["Partition"]) == {"t0-1", "t0-2"}


def test_what_a_first_round_withholds_counts_for_the_member_that_will_get_it(page):
    page.open("moves", sample="third-consumer-joins", candidate="cooperative-sticky")

    withheld = next(text.value for text in page.app.caption if "first round" in text.value)
    assert withheld.startswith(
        r"cooperative\-sticky, first round: 2 withheld, handed out in the next"
    )
    assert page.kpis["Moved"] == "2"
    assert "left unowned" not in page.html
    assert "no owner" not in set(page.app.dataframe[0].value["To"])


def test_an_assignor_that_changes_nothing_is_told_in_words(page):
    page.open("moves", sample="lag-aware", candidate="range")

    assert page.app.info[0].value == "range assigns every partition to the same member as current."


def test_a_large_group_shows_pairs_and_the_first_thousand_rows(page):
    page.open("moves", sample="kafka-9987", candidate="lag")
    page.app.segmented_control(key="rows").set_value("all").run()

    assert len(page.app.dataframe[-1].value) == 1_000
    assert (
        "2,100 of 2,100 partitions, most lag first, the first 1,000; the CSV has all" in page.html
    )


def test_where_nobody_knows_who_owns_what_the_page_says_which_listing_does(page):
    document = {
        "format": "evenkeel.group/1",
        "group_id": "g",
        "topics": [{"name": "t", "partitions": 2}],
        "members": [{"member_id": "a", "subscribed": ["t"]}],
    }
    page.paste(json.dumps(document))

    page.open("moves")

    assert not page.app.exception
    assert "--members --verbose" in page.app.info[0].value


def test_without_a_group_the_page_says_what_it_is_for(page):
    page.open("moves")

    assert page.app.subheader[0].value == "No group is open"


def test_a_release_that_is_not_known_is_said_with_its_reason(page):
    page.open("moves", sample="differing-subscriptions", kafka="3.9.0", candidate="uniform")

    said = (
        "uniform\\: no answer for Kafka 3\\.9\\.0\\: members subscribe to different topics; answers"
        " are known from 4\\.0\\.0 on\\."
    )
    assert [info.value for info in page.app.info] == [said]


@pytest.mark.parametrize(
    ("linked", "said"),
    [
        ({"rows": "some"}, "asks for the rows “some”; available: moved, kept"),
        ({"step": "7", "via": "roundrobin"}, "asks for the step “7”; available: 0, 1, 2"),
    ],
)
def test_what_the_address_asks_for_in_vain_is_said_in_one_line(page, linked, said):
    page.open("moves", sample="lag-aware", candidate="lag", **linked)

    assert [said in warning for warning in page.warnings] == [True]


def test_rounds_are_those_that_the_switch_takes(page):
    members = [
        {"member_id": "A", "subscribed": ["t1"], "owned": {"t0": [0]}, "generation": 1},
        {
            "member_id": "B",
            "subscribed": ["t0"],
            "owned": {"t0": [0, 1, 2, 3, 4, 5]},
            "generation": 2,
        },
        {"member_id": "C", "subscribed": ["t0", "t1"], "owned": {}, "generation": 2},
    ]
    topics = [{"name": "t0", "partitions": 6}, {"name": "t1", "partitions": 2}]
    page.paste(
        json.dumps(
            {
                "format": "evenkeel.group/1",
                "group_id": "g",
                "type": "classic",
                "topics": topics,
                "members": members,
            }
        )
    )

    page.open("moves", candidate="cooperative-sticky")

    assert "3 rounds" in page.html.split("<dt>Cooperative switch")[1].split("</dd>")[0]
    assert "· 3 rounds" in page.html.split('<div class="card candidate">')[1]
    assert "2 rounds" not in page.html


def test_an_assignor_in_use_is_no_switch(page):
    page.open("moves", sample="idle-under-range", candidate="range")

    assert page.kpis["In use"] == "no change"
    assert "Eager switch" not in page.kpis


def test_a_selected_partition_says_why_the_assignor_gives_it_to_its_member(page):
    page.open("moves", sample="lag-aware", candidate="lag", rows="all")
    shown = page.app.dataframe[0].value["Partition"].tolist()

    page.app.session_state["why-all-lag"] = {
        "selection": {"rows": [shown.index("t0-0")], "columns": [], "cells": []}
    }
    page.app.run()

    assert not page.errors
    assert "Why t0-0 goes there" in page.html
    assert "1st by lag of the 3 partitions of t0, 100\u202fk behind" in page.html
