"""Start: paste, upload, worked examples."""

import json
import shutil

import pytest
import streamlit as st

from evenkeel.data.errors import SnapshotError
from evenkeel.data.pipeline import uploads
from evenkeel.data.sources.examples.worked_examples import STREAMS_EXAMPLES, WORKED_EXAMPLES
from tests.dashboard.pasted import HEADER, PAYMENTS, REFUNDS


def test_the_page_offers_a_box_and_the_command(page):
    page.open()

    assert not page.app.exception
    assert "<pre><span>kafka-consumer-groups.sh" in page.html
    assert "Nothing in Kafka is ever changed" in page.html


def test_the_dialog_offers_every_worked_example_six_by_their_symptom_first(page):
    page.open().app.button(key="try-example").click().run()

    shown = {button.key: button.label for button in page.app.button}
    assert [shown[key] for key in shown if key.startswith("open-")][:7] == [
        "A cluster, generated",
        "All members are behind",
        "One hot partition",
        "Idle members",
        "A Streams restart",
        "Rebalances, from a log",
        "Ready for KIP-848?",
    ]
    slugs = [each.slug for each in (*WORKED_EXAMPLES, *STREAMS_EXAMPLES)]
    assert {f"open-{slug}" for slug in slugs} <= shown.keys()


def test_a_paste_that_would_close_the_connection_is_not_taken_and_the_limit_is_said(page):
    page.open()

    assert 3 * page.app.text_area(key="paste").max_chars < 25 * 2**20
    assert "text up to 8 million characters" in page.html


@pytest.mark.parametrize("slug", ["kafka-9987-fresh", "kafka-9987-leave"])
def test_a_link_opens_a_variant(page, slug):
    page.open("compare", sample=slug)

    assert page.address["sample"] == slug
    assert not page.warnings


def test_a_link_to_home_with_an_example_opens_it_and_its_candidate_is_on_assignors(page):
    page.open(sample="lag-aware", candidate="roundrobin").open("compare")

    assert "Worst member under roundrobin" in page.kpis


def test_a_clean_paste_of_one_group_opens_the_group_at_once(page):
    page.paste(HEADER + PAYMENTS)

    assert page.scope == "payments"
    page.open("compare")
    assert page.kpis["Lag"] == "130"
    assert page.table["current"][1] == "1 / 1"


BURROW = """{"error": false, "status": {"cluster": "local", "group": "payments", "status": "WARN",
"partitions": [{"topic": "orders", "partition": 0, "owner": "/10.4.1.17", "client_id": "pay-a",
"end": {"offset": 1000}, "current_lag": 100}, {"topic": "orders", "partition": 1, "owner": "",
"client_id": "", "end": {"offset": 1000}, "current_lag": 30}]}}"""
"""What `/v3/kafka/local/consumer/payments/lag` answers: it names no member."""


@pytest.mark.parametrize("text", [BURROW, HEADER + "payments orders 0 10 110 100 - - -\n"])
def test_one_group_opens_its_overview_whatever_the_format_and_without_a_member_too(page, text):
    page.paste(text)

    assert page.scope == "payments"
    assert "read" not in page.address


def _at(moment, group_id, *lags):
    """A group document of one member that owns all partitions of one topic."""
    partitions, owned = (
        [{} if lag is None else {"lag": lag} for lag in lags],
        {"orders": list(range(len(lags)))},
    )
    member = {"member_id": "a", "subscribed": ["orders"], "owned": owned}
    document = {
        "format": "evenkeel.group/1",
        "group_id": group_id,
        "taken_at": moment,
        "topics": [{"name": "orders", "partitions": partitions}],
        "members": [member],
    }
    return json.dumps(document) + "\n"


def _listed(page):
    return [
        (name, *(row[key] for key in ("lag", "members", "partitions")))
        for name, row in page.groups.items()
    ]


def test_several_groups_open_the_list_of_groups_most_lag_first(page):
    earlier, later = "2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"
    page.paste(
        _at(earlier, "payments", 5000, 0)
        + _at(later, "payments", 100, 30)
        + _at(later, "refunds", 900, None, None)
    )

    assert page.counts == "2 are fine"
    assert _listed(page) == [("refunds", "≥ 900", "1", "3"), ("payments", "130", "1", "2")]


