"""Overview: one group of each class, as the page draws it."""

import pytest

from evenkeel.data.scenarios.edits.restart_members import RestartMembers
from evenkeel.data.scenarios.scenario.draft import draft_of
from evenkeel.data.scenarios.scenario.scenario import Step
from tests.dashboard.overview.test_figures import UNEVEN
from tests.data.diagnosis.listed import listing

DEAD = (
    "consumer-invoice-3 (10.20.7.109) is stopped or far slower: 89.0 k to 92.7 k on each of its 5"
    " partitions, at most 12 on the 15 others."
)


def two(first: str, second: str) -> str:
    """Return two listings ten minutes apart."""
    return f"2026-11-27T10:00:00Z\n{listing(first)}\n2026-11-27T10:10:00Z\n{listing(second)}"


@pytest.fixture
def drawn(page):
    """Return what the page draws of a text."""

    def draw(text: str) -> dict:
        page.paste(text).open("overview")
        assert page.errors == []
        return page.component("what")

    return draw


def test_a_member_that_may_have_stopped_is_named_and_a_later_reading_is_advised(page, drawn):
    seen = drawn(listing("dead"))

    assert seen["what"]["sentence"] == DEAD
    assert (seen["what"]["mark"], seen["what"]["word"]) == ("ring", "Open.")
    assert seen["what"]["later"] == "Add a later reading"
    assert "later-add" not in {button.key for button in page.app.button}
    rows = seen["helps"]["rows"]
    assert [(row["action"], row["isAdvised"]) for row in rows] == [
        ("nothing", False),
        ("read_again", True),
        ("restart", False),
        ("add_members", False),
        ("switch", False),
    ]
    assert rows[2]["why"] == "if its commits do not move"
    assert rows[4]["name"] == "Another assignor"
    assert rows[4]["tries"] is None
    assert seen["switched"] is None


def test_members_have_hosts_and_only_the_one_of_the_sentence_is_coloured(drawn):
    rows = drawn(listing("dead"))["who"]["rows"]

    assert [(row["name"], row["host"], row["lag"], row["kind"]) for row in rows] == [
        ("consumer-invoice-3", "10.20.7.109", "454 k", "subject"),
        ("consumer-invoice-1", "10.20.4.157", "41", ""),
        ("consumer-invoice-2", "10.20.6.44", "28", ""),
        ("consumer-invoice-4", "10.20.8.148", "23", ""),
    ]
    assert [row["isOpen"] for row in rows] == [True, False, False, False]
    first = rows[0]["parts"][0]
    assert (first["name"], first["lag"]) == ("billing.invoices-10", "92.7 k")
    assert first["cells"] == ["9,085,848", "9,178,582"]


def test_figures_of_one_reading_have_no_rate(drawn):
    cells = drawn(listing("dead"))["strip"]

    assert [(cell["label"], cell["value"], cell["note"]) for cell in cells] == [
        ("Lag", "454 k", "records"),
        ("Worst member", "454 k", "4.0× its share"),
        ("Worst partition", "92.7 k", "billing.invoices-10"),
        ("Members", "4", "all own partitions"),
    ]


def test_two_readings_show_that_a_member_reads_nothing_and_rates_agree(drawn):
    seen = drawn(two("dead", "dead2"))

    what = seen["what"]
    assert (
        what["sentence"]
        == "consumer-invoice-3 (10.20.7.109) has read nothing in 600 s: 469 k records wait on 5"
        " partitions while others move on."
    )
    assert (what["mark"], what["tone"], what["word"]) == ("octagon", "bad", "Certain.")
    assert what["later"] is None
    assert what["rows"][0]["note"] == "does not move"
    assert what["rows"][2]["note"] == "moves"
    # 15,000 records more in 600 s: 25 a second, 1,500 a minute.
    strip = {cell["label"]: (cell["value"], cell["note"]) for cell in seen["strip"]}
    assert strip["Lag"] == ("469 k", "+1,500 a minute over 10 m")
    assert strip["Behind"] == ("≥ 10 m", "worst partition")
    assert strip["Drained"] == ("never", "at this pace")
    assert strip["Members"] == ("4", "1 reads nothing")
    assert seen["who"]["rows"][0]["kind"] == "subject still"
    assert seen["who"]["rows"][0]["cells"][1] == "0"
    assert seen["why"]["topics"][0]["growth"] == "+25"


