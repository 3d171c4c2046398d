"""Compare: every assignor on the same group."""

import json
import re

import pytest

from evenkeel.data.sources.examples.worked_examples import WORKED_EXAMPLES


def test_a_link_opens_a_worked_example_with_its_candidate(page):
    page.open("compare", sample="lag-aware", candidate="lag")

    assert not page.errors
    assert [page.table[name][2] for name in ("current", "range", "roundrobin", "lag")] == [
        "160\u202fk",
        "160\u202fk",
        "150\u202fk",
        "110\u202fk",
    ]
    assert page.app.selectbox(key="candidate").value == "lag"


def test_the_strip_above_names_worst_members_and_moves(page):
    page.open("compare", sample="lag-aware", candidate="lag")

    assert page.kpis == {
        "Lag": "210\u202fk",
        "Worst member": "160\u202fk",
        "Worst member under lag": "110\u202fk",
        "Members": "2",
        "Partitions": "3",
        "Moved under lag": "1",
    }


def test_bars_show_the_lag_of_each_member_now_and_with_the_candidate(page):
    page.open("compare", sample="lag-aware", candidate="lag")

    bars = {trace["name"]: trace for trace in page.figure()["data"] if trace.get("xaxis") == "x"}
    assert page.figure()["layout"]["yaxis"]["ticktext"] == ["C0", "C1"]
    assert [bars["current"]["hovertext"], bars["current"]["text"]] == [
        ["C0", "C1"],
        ["160,000", "50,000"],
    ]
    assert bars["lag"]["text"] == ["100,000", "110,000"]


def test_every_figure_has_its_finding_as_alternative_text(page):
    page.open("compare", sample="one-hot-partition", candidate="lag")

    texts = [chart.proto.alt for chart in page.app.get("plotly_chart")]
    assert all(texts)
    assert "pay-eu-01 has the most lag now, 218\u202fk records" in texts[0]


def test_the_partitions_of_a_member_name_both_owners_and_their_offsets(page):
    page.open("compare", sample="idle-under-range", candidate="roundrobin")

    page.app.selectbox(key="member").set_value(9).run()

    shown = page.app.dataframe[0].value
    assert set(shown["Owner after"]) == {"web-10"}
    assert "web-10" not in set(shown["Owner now"])
    assert ((shown["End"] - shown["Committed"]) == shown["Lag, records"]).all()


def test_another_candidate_changes_the_second_bars_only(page):
    page.open("compare", sample="lag-aware", candidate="lag")

    page.app.selectbox(key="candidate").set_value("roundrobin").run()

    assert "Worst member under roundrobin" in page.kpis
    names = [trace["name"] for trace in page.figure()["data"]]
    assert names == ["current", "roundrobin", "current", "roundrobin"]


def test_a_candidate_that_does_not_exist_is_said_and_the_default_is_shown(page):
    page.open("compare", sample="lag-aware", candidate="<script>")

    assert "asks for the candidate “<script>”; available: range, roundrobin" in page.warnings[0]
    assert page.app.selectbox(key="candidate").value == "range"
    assert "candidate" not in page.address

    page.app.selectbox(key="candidate").set_value("roundrobin").run()
    assert not page.warnings


def test_a_column_that_does_not_exist_is_said(page):
    page.open("compare", sample="lag-aware", sort="speed")

    assert "asks for the order “speed”; available: name, partitions, worst" in page.warnings[0]


@pytest.mark.parametrize("slug", [example.slug for example in WORKED_EXAMPLES])
def test_every_worked_example_can_be_compared(page, slug):
    page.open("compare", sample=slug)

    assert not page.app.exception
    assert not page.errors
    assert list(page.table)[:1] == ["current"]


def test_range_and_roundrobin_split_two_consumers_as_kafka_does(page):
    page.open("compare", sample="two-consumers")

    assert [page.table[name][1] for name in ("current", "range", "roundrobin")] == [
        "4 / 2",
        "4 / 2",
        "3 / 3",
    ]


def test_a_third_consumer_gets_one_partition_of_each_topic_under_range(page):
    page.open("compare", sample="third-consumer-joins", candidate="range")

    assert page.table["current"][1] == "4 / 0"
    assert page.table["range"][1] == "2 / 2"