def test_a_group_whose_lag_is_unknown_is_never_counted_as_fine(page):
    page.paste(
        HEADER
        + PAYMENTS.replace(" 100 ", " - ").replace(" 30 ", " - ").replace(" 10 ", " - ")
        + REFUNDS.replace("0 900 900", "900 900 0")
    )

    assert page.counts == "1 needs you, 1 is fine"
    assert _listed(page) == [("refunds", "0", "1", "1")]


@pytest.mark.parametrize(
    ("text", "group_id"),
    [("GROUP    STATE\nnight batch Stable\n", "night batch"), ("payments\nrefunds\n", "payments")],
)
def test_a_list_of_groups_shows_dashes_for_what_it_does_not_say_and_what_to_print_next(
    page, text, group_id
):
    page.paste(text)

    assert not page.findings
    assert page.groups[group_id]["lag"] == "–"
    quoted = f"'{group_id}'" if " " in group_id else group_id
    assert (
        page.app.code[0].value == "kafka-consumer-groups.sh --bootstrap-server … --describe --group"
        f" {quoted}\nkafka-consumer-groups.sh --bootstrap-server … --describe --members"
        f" --verbose --group {quoted}"
    )


@pytest.mark.parametrize("text", [" \n", "Error: Consumer group 'x' does not exist.\n"])
def test_an_input_without_a_group_says_the_next_step(page, text):
    page.open("open")
    page.app.file_uploader(key="files").upload("blank.txt", text.encode(), "text/plain").run()
    page.app.button(key="read-paste").click().run()

    assert "This input has no consumer group" in page.app.info[0].value
    assert "--describe --group" in page.app.code[0].value


def test_rows_from_the_middle_of_a_listing_name_the_header_to_put_above_them(page):
    page.paste(PAYMENTS)

    assert page.app.info[0].value.startswith("The header line is missing")
    assert page.app.code[0].value == HEADER.strip()


def test_members_alone_name_the_command_that_prints_partitions(page):
    page.paste(
        "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\npayments pay-a-0f3c /10.4.1.17 pay-a 1\n"
    )
    page.open("compare")

    assert "has members but no partitions" in page.app.info[0].value
    assert "--describe --group" in page.app.code[0].value
    assert not page.component("candidate")


def test_a_member_whose_partitions_are_only_counted_is_not_left_standing_as_idle(page):
    page.paste(
        HEADER
        + PAYMENTS
        + "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\npayments pay-c-9 /10.4.1.19 pay-c 2\n"
    )
    page.open("compare")

    assert r"pay\-c: not idle" in page.app.warning[0].value


def test_the_same_content_twice_is_read_once_and_told(page):
    table = b"topic,partition,lag,owner\norders,0,5,a\n"
    page.upload(("x.csv", table), ("y.csv", table))

    assert [toast.value for toast in page.app.toast] == [
        "1 file with the same content as another file: read once."
    ]
    assert page.open("compare").kpis["Lag"] == "5"


def test_two_files_of_one_name_are_both_read(page):
    page.upload(
        *[
            ("x.txt", (HEADER + PAYMENTS.replace("payments", group)).encode())
            for group in ("payments", "refunds")
        ]
    )

    assert page.kpis["Groups"] == "2"


def test_the_limit_of_an_upload_is_one_number_everywhere(page):
    page.open("open")

    assert page.app.file_uploader(key="files").proto.max_upload_size_mb == 200
    assert uploads.LIMIT_BYTES == 200 * 2**20
    assert "files up to 200 MB together, larger files with evenkeel ingest PATH" in page.html
    assert st.get_option("server.maxUploadSize") == 200


def test_an_upload_of_several_files_is_one_group(page):
    page.open()
    members = "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\n" + "".join(
        f"payments pay-{name} /10.4.1.17 pay-{name[0]} {count}\n"
        for name, count in (("a-0f3c", 1), ("b-7ac2", 1), ("c-1", 0))
    )

    page.app.file_uploader(key="files").upload(
        "offsets.txt", (HEADER + PAYMENTS).encode(), "text/plain"
    )
    page.app.file_uploader(key="files").upload("members.txt", members.encode(), "text/plain").run()
    page.app.button(key="read-paste").click().run()

    page.open("compare")
    assert page.kpis["Members"] == "3"
    assert "⚠ idle 1" in page.html