def test_readings_without_times_show_records_and_no_rates(drawn):
    # The later listing has 15,000 records more, all of one member that reads nothing.
    seen = drawn(f"{listing('dead')}\n{listing('dead2')}")

    (text,) = seen["what"]["input"]
    assert text.startswith("2 readings, the latest is used: the lag grew by 15,0")
    assert seen["what"]["evidence"].startswith(
        "The readings have no times: they show records, not rates."
    )
    lag = seen["strip"][0]
    assert (lag["value"], lag["note"]) == ("469 k", "+15.0 k since the first reading")
    assert lag["tone"] == "worse"
    assert "Drained" not in {cell["label"] for cell in seen["strip"]}


def test_a_paste_is_drawn_with_the_notes_about_what_was_read(drawn):
    seen = drawn(
        "GROUP        billing\nSTATE        Stable\nTOTAL-LAG    45\n\n"
        "TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID  CLIENT-ID  HOST\n"
        "invoices  0          88100           88140           40   kgo-1      kgo        10.9.1.4\n"
    )

    assert seen["what"]["input"] == [
        "A printed total is not the sum of its rows; the rows are used: 45 printed, 40 in the rows."
    ]


def test_a_partition_without_owner_has_a_row_of_its_own(drawn):
    seen = drawn(listing("unowned"))

    assert (
        seen["what"]["sentence"] == "pay.auth-5 has no owner: 55.1 k records wait there and nobody"
        " reads them."
    )
    last = seen["who"]["rows"][-1]
    assert (last["name"], last["note"], last["lag"], last["kind"]) == (
        "no owner",
        "pay.auth-5",
        "55.1 k",
        "dashed subject",
    )


def test_a_group_without_members_shows_its_partitions(drawn):
    seen = drawn(listing("noactive"))

    assert seen["what"]["sentence"] == (
        "audit-sink has no member: 106 k records wait on its 8 partitions."
    )
    assert (seen["what"]["mark"], seen["what"]["tone"]) == ("octagon", "bad")
    assert [row["name"] for row in seen["who"]["rows"]] == ["no owner"]
    assert len(seen["who"]["rows"][0]["parts"]) == 8
    advised = [row["name"] for row in seen["helps"]["rows"] if row["isAdvised"]]
    assert advised == ["Start its consumers"]


def test_a_group_that_is_fine_has_nothing_coloured_and_nothing_to_do(drawn):
    seen = drawn(listing("fine"))

    assert seen["what"]["sentence"] == (
        "ok is fine: 212 records on 12 partitions, at most 90 on one member."
    )
    assert (seen["what"]["mark"], seen["what"]["word"]) == ("tick", "Likely.")
    assert seen["what"]["later"] is None
    assert {row["kind"] for row in seen["who"]["rows"]} == {""}
    assert {part["kind"] for row in seen["who"]["rows"] for part in row["parts"]} == {""}
    assert seen["who"]["scale"] == "lag, to 1 k"
    assert max(row["share"] for row in seen["who"]["rows"]) == 0.09
    assert (seen["helps"]["none"], seen["helps"]["rows"]) == ("Nothing to do.", [])


def test_a_rebalance_says_to_read_again(drawn):
    seen = drawn(listing("rebal"))

    assert seen["what"]["sentence"] == (
        "fraud-scorer is rebalancing: 83.8 k records wait on 12 partitions until it ends."
    )
    assert seen["what"]["mark"] == "turn"


def test_a_partition_that_was_never_committed_has_an_upper_bound(drawn):
    seen = drawn(listing("unknown"))

    parts = [part for row in seen["who"]["rows"] if row["isOpen"] for part in row["parts"]]
    unknown = {part["name"]: part["lag"] for part in parts if part["lag"].startswith("≤")}
    assert sorted(unknown) == ["ledger.postings-1", "ledger.postings-2", "ledger.postings-7"]