def test_total_lag_counts_partitions_that_nobody_owns(page):
    listing = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    page.paste(f"{listing}g t 0 0 5 5 a-1 /h a\ng t 1 0 70 70 - - -\n").open("compare")

    assert page.kpis["Lag"] == "75"
    assert page.kpis["Worst member"] == "5"
    assert page.table["current"][2] == "70"


def test_lag_that_nobody_knows_is_a_dash(page):
    page.open("compare", sample="two-consumers", candidate="range")

    assert "Lag" not in page.kpis
    assert page.table["range"][2] == "–"


def test_a_share_group_is_compared_with_the_assignors_of_share_groups_only(page):
    topics, members = [{"name": "t", "partitions": 2}], [{"member_id": "a", "subscribed": ["t"]}]
    document = {
        "format": "evenkeel.group/1",
        "group_id": "s",
        "type": "share",
        "topics": topics,
        "members": members,
    }
    page.open("compare", sample="lag-aware", candidate="range")

    page.paste(json.dumps(document)).open("compare")

    assert list(page.table) == ["current", "simple"]
    assert page.app.selectbox(key="candidate").options == ["simple"]
    assert page.kpis == {"Members": "1", "Partitions": "2"}


@pytest.mark.parametrize("member_count", [2, 30, 70])
def test_where_nobody_knows_who_owns_what_only_the_candidate_is_drawn(page, member_count):
    members = [{"member_id": f"m{number}", "subscribed": ["t"]} for number in range(member_count)]
    topics = [{"name": "t", "partitions": [{"lag": 7} for number in range(member_count)]}]

    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    ).open("compare")

    assert not page.errors
    assert not page.app.exception
    assert page.kpis["Worst member under range"] == "7"
    assert {"Worst member", "Moved under range"}.isdisjoint(page.kpis)
    assert page.table["current"][1] == "–"
    drawn = {
        trace["name"]
        for place in range(len(page.app.get("plotly_chart")))
        for trace in page.figure(place)["data"]
    }
    assert drawn - {"change"} == {"range"}
    assert page.app.dataframe[0].value["Owner now"].isna().all()


def test_a_cooperative_assignor_is_judged_by_its_end_and_its_two_rounds_are_counted(page):
    page.open("compare", sample="one-hot-partition")

    assert page.table["cooperative-sticky"][1:9] == page.table["sticky"][1:9]
    assert [
        page.table[name][9] for name in ("current", "sticky", "cooperative-sticky", "broker-range")
    ] == [
        "–",
        "100 / 1",
        "no change",
        "90 / 3",
    ]


def test_the_switch_is_shown_round_by_round(page):
    page.open("compare", sample="one-hot-partition", candidate="broker-range")

    assert (
        "90 partitions pause for 1 to 2 rounds; all others keep running. Done after 3 rounds. In"
        " each round every member sends a heartbeat." in page.html
    )
    assert cells(page, "rounds") == [
        ["1", "90", "0", "90"],
        ["2", "0", "47", "43"],
        ["3", "0", "43", "0"],
    ]


def test_an_eager_switch_pauses_everything(page):
    page.open("compare", sample="one-hot-partition", candidate="sticky")

    assert (
        "Every partition pauses, 100 in all, because every member first gives up all its"
        " partitions; 92 come back to the same member. Done after 1 round." in page.html
    )


def test_the_partitions_that_pause_are_listed_with_both_owners(page):
    page.open("compare", sample="two-consumers", candidate="cooperative-sticky")

    page.app.session_state["paused"] = True
    page.app.run()

    assert page.app.dataframe[0].value.values.tolist() == [
        ["topic2-1", "consumer1", "consumer2", 1]
    ]


def cells(page, table):
    """The body of one of our own tables."""
    body = re.search(f'<table class="{table}">.*?<tbody>(.*?)</tbody>', page.html)[1]
    return [re.findall(r">([^<>]+)</t[hd]>", row) for row in body.split("</tr>")[:-1]]


def test_the_figures_behind_the_charts_stand_in_a_table(page):
    page.open("compare", sample="lag-aware", candidate="lag")

    page.app.session_state["chart-tables"] = True
    page.app.run()

    assert page.app.dataframe[1].value.values.tolist() == [
        ["C0", "C0", 160_000, 100_000, 2, 1],
        ["C1", "C1", 50_000, 110_000, 1, 2],
    ]


