"""Best on the worked examples: what it finds, says, draws, takes along, and refuses."""

import re

import pytest

from evenkeel.dashboard.best.head import MOVES
from tests.dashboard.pages.test_two_readings import PASTE


def opened(page, **link):
    """Open Best and look at it until all searches have ended, as the browser does."""
    page.open("best", **link)
    page.until(
        lambda: (
            "Searching for"
            not in page.html + " ".join(caption.value for caption in page.app.caption)
        )
    )
    return page


def sentence(page) -> str:
    said = page.html.split('<p class="verdict">')[1].split("</p>")[0]
    return said.replace("<b>", "").replace("</b>", "")


def test_one_hot_partition_is_the_floor_and_one_move_reaches_it(page):
    opened(page, sample="one-hot-partition")

    assert sentence(page) == (
        "Nothing gets below 141\u202fk: orders-3 alone is 141\u202fk. "
        "1 move lowers the worst member from 218\u202fk to this value."
    )
    assert page.kpis["The floor"] == "orders-3"
    assert page.kpis["Moved"] == "1"


def test_what_every_assignor_gives_stands_beside_the_plan(page):
    opened(page, sample="one-hot-partition")

    table = page.app.dataframe[0].value
    assert list(table["Assignor"]) == [
        "current",
        "range",
        "roundrobin",
        "sticky",
        "cooperative-sticky",
        "lag",
        "uniform",
        "broker-range",
        "this plan",
    ]
    # 241,020 / 141,020, 153,520 / 141,020 and so on, rounded up.
    assert list(table["Above the best"])[-1] == "0"
    assert table.set_index("Assignor")["Moves"]["roundrobin"] == 86


def test_the_largest_lag_on_its_own_takes_one_move_and_is_proved(page):
    opened(page, sample="lag-aware")

    # 100,000 + 60,000 against 50,000: 60,000 moves; no split of the three has a worst member below
    # 110,000.
    assert sentence(page).startswith(
        "1 move lowers the worst member by 31\u202f%, and no plan does better. The worst member"
        " falls from 160\u202fk to 110\u202fk"
    )
    steps = page.app.dataframe[0].value.to_dict("records")
    assert steps == [
        {
            "Partition": "t0-1",
            "From → to": "C0 → C1",
            "Lag": 60_000,
            "Worst then": "110\u202fk",
            "Why": "C0 is worst",
        }
    ]


def test_without_a_move_the_worst_member_keeps_its_lag(page):
    opened(page, sample="lag-aware", **{"at-most": "0"})

    assert sentence(page) == ("Without moves the worst member keeps its 160\u202fk.")
    assert page.address["at-most"] == "0"


def test_a_limit_that_cannot_be_met_is_refused_with_the_least_change(page):
    opened(page, sample="lag-aware", **{"per-member": "1"})

    assert len(page.errors) == 1
    assert "partitions_per_member" in page.errors[0]
    assert "2" in page.errors[0]


def test_a_limit_that_is_no_number_is_refused_by_the_name_of_its_field(page):
    opened(page, sample="lag-aware", **{"at-most": "x"})

    assert page.app.number_input(key="at-most").label == "Moves, at most"
    assert MOVES.read("x")[1] == (
        "The URL asks for “Moves, at most” of “x”, expected a whole number from 0 to 1,000,000."
    )


def test_the_number_of_members_that_suffices_is_told_with_rates(page):
    page.paste(PASTE)
    opened(page)
    page.app.number_input(key="within").set_value(60).run()
    page.until(lambda: page.html.count('<p class="verdict">') == 2)

    said = page.html.split('<p class="verdict">')[2]
    # No number of members is below the 5 m of the partition with 100,000 records.
    assert re.match("<b>. members? reach(es)? 1 h, 2 members reach the floor of 5 m", said)


def test_without_rates_no_number_of_members_is_judged(page):
    opened(page, sample="one-hot-partition", within="150000")

    assert page.html.count('<p class="verdict">') == 1
    assert len(page.app.get("plotly_chart")) == 1
    assert "within" not in page.address


def test_the_plan_opens_on_moves_as_one_more_row_and_is_left_again(page):
    page.open("moves", sample="lag-aware", plan="lag")

    assert page.kpis["Moved"] == "1"
    assert page.address["plan"] == "lag"

    page.app.button(key="best-leave").click().run()

    assert "plan" not in page.address


@pytest.mark.parametrize("plan", ["lag.x", "nothing", "lag.1.2.keep.more", "lag..", "drain.3"])
def test_an_address_without_such_a_plan_opens_moves_without_one(page, plan):
    page.open("moves", sample="lag-aware", plan=plan)

    assert "best-leave" not in [button.key for button in page.app.button] or plan == "lag.."


def best_row(page) -> dict | None:
    rows = page.component("candidate")["rows"]
    return next((row for row in rows if row.get("note") == "worst lag: proved best"), None)


def test_compare_has_the_best_assignment_as_its_last_row_and_blames_nobody(page):
    page.open("compare", sample="lag-aware")
    best = page.until(lambda: best_row(page))

    # 160 k now; of 100 k, 60 k and 50 k no split has a worst member below 110 k.
    assert (best["name"], best["cells"][2]["text"], best["cells"][6]["text"]) == (
        "best",
        "110\u202fk",
        "1",
    )
    assert "at fault" not in page.html


def test_the_best_row_of_assignors_has_the_least_worst_lag_of_all_rows_also_with_rates(page):
    page.paste(PASTE)
    page.open("compare")
    best = page.until(lambda: best_row(page))

    # One partition has 100,000 records. The plan that drains soonest has a worst lag of 159 k.
    assert best["cells"][2]["text"] == "100\u202fk"
    assert best["cells"][2]["sort"] == min(row["cells"][2]["sort"] for row in page.rows)