def test_the_lag_of_a_member_is_at_least_its_known_part_and_never_an_unknown_as_0(drawn):
    seen = drawn("""\
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
pay orders 0 5000 9000 4000 app-1 /10.0.0.1 app-1
pay orders 1 - 70 - app-1 /10.0.0.1 app-1
pay orders 2 - 66 - app-2 /10.0.0.2 app-2
pay orders 3 100 9100 9000 app-3 /10.0.0.3 app-3
""")

    lags = {row["name"]: row["lag"] for row in seen["who"]["rows"]}
    assert lags == {"app-3": "9,000", "app-1": "≥ 4,000", "app-2": "≤ 66"}


def test_a_remedy_opens_in_what_if_as_a_step(page):
    page.paste(listing("dead")).open("overview")
    restart = page.component("what")["helps"]["rows"][2]
    page.app.session_state["overview-tried"] = restart["tries"]
    page.open()

    assert draft_of(page.address["steps"]).scenarios[0].steps == [
        Step(
            edits=[
                RestartMembers(
                    member_ids=["consumer-invoice-3-eeeacbe2-26e8-7555-5790-f82ec1d3fcff"]
                )
            ]
        )
    ]
    assert "consumer-invoice-3 restarts" in page.html


def test_a_remedy_that_the_group_does_not_have_opens_nothing(page):
    page.paste(listing("dead")).open("overview")
    page.app.session_state["overview-tried"] = {"action": "restart", "subject": ["another"]}
    page.open()

    assert page.component("what")["what"]["sentence"] == DEAD


def test_without_a_group_the_page_says_what_it_is_for(page):
    page.open("overview")

    assert "Overview says what is wrong with your group" in page.app.markdown[0].value


def test_a_later_reading_decides_at_once_whose_times_the_form_shows(page):
    page.paste(listing("dead")).open("overview")
    page.app.session_state["later-asked"] = True
    page.open()
    page.app.text_input(key="later-earlier").set_value("2026-11-27 10:00:00")
    page.app.text_area(key="later-paste").set_value(listing("dead2"))
    page.app.text_input(key="later-time").set_value("2026-11-27 10:10:00")
    # A browser runs the dialog alone; a run of the whole page draws it again only if asked to.
    page.app.session_state["later-asked"] = True
    page.app.button(key="later-add").click().run()

    assert page.component("what")["what"]["sentence"].startswith(
        "consumer-invoice-3 (10.20.7.109) has read nothing in 600 s: "
    )


def test_the_time_of_an_upload_makes_no_second_reading(page):
    page.paste(listing("dead")).open("compare")
    page.app.text_area(key="later-paste").set_value(listing("dead2"))
    page.app.button(key="later-add").click().run()
    page.open("overview")

    what = page.component("what")["what"]
    assert what["sentence"].startswith("consumer-invoice-3 (10.20.7.109) is stopped or far slower")
    assert what["evidence"] == (
        "Some times are upload times, so only the last reading counts. To settle it: the times of"
        " both."
    )
    # Another reading without a time would settle nothing: the page asks for times.
    assert what["later"] is None


def test_two_timed_readings_of_less_than_twenty_seconds_say_so(page):
    readings = [f"2026-11-27T14:02:{second}Z\n{listing('dead')}" for second in ("00", "10")]
    page.paste("".join(readings)).open("overview")

    what = page.component("what")["what"]
    assert what["evidence"].startswith("Readings that are 10 s apart count as one reading.")


def test_the_best_plan_of_an_uneven_group_has_its_lag_and_its_moves(page, drawn):
    drawn(UNEVEN)

    def plan() -> dict:
        rows = page.component("what")["helps"]["rows"]
        return next(row for row in rows if row["action"] == "best_plan")

    page.until(lambda: plan()["worst"])

    # Ten partitions of 20,000 for three members: one has four. Two members have five now, and each
    # gives one away.
    assert {key: plan()[key] for key in ("worst", "change", "price", "why")} == {
        "worst": "80.0 k",
        "change": "−20 %",
        "price": "2 move",
        "why": "worst lag: proved best",
    }


def test_a_fine_group_whose_listing_is_cut_needs_the_whole_listing(page):
    page.paste(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "g t 0 100 110 10 a-1 /10.0.0.1 a\ng t 1 100 110 10 b-1 /10.0.0.2 b\ng t 2 100"
    ).open("overview")

    assert page.component("what")["helps"]["none"] == (
        "Paste the whole listing: a row could not be read, and partitions may be missing."
    )
