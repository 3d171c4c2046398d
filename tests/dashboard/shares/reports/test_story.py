"""What each step does, in the words of What-if, wherever a share is told: its page, its reports,
and the API.
"""

import json
import re
from html import unescape

import pytest

from evenkeel.dashboard.shares import menu, report_files
from evenkeel.dashboard.shares.loading.opened import open_share
from evenkeel.dashboard.shares.reports.markdown import markdown
from evenkeel.dashboard.shares.reports.pages import html_page
from evenkeel.data.scenarios.application_edits import AnyApplicationEdit
from evenkeel.data.scenarios.edits import EDITS
from evenkeel.data.scenarios.scenario.decode import decode_scenario
from evenkeel.data.scenarios.scenario.draft import Draft, NamedSteps, text_of
from evenkeel.data.text.formats import NARROW
from tests.dashboard.shares import test_shared_application as applications
from tests.dashboard.shares_by_hand import answered

FIRST, SECOND = "pay-eu-01-id", "pay-eu-02-id"
GROUP = {
    "format": "evenkeel.group/1",
    "group_id": "payments",
    "type": "classic",
    "assignor": "range",
    "topics": [
        {"name": name, "partitions": [{"lag": 40}, {"lag": 60}]} for name in ("orders", "refunds")
    ],
    "members": [
        {
            "member_id": member_id,
            "client_id": member_id.removesuffix("-id"),
            "subscribed": ["orders", "refunds"],
            "generation": 1,
        }
        | {"owned": {"orders": [place], "refunds": [place]}}
        for place, member_id in enumerate((FIRST, SECOND))
    ],
}
STORY = {
    "set_owners": ({"owners": {FIRST: {"orders": [1]}}}, "owners of 1 partition as planned"),
    "set_rack": ({"member_ids": [FIRST], "rack": "a"}, "pay-eu-01 in rack a"),
    "set_instance_id": (
        {"member_id": FIRST, "instance_id": "i-1"},
        "pay-eu-01 becomes static, i-1",
    ),
    "set_subscription": (
        {"member_ids": [FIRST], "topics": ["orders"]},
        "pay-eu-01 subscribes to orders",
    ),
    "add_topic": ({"name": "audit", "partitions": 3}, "audit appears with 3 partitions"),
    "set_partition_count": ({"topic": "orders", "count": 5}, "orders grows to 5 partitions"),
    "set_lag": ({"topic": "orders", "partition": 1, "lag": 9000}, "orders-1 lags 9,000 records"),
    "scale_lag": ({"topic": "orders", "factor": 2}, "lag of orders × 2"),
    "add_members": ({"count": 2, "like": FIRST}, "2 members join, like pay-eu-01"),
    "remove_members": ({"member_ids": [SECOND]}, "pay-eu-02 stops"),
    "restart_members": (
        {"member_ids": [FIRST], "together": True, "seed": 1},
        "pay-eu-01 restarts, in one rebalance",
    ),
    "remove_topic": ({"name": "refunds"}, "refunds is deleted"),
    "advance": ({"seconds": 3600, "in_rate": {"*": 1}, "capacity": {"*": 2}}, "1 hour passes"),
}
"""In an order in which each edit can follow the one before."""

WC_1, WC_2 = applications.FIRST, applications.SECOND
TASK_STORY = {
    "remove_processes": ({"process_ids": [WC_1]}, "wc-1 dies"),
    "return_processes": ({"process_ids": [WC_1], "disk": True}, "wc-1 comes back with its disk"),
    "add_processes": ({"like": WC_1, "count": 1}, "1 instance like wc-1 joins"),
    "set_settings": ({"settings": {"num.standby.replicas": 1}}, "num.standby.replicas = 1"),
    "advance": ({"seconds": 600}, "10 minutes pass"),
}

pytestmark = pytest.mark.usefixtures("cookies")


@pytest.fixture
def freeze(page, monkeypatch):
    """Return a function that freezes steps of the group, as a reader does on What-if, and returns
    the id of the share.
    """
    # AppTest runs no fragment alone.
    monkeypatch.setattr(menu.st, "rerun", lambda scope="app": None)

    def frozen(*ops: str, **link: str) -> str:
        opened = page.paste(json.dumps(GROUP)).open("compare").address["opened"]
        document = {
            "format": "evenkeel.scenario/1",
            "group": GROUP,
            "steps": [{"edits": [{"op": op} | STORY[op][0]]} for op in ops],
        }
        steps = text_of(
            Draft([NamedSteps(None, decode_scenario(json.dumps(document).encode()).steps)])
        )
        tab = page.anew().open("whatif", opened=opened, steps=steps, candidate="sticky", **link)
        _draw_dialog(tab)
        tab.app.text_input(key="share-title").set_value("told")
        tab.app.button(key="share-freeze").click()
        _draw_dialog(tab)
        return tab.app.session_state["share-made"]

    return frozen