def test_bad_input_is_one_line_and_no_traceback(page, monkeypatch):
    def refuse(files, **options):
        raise SnapshotError("pasted text: a PNG picture, expected a listing")

    monkeypatch.setattr(uploads, "upload", refuse)

    page.paste("PNG")

    assert page.errors == ["pasted text: a PNG picture, expected a listing"]
    assert not page.app.exception


def test_an_empty_paste_says_what_to_do(page):
    page.paste("  \n ")

    assert "Nothing is pasted yet" in page.app.warning[0].value


def test_names_of_an_upload_are_shown_letter_by_letter(page):
    page.paste(HEADER + "<b>x</b> <script>alert(1)</script> 0 1 3 2 =cmd()-1 /h <i>a\n").open(
        "compare"
    )

    assert "&lt;b&gt;x&lt;/b&gt;" in page.html
    assert "<script>" not in page.html
    assert "<script>" not in page.app.get("plotly_chart")[0].proto.spec


def test_a_message_that_quotes_mark_up_shows_it_letter_by_letter(page, monkeypatch):
    def refuse(files, **options):
        raise SnapshotError("[x](javascript:alert(1)) <b>")

    monkeypatch.setattr(uploads, "upload", refuse)

    page.paste("x")

    assert page.app.error[0].value == r"\[x\]\(javascript\:alert\(1\)\) &lt;b\>"


def test_an_upload_that_has_been_deleted_is_told_in_one_line(page, lake):
    page.paste(HEADER + PAYMENTS)
    shutil.rmtree(lake / "imports")

    page.open("compare")

    assert "uploaded data is deleted after 24 h. Paste or upload it again." in page.errors[0]
    assert not page.app.exception


def test_a_listing_without_members_says_which_one_has_them(page):
    page.paste(HEADER + "payments orders 0 10 110 100 - - -\n")
    page.open("compare")

    assert "has no members" in page.app.info[0].value


def test_a_group_whose_members_are_gone_shows_its_lag_and_what_is_stuck(page):
    page.paste(
        HEADER
        + "payments orders 0 10 110 100 - - -\npayments orders 1 10 10 0 - - -\npayments orders 2"
        " 10 60 50 - - -\n"
    )
    page.open("compare")

    assert page.kpis == {"Lag": "150", "Worst partition": "100", "No owner": "2", "Partitions": "3"}
    assert page.app.dataframe[0].value[["Partition", "Lag, records"]].values.tolist() == [
        ["orders-0", 100],
        ["orders-2", 50],
        ["orders-1", 0],
    ]
    assert "has no members" in page.app.info[0].value


@pytest.mark.parametrize(
    "told",
    [
        "\nConsumer group 'payments' has no active members.\n\n",
        (
            "GROUP                     COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE        "
            "   #MEMBERS\npayments                  broker-2:9092 (2)                             "
            " Empty           0\n\n"
        ),
    ],
)
def test_a_listing_that_says_that_no_member_is_active_needs_no_other_listing(page, told):
    page.paste(told + HEADER + "payments orders 0 10 110 100 - - -\n")

    assert "members are not in this input" not in page.html
    page.open("compare")
    assert [part.value for part in page.app.info] == [
        "No consumer is running: the listing says that this group has no active members. Its lag"
        " grows until a consumer starts."
    ]


def test_another_group_without_members_says_nothing_of_this_one(page):
    page.paste(
        "Consumer group 'refunds' has no active members.\n\n"
        + HEADER
        + "payments orders 0 10 110 100 - - -\n"
    )
    page.open("compare")

    assert "has no members" in page.app.info[0].value


def test_lag_that_nobody_knows_is_unknown_in_a_group_without_members_too(page):
    page.paste(HEADER + "payments orders 0 - 110 - - - -\n")
    page.open("compare")

    assert {"Lag", "Worst partition", "No owner"}.isdisjoint(page.kpis)
