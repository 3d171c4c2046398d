"""Compare: the assignor in use and the candidate that is shown first."""

import pytest

from evenkeel.assignors.diagnosis.finding import GAIN
from evenkeel.dashboard.shell.loading.answer_facts import first_candidate
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.sources.examples.worked_examples import WORKED_EXAMPLES
from tests.dashboard.pasted import HEADER, PAYMENTS


def test_the_row_of_the_assignor_in_use_is_marked_and_says_no_change(page):
    page.open("compare", sample="idle-under-range", candidate="range")

    assert [row["name"] for row in page.rows if row["inUse"]] == ["range"]
    assert page.table["range"][-1] == "no change"
    assert page.app.subheader[0].value == "range is in use"
    assert (
        "No change: the group uses it now. Its next rebalance would keep every partition where it"
        " is and pause 30 partitions, in 1 round." in page.html
    )
    assert "Every partition pauses" not in page.html


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        ("lag-aware", "range"),
        ("idle-under-range", "roundrobin"),
        ("three-consumers-kafka-0.10", "cooperative-sticky"),
        ("kafka-9987", "sticky"),
    ],
)
def test_the_first_candidate_is_the_named_switch_else_the_one_in_use_else_the_best_of_kafka(
    page, slug, name
):
    page.open("compare", sample=slug)

    assert page.app.selectbox(key="candidate").value == name
    assert page.address == {"sample": slug}


def test_a_candidate_that_a_person_chose_stays_for_the_next_group(page):
    page.open("compare", sample="two-consumers").app.selectbox(key="candidate").set_value(
        "sticky"
    ).run()
    page.paste(f"{HEADER}{PAYMENTS}").open("compare")

    assert page.app.selectbox(key="candidate").value == "sticky"


def test_no_worked_example_starts_with_an_assignor_that_needs_a_jar(page):
    assert "lag" not in {
        first_candidate(OpenGroup(slug=example.slug), GAIN) for example in WORKED_EXAMPLES
    }


def test_how_to_apply_a_candidate_is_there_to_copy_and_not_for_the_assignor_in_use(page):
    page.open("compare", sample="idle-under-range", candidate="cooperative-sticky")
    page.app.session_state["apply"] = True
    page.app.run()

    assert [code.value for code in page.app.code][
        -1
    ] == "partition.assignment.strategy=org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
    page.app.segmented_control(key="apply-client").set_value("librdkafka").run()
    assert [code.value for code in page.app.code] == [
        "partition.assignment.strategy=cooperative-sticky"
    ]

    page.app.selectbox(key="candidate").set_value("range").run()
    assert not page.app.code


# As Kafka 2.3 to 3.x prints --describe --state: the type of the group is not among the columns.
STATE = (
    "GROUP     COORDINATOR (ID)   ASSIGNMENT-STRATEGY  STATE   #MEMBERS\npayments  broker-2:9092"
    " (2)  {}  Stable  2\n\n"
)


@pytest.mark.parametrize(("assignor", "is_unclear"), [("range", True), ("roundrobin", False)])
def test_an_assignor_that_clients_and_brokers_have_says_why_no_row_is_in_use(
    page, assignor, is_unclear
):
    page.paste(STATE.format(assignor) + HEADER + PAYMENTS).open("compare")

    (badge,) = [
        badge
        for badge in page.app.markdown
        if f"[:material/account_tree: {assignor}]" in badge.value
    ]
    why = (
        "range can be the clients' or the brokers' assignor. The listing does not say which, so no"
        " row is marked “in use”."
    )
    assert badge.help == "The assignor that the group uses now" + f". {why}" * is_unclear
    assert any(row["inUse"] for row in page.rows) is not is_unclear
