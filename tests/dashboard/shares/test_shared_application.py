"""Shared: a share of an application shows what each task assignor does and who has which task."""

import json
from datetime import timedelta

import msgspec
import pytest

from evenkeel.data.scenarios.run.results import application_result
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.shares.share import Frozen
from evenkeel.data.shares.store import shares
from tests.generated.small_applications import EXAMPLE_APPLICATION

FIRST, SECOND = (process["process_id"] for process in EXAMPLE_APPLICATION["processes"])
pytestmark = pytest.mark.usefixtures("cookies")

SCENARIO = {
    "format": "evenkeel.scenario/1",
    "group": EXAMPLE_APPLICATION,
    "settings": {"assignors": ["high-availability", "streams-sticky"]},
    "steps": [{"edits": [{"op": "remove_processes", "process_ids": [FIRST]}]}],
}


def share(change=lambda lines: None, redact=()) -> str:
    """Store a share of the scenario and return its id; `change`: what its lines said when it was
    frozen.
    """
    scenario = decode_any_scenario(json.dumps(SCENARIO).encode())
    lines = json.loads(msgspec.json.encode(lines_of(application_result(scenario))))
    change(lines)
    frozen = Frozen(
        msgspec.to_builtins(scenario),
        lines,
        "one dies",
        timedelta(days=1),
        "",
        "",
        tuple(redact),
        None,
    )
    return shares().make(frozen, None).share_id


def table(page) -> dict[str, str]:
    """The row of each assignor as text."""
    rows = (
        page.html.split('<div class="restarts downtimes">')[1]
        .split("<tbody>")[1]
        .split("</tbody>")[0]
        .split("</tr>")
    )
    return {row.split("<th>")[1].split("<")[0].strip(): row for row in rows if "<th>" in row}


def test_a_share_shows_each_assignor_and_the_tasks_of_each_instance_at_its_last_step(page):
    page.open("shared", share=share())

    assert set(table(page)) == {"high-availability", "streams-sticky"}
    holders = page.app.dataframe[0].value
    # One of two instances has died: the other has all tasks.
    assert len(holders) == 1
    assert not page.errors
    assert set(holders["Active"][0].split(", ")) == {
        task["task_id"] for task in EXAMPLE_APPLICATION["tasks"]
    }


def test_the_address_names_the_step_and_the_assignor(page):
    page.open("shared", share=share(), step="0", candidate="streams-sticky")

    assert len(page.app.dataframe[0].value) == 2
    assert "streams-sticky" in page.app.subheader[0].value


def test_where_the_answers_of_now_differ_both_figures_stand_in_the_cell(page):
    def other(lines):
        lines[0] |= {"result_hash": "0" * 64, "engine": "0.0.9"}
        next(
            line
            for line in lines[1:]
            if line["step"] == 1 and line["assignor"] == "high-availability"
        )["moved_tasks"] = 77

    page.open("shared", share=share(other))

    assert "was 77" in table(page)["high-availability"]
    assert "<b>1 of " in page.html
    assert "Frozen with engine 0.0.9" in page.html


@pytest.mark.parametrize("redact", [KINDS])
def test_a_redacted_share_tells_what_was_computed_on_the_true_names(page, monkeypatch, redact):
    share_id = share(redact=redact)
    monkeypatch.setattr(
        "evenkeel.dashboard.shares.loading.opened.application_result",
        lambda scenario: pytest.fail("asked an assignor"),
    )

    page.open("shared", share=share_id)

    assert "cannot be recomputed here" in page.html
    assert EXAMPLE_APPLICATION["application_id"] not in page.html
    assert len(page.app.dataframe[0].value) == 1


def test_a_fork_opens_streams_with_its_steps(page):
    page.open("shared", share=share())

    page.app.button(key="fork").click().run()

    assert page.address["steps"]
    assert not page.errors