def _draw_dialog(tab) -> None:
    tab.app.session_state["share-asked"] = True
    tab.app.run()


def reports(share_id: str, step: int) -> tuple[str, str]:
    """Return the texts of a share's reports, HTML and Markdown."""
    reported = report_files.of_share(open_share(share_id, None), step, "sticky")
    body = re.sub(r"(?s)<(script|style).*?</\1>", " ", html_page(*reported[:2]))
    return unescape(" ".join(re.sub("<[^>]*>", " ", body).split())), markdown(
        reported.report
    ).replace("\\", "")


def test_every_edit_is_in_the_story():
    assert STORY.keys() == EDITS.keys()
    assert TASK_STORY.keys() == {edit.__struct_config__.tag for edit in AnyApplicationEdit.__args__}


def test_the_sentence_of_each_edit_stands_on_the_page_of_its_share_in_both_reports_and_in_the_api(
    freeze, page
):
    share_id = freeze(*STORY)
    sentences = [sentence for _, sentence in STORY.values()]

    shown = page.anew().open("shared", share=share_id, part="answers")
    html, text = reports(share_id, len(STORY))

    assert [card["name"] for card in shown.component("cards")["cards"]] == ["as listed", *sentences]
    assert [
        sentence for sentence in sentences if sentence not in html or sentence not in text
    ] == []
    assert [one["what"] for one in answered(share_id)["result"][0]["advice"]] == [
        "as listed",
        *sentences,
    ]


def test_the_sentence_of_each_edit_of_an_application_stands_on_the_page_of_its_share(
    page, monkeypatch
):
    steps = [{"edits": [{"op": op} | arguments]} for op, (arguments, _) in TASK_STORY.items()]
    monkeypatch.setitem(applications.SCENARIO, "steps", steps)

    page.open("shared", share=applications.share())

    said = page.app.selectbox(key="share-task-step").options
    assert said == [
        f"{place}  {sentence}"
        for place, sentence in enumerate(["as listed", *(told for _, told in TASK_STORY.values())])
    ]


TOLD = """\
After pay-eu-02 stops and 2 members join, like pay-eu-01, **sticky** lowers the worst member \
**to 80 records**; range, in use, lowers it to 120 records. It moves **2** of \
4 partitions (4 under range) and pauses 4.

- Worst member, lag against in use: **80** −33 % of 120
- Moved in step 2: **2** 4 in use
- Moved in all 2 steps: **4** 6 in use
- Idle members: **0** 1 in use
"""


def test_a_share_of_two_steps_tells_them_in_their_order_in_html_and_markdown(freeze):
    html, text = reports(freeze("remove_members", "add_members"), 2)

    assert TOLD in text.replace(NARROW, " ")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Who",
        "## What helps",
        "## Why",
        "## 1 · pay-eu-02 stops",
        "## 2 · 2 members join, like pay-eu-01",
    ]
    assert [line for line in text.splitlines() if line.startswith("| sticky")] == [
        f"| sticky  | 4 / 4 | 120 | 200 | +67{NARROW}% | 1.00 | 0 | 2 | 120 | 4 | 4 | 8 | 200 |",
        f"| sticky  | 2 / 1 | 200 | 80 | −60{NARROW}% | 1.20 | 0 | 2 | 120 | 4 | 4 | 8 | 200 |",
    ]
    assert (
        "0 as listed worst 120 2 moves 4 paused 1 pay-eu-02 stops worst 200 2 moves 4 paused 2 2"
        " members join, like pay-eu-01 worst 80" in html
    )
    first = "1 · pay-eu-02 stops 2 → 1 member · each assignor starts from the group as listed"
    second = (
        "2 · 2 members join, like pay-eu-01 1 → 3 members · each assignor starts from the end of"
        " its own step 1"
    )
    assert 0 < html.index(first) < html.index(second) < html.index("How to read it.")


def test_figures_stand_below_the_table_of_the_step_that_the_report_shows_in_full(freeze):
    page = html_page(
        *report_files.of_share(
            open_share(freeze("remove_members", "add_members"), None), 1, "sticky"
        )[:2]
    )

    marks = [found[0] for found in re.finditer(r"<h2>\d · |<figure ", page)]

    assert marks[0] == "<h2>1 · "
    assert marks[-1] == "<h2>2 · "
    assert set(marks[1:-1]) == {"<figure "}