def test_with_rates_the_first_aim_is_to_drain_soonest(page):
    page.paste(PASTE)
    opened(page)

    # pay-b reads 5,000/s: 158,900 / (5,000 - 650) = 36.5 s. pay-a reads 833.3/s: 22,000 / (833.3 -
    # 333.3) = 44 s.
    assert sentence(page).startswith(
        "With 3 moves, the group drains in 44 s instead of 14m 26s, and no plan does better."
    )
    assert page.kpis["Worst member"] == "14m 26s"


def test_a_group_that_no_plan_drains_has_sentences_and_no_empty_figure(page):
    opened(page, cluster="example", group="thumbnails")

    assert sentence(page) == "No plan drains this group. More records arrive than all members read."
    assert "More members do not drain the group:" in page.html
    assert not page.app.get("plotly_chart")


def advice(page) -> str:
    return page.html.split('<p class="verdict advice">')[1].split("</p>")[0]


def test_a_plan_counts_a_member_that_reads_nothing_only_as_an_assumption(page):
    opened(page, cluster="example", group="invoice-writer")

    assert advice(page).endswith(
        "</b> Another assignor does not help: it would not read its 3 partitions either."
    )
    assert sentence(page).startswith("No plan lowers the worst member")
    assert sentence(page).endswith(
        "This assumes that invoice-writer-3 can read like the other members."
    )
    # The others keep up: nothing tells what they or more members could read.
    assert not page.app.get("plotly_chart")
    assert page.html.count('<p class="verdict">') == 1
    assert "Rates and lag disagree" not in page.html
    assert "drained" not in page.html
    assert 'class="better"' not in page.html


@pytest.mark.parametrize(
    ("group", "why"),
    [
        ("checkout", "another owner gets the same records"),
        ("loyalty", "it gives an owner only to partitions that a member subscribes to"),
        ("clickstream", "no assignment reads as much as comes in"),
    ],
)
def test_best_begins_with_what_the_diagnosis_says_of_another_assignment(page, group, why):
    page.open("best", cluster="example", group=group)

    assert advice(page).endswith(f"</b> Another assignor does not help: {why}.")
    assert "<b>" not in page.html.split('<p class="verdict">')[1].split("</p>")[0]


def test_a_plan_is_advice_if_another_assignment_may_help(page):
    opened(page, sample="idle-under-range")

    assert "does not help" not in advice(page)
    assert re.search(r'<p class="verdict"><b>\d+ moves lower', page.html)
    assert page.html.count('class="better"') == 1


def selected(page, table: str, partition: str):
    """Select a partition in the first table, as a click on its row does."""
    rows = page.app.dataframe[0].value["Partition"].tolist()
    page.app.session_state[table] = {
        "selection": {"rows": [rows.index(partition)], "columns": [], "cells": []}
    }
    page.app.run()
    return page


def test_a_selected_move_of_the_plan_says_what_it_saves(page):
    selected(opened(page, sample="lag-aware"), "why-lag", "t0-1")

    assert not page.errors
    assert "Why t0-1 goes there" in page.html
    # With C0: 100,000 + 60,000; moved: 60,000 + 50,000.
    assert (
        "Moving it saves 50,000 records: if it stayed with C0, the worst member"
        " would have 160,000 records." in page.html
    )


def test_a_plan_on_moves_says_of_a_selected_partition_what_it_saves(page):
    page.open("moves", sample="lag-aware", plan="lag")
    selected(page, "why-moved-the best plan", "t0-1")

    assert not page.errors
    assert (
        "Moving it saves 50,000 records: if it stayed with C0, the worst member"
        " would have 160,000 records." in page.html
    )


def test_where_rates_and_lag_disagree_both_plans_stand_side_by_side(page):
    page.paste(PASTE)
    opened(page)

    shown = page.html.split("Rates and lag disagree about the better plan.")[1].split("</table>")[0]
    rows = [re.findall("<t[hd]>([^<]*)", row) for row in shown.split("<tr>")[1:]]
    # For lag 100,000 records stand alone, with pay-a, which reads 833.3 of which 500 come in: 300
    # s. For the drain all go to pay-b.
    assert rows[1:] == [
        ["drained soonest", "44 s", "159\u202fk", "3"],
        ["even lag now", "5 m", "100\u202fk", "1"],
    ]


def test_without_rates_no_other_aim_stands_beside_the_plan(page):
    opened(page, sample="lag-aware")

    assert "Rates and lag disagree" not in page.html


@pytest.mark.parametrize(
    ("slug", "above"),
    [
        # Worst members of 241,403, 153,555 and 179,348 records over 141,386, rounded up.
        (
            "one-hot-partition",
            {"range": "+71\u202f%", "roundrobin": "+8.7\u202f%", "lag": "+27\u202f%"},
        ),
        ("differing-subscriptions", {"range": "+23\u202f%", "lag": "+46\u202f%"}),
        ("ten-consumers-kafka-0.10", {"range": "0", "lag": "0"}),
        ("third-consumer-joins", {}),
    ],
)
def test_an_assignor_is_so_much_above_the_best_of_a_worked_example(page, slug, above):
    opened(page, sample=slug, **{"best-table": "assignors"})

    shown = page.app.dataframe[0].value.set_index("Assignor")["Above the best"]
    assert {name: shown[name] for name in above} == above


def test_a_plan_for_even_rates_has_the_records_of_its_partitions(page):
    opened(page, cluster="example", group="invoice-writer")

    # End offsets without committed offsets: 14,441,406 - 14,429,544 and 14,442,062 - 14,442,054.
    lags = page.app.dataframe[0].value.set_index("Partition")["Lag"].to_dict()
    assert lags == {"billing.invoices-6": 11_862, "billing.invoices-0": 8}