def test_a_commit_past_the_end_and_partitions_without_owner_are_said(page):
    page.paste(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\npay"
        " orders 0 500 105 -395 a /h a\npay orders 1 4 11 7 a /h a\npay orders 2 1 5001 5000 -"
        " - -\n"
    )

    page.open("compare", candidate="range")

    assert page.kpis["Lag"] == "5,007"
    assert "1 commit is past the end" in page.html
    assert "⚠ 1 without owner" in page.html
    remarks = page.app.dataframe[0].value.set_index("Partition")["Remark"].dropna().to_dict()
    assert remarks == {
        "orders-0": "committed offset is past the end offset: the topic may have been recreated"
    }


def test_a_sum_over_some_unknown_lags_has_the_same_mark_in_numbers_table_and_bars(page):
    members = [
        {"member_id": name, "subscribed": ["t"], "owned": {"t": owned}}
        for name, owned in (("a", [0, 1]), ("b", [2]))
    ]
    topics = [{"name": "t", "partitions": [{"lag": 70}, {}, {"lag": 20}]}]
    page.paste(
        json.dumps(
            {"format": "evenkeel.group/1", "group_id": "g", "topics": topics, "members": members}
        )
    )
    page.open("compare")

    assert (page.kpis["Lag"], page.kpis["Worst member"]) == ("≥ 90", "≥ 70")
    assert page.table["current"][2] == "≥ 70"
    assert "≥ 70" in page.figure()["data"][0]["text"]


def test_the_member_that_is_picked_is_said_beside_the_charts(page):
    page.open("compare", sample="lag-aware", candidate="lag")
    assert (
        "<b>C0</b> <span>lag 160\u202fk → 100\u202fk · partitions 2 → 1 under"
        " <code>lag</code></span>" in page.html
    )

    page.app.selectbox(key="member").set_value(1).run()

    assert (
        "<b>C1</b> <span>lag 50.0\u202fk → 110\u202fk · partitions 1 → 2 under"
        " <code>lag</code></span>" in page.html
    )


LISTING = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def test_a_candidate_is_green_only_if_another_assignment_may_help(page):
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    rows = [f"pay orders {tp} 0 {{}} {{}} {name}-1 /h {name}\n" for tp, name in enumerate("aaaabc")]
    lags = {"silent": [40_000] * 4 + [5, 5], "uneven": [30_000] * 6}
    green = {}
    for name, lag in lags.items():
        text = head + "".join(row.format(each, each) for row, each in zip(rows, lag, strict=True))
        upload = page.anew().paste(text).address["opened"]
        tab = page.anew().open("compare", opened=upload, candidate="roundrobin")
        green[name] = (tab.kpis["Worst member under roundrobin"], 'class="better"' in tab.html)

    assert green == {"silent": ("80.0\u202fk", False), "uneven": ("60.0\u202fk", True)}


def test_the_first_sentence_is_the_diagnosis_and_overview_has_the_rest(page):
    page.paste(
        f"{LISTING}pay orders 2 0 900000 900000 a-1 /h a\npay orders 0 0 79000 79000 a-1 /h a\npay"
        " orders 1 0 0 0 b-1 /h b\n"
    ).open("compare")

    sentence = page.html.split('<p class="verdict advice"><b>')[1].split("</p>")[0]
    assert (
        sentence
        == "a (h) is stopped or far slower: 79.0 k to 900 k on each of its 2 partitions, at most 0"
        " on the other.</b> Another assignor does not help: it would not read its 2 partitions"
        " either."
    )


@pytest.mark.parametrize("lags", [(20, 20, 20, 20, 20), (0, 0)])
def test_lag_that_other_assignors_could_spread_is_not_blamed_on_one_partition(page, lags):
    rows = "".join(
        f"pay orders {number} 0 {lag} {lag} {member}-1 /h {member}\n"
        for number, (lag, member) in enumerate(zip(lags, "ababa", strict=False))
    )
    page.paste(LISTING + rows).open("compare")

    assert "no assignor gets" not in page.html


def test_a_selected_partition_says_why_the_candidate_gives_it_to_its_member(page, tmp_path):
    page.open("compare", sample="lag-aware", candidate="lag")
    shown = page.app.dataframe[0].value["Partition"].tolist()

    page.app.session_state["partitions-lag-0"] = {
        "selection": {"rows": [shown.index("t0-0")], "columns": [], "cells": []}
    }
    page.app.run()

    assert not page.errors
    assert "Why t0-0 goes there" in page.html
    assert "1st by lag of the 3 partitions of t0, 100\u202fk behind" in page.html
