"""What home says of the lines that were read."""

from tests.dashboard.pasted import HEADER, PAYMENTS

REBALANCING = "\nWarning: Consumer group 'payments' is rebalancing.\n\n"


def test_rejected_lines_are_shown_with_number_and_reason(page):
    page.paste(HEADER + PAYMENTS + "payments orders x 10 40 30 pay-b-7ac2 /10.4.1.18 pay-b\n")

    assert page.kpis | {"Groups": "1"} == {
        "Lines": "4",
        "Rows": "2",
        "Notes": "1",
        "Rejected": "1",
        "Groups": "1",
    }
    rejected = page.app.dataframe[0].value
    assert rejected["Line"].tolist() == [4]
    assert "x" in rejected["Reason"][0]


def test_notes_and_rows_can_be_looked_at_too(page):
    page.paste(
        "Error: Consumer group 'x' does not exist.\n"
        + HEADER
        + PAYMENTS
        + "payments orders x 10 20 10 - - -\n"
    )

    lines = next(control for control in page.app.segmented_control if control.label == "Lines")
    assert lines.options == ["Rejected", "Notes", "Rows"]
    lines.set_value("Notes").run()
    notes = page.app.dataframe[0].value
    assert notes["Line"].tolist() == [1, 2]
    assert notes["Reason"].tolist() == ["error of the tool", "header"]
    assert notes["Text"][0] == "Error: Consumer group 'x' does not exist."
    next(control for control in page.app.segmented_control if control.label == "Lines").set_value(
        "Rows"
    ).run()
    assert page.app.dataframe[0].value[["Line", "Read as", "Lag as listed"]].values.tolist() == [
        [3, "orders-0", 100],
        [4, "orders-1", 30],
    ]


def test_an_error_of_the_tool_is_shown_before_anything_is_compared(page):
    page.paste(
        "Error: Executing consumer group command failed due to a timeout\n" + HEADER + PAYMENTS
    )

    assert "line 1: Error" in page.app.warning[0].value.replace("\\", "")
    assert page.kpis["Rejected"] == "0"


def test_a_rebalance_that_the_listing_warns_of_is_told_on_every_page(page):
    page.paste(REBALANCING + HEADER + PAYMENTS).open("compare")

    assert "payments was rebalancing when this was printed" in page.app.warning[0].value
    page.open("moves")
    assert "Some partitions may show no owner" in page.app.warning[0].value
    page.open("start")
    assert page.counts == "1 needs a later reading"


def test_a_rebalance_of_another_group_is_not_told_of_this_one(page):
    page.paste(REBALANCING.replace("payments", "refunds") + HEADER + PAYMENTS).open("compare")

    assert not page.app.warning


def test_a_rebalance_of_a_group_that_the_rows_do_not_name_is_that_of_its_file(page):
    page.paste(
        REBALANCING
        + "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\norders 0"
        " 10 110 100 pay-a-0f3c /10.4.1.17 pay-a\n"
    ).open("compare")

    assert "Some partitions may show no owner" in page.app.warning[0].value
