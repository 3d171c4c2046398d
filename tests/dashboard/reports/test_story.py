"""What each step does, in the words of What-if, wherever a scenario is told: pages, reports, programs."""

import json
from html import unescape

import pytest

from dashboard.loading.sharing.freezable import Freezable
from dashboard.reports.html_page import html_page
from dashboard.reports.markdown import markdown
from dashboard.widgets.shares import report_of
from data.scenarios.advice import with_advice
from data.scenarios.edits import EDITS
from data.scenarios.run.lines import lines_of
from data.scenarios.run.member_names import titles_of
from data.scenarios.run.result import result_of
from data.scenarios.run.stored_result import stored_result
from data.scenarios.scenario.decode_scenario import decode_scenario

GROUP = {
    "format": "evenkeel.group/1",
    "group_id": "payments",
    "type": "classic",
    "assignor": "range",
    "topics": [{"name": name, "partitions": [{"lag": 40}, {"lag": 60}]} for name in ("orders", "refunds")],
    "members": [
        {"member_id": f"pay-eu-0{number}-id", "client_id": f"pay-eu-0{number}", "subscribed": ["orders", "refunds"], "generation": 1}
        | {"owned": {"orders": [number - 1], "refunds": [number - 1]}}
        for number in (1, 2)
    ],
}
FIRST = "pay-eu-01-id"
STORY = {
    "add_members": ({"count": 2, "like": FIRST}, "2 members join, like pay-eu-01"),
    "remove_members": ({"member_ids": ["pay-eu-02-id"]}, "pay-eu-02 stops"),
    "restart_members": ({"member_ids": [FIRST], "together": True, "seed": 1}, "pay-eu-01 restarts, in one rebalance"),
    "set_subscription": ({"member_ids": [FIRST], "topics": ["orders"]}, "pay-eu-01 subscribes to orders"),
    "set_rack": ({"member_ids": [FIRST], "rack": "a"}, "pay-eu-01 in rack a"),
    "set_instance_id": ({"member_id": FIRST, "instance_id": "i-1"}, "pay-eu-01 becomes static, i-1"),
    "set_partition_count": ({"topic": "orders", "count": 5}, "orders grows to 5 partitions"),
    "add_topic": ({"name": "audit", "partitions": 3}, "audit appears with 3 partitions"),
    "remove_topic": ({"name": "refunds"}, "refunds is deleted"),
    "set_lag": ({"topic": "orders", "partition": 1, "lag": 9000}, "orders-1 lags 9,000 records"),
    "scale_lag": ({"topic": "orders", "factor": 2}, "lag of orders × 2"),
    "advance": ({"seconds": 3600, "in_rate": {"*": 1}, "capacity": {"*": 2}}, "1 h pass"),
}


def told(*edits):
    """Return the result of a scenario with one edit a step, none of which has a name."""
    scenario = {"format": "evenkeel.scenario/1", "group": GROUP, "settings": {"assignors": ["range", "sticky"]}}
    return result_of(decode_scenario(json.dumps(scenario | {"steps": [{"edits": [edit]} for edit in edits]}).encode()))


def test_every_edit_is_in_the_story():
    assert STORY.keys() == EDITS.keys()


@pytest.mark.parametrize("op", STORY)
def test_the_sentence_of_an_edit_stands_in_report_markdown_and_the_lines_for_programs(op):
    arguments, sentence = STORY[op]
    result = told({"op": op} | arguments)
    lines = lines_of(result)

    reported = report_of.of_view(Freezable(result.scenario, lines, result), 1, "sticky")

    assert titles_of(result) == titles_of(stored_result(result.scenario, lines)) == [sentence]
    assert sentence in unescape(html_page(*reported[:2]))
    assert sentence in markdown(reported.report).replace("\\", "")
    assert [one["what"] for one in with_advice(lines, result)[0]["advice"]] == ["as listed", sentence]


def test_two_steps_stand_in_their_order():
    result = told(*({"op": op} | STORY[op][0] for op in ("remove_members", "add_members")))

    report = report_of.of_view(Freezable(result.scenario, lines_of(result), result), 2, "sticky").report

    assert list(report.names) == ["pay-eu-02 stops", "2 members join, like pay-eu-01"]
    assert "After pay-eu-02 stops and 2 members join, like pay-eu-01" in markdown(report).replace("\\", "")
