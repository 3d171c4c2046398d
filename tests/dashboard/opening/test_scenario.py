"""A scenario's JSON in the box."""

import json

import pytest

from evenkeel.data.sources.examples.worked_examples import SAMPLES
from tests.dashboard.stepped import STOPS

GROUP = json.loads((SAMPLES / "lag-aware.json").read_text())
SCENARIO = {
    "format": "evenkeel.scenario/1",
    "name": "one fewer",
    "group": GROUP,
    "settings": {"kafka_version": "4.3.1"},
    "steps": [{"name": "C1 stops", "edits": [STOPS]}],
}


def test_a_pasted_scenario_opens_what_if_with_its_steps(page):
    page.paste(json.dumps(SCENARIO))

    assert not page.errors
    assert "worst 160\u202fk → 210\u202fk · 1 rebalance, 1 move" in page.html
    assert {"opened", "steps"} <= set(page.address)


def test_a_scenario_without_steps_opens_what_if_with_the_group_as_listed(page):
    page.paste(json.dumps(SCENARIO | {"steps": []}))

    assert "0 · as listed" in page.html
    assert "steps" not in page.address


def test_the_address_that_a_scenario_leads_to_opens_it_in_another_browser(page):
    page.paste(json.dumps(SCENARIO))

    again = page.anew().open("whatif", **page.address)

    assert "worst 160\u202fk → 210\u202fk · 1 rebalance, 1 move" in again.html


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"format": "evenkeel.scenario/2"},
            '$.format: found "evenkeel.scenario/2", expected "evenkeel.scenario/1"',
        ),
        (
            {"steps": [{"edits": [{"op": "destroy"}]}]},
            "$.steps[0].edits[0].op: found 'destroy', expected one of add_members",
        ),
        (
            {"group": {"format": "evenkeel.group/1", "members": [{"subscribed": []}]}},
            "$.group.members[0].member_id",
        ),
    ],
)
def test_a_wrong_scenario_is_refused_with_its_path_and_stays_in_the_box(page, change, said):
    text = json.dumps(SCENARIO | change)

    page.paste(text)

    (error,) = page.errors
    assert error.startswith(f"pasted text: {said}")
    assert page.app.text_area(key="paste").value == text


def test_a_step_that_names_who_is_not_there_opens_and_says_so(page):
    page.paste(json.dumps(SCENARIO | {"steps": [{"edits": [STOPS | {"member_ids": ["C9"]}]}]}))

    assert 'no member "C9"' in " ".join([page.html, *page.errors]).replace("&quot;", '"')


def test_a_scenario_beside_other_files_is_refused(page):
    page.open("open")
    files = [
        ("scenario.json", json.dumps(SCENARIO).encode(), "application/json"),
        ("a.txt", b"x", "text/plain"),
    ]
    page.app.file_uploader(key="files").set_value(files).run()
    page.app.button(key="read-paste").click().run()

    assert page.errors == [
        "scenario.json: a scenario contains its group, so open it without the 1 other file"
    ]
