"""Every text of a document leaves as a stand-in where all kinds do, and stands in the preview."""

import json

import msgspec
import pytest

from evenkeel.data.group.document import decode, decode_application
from evenkeel.data.scenarios.run.results import application_result, result_of
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario, decode_scenario
from evenkeel.data.shares.redaction import KINDS, preview, redacted
from tests.data.shares.redaction import planted

_ODD = {
    "canary.setting": "canary-value",
    "rack.aware.assignment.strategy": "canary-strategy",
    "rack.aware.assignment.tags": "canary-a, canary-b",
}


def _scenario(group):
    return {"format": "evenkeel.scenario/1", "group": group, "settings": {}, "steps": []}


def _lines_of_group(scenario):
    return lines_of(result_of(decode_scenario(json.dumps(scenario).encode())))


def _lines_of_application(scenario):
    return lines_of(application_result(decode_any_scenario(json.dumps(scenario).encode())))


_CASES = {
    "group": (planted.group(), _lines_of_group, decode),
    "application": (planted.application(), _lines_of_application, decode_application),
    "odd settings": (planted.application(_ODD), lambda scenario: [], decode_application),
}


@pytest.mark.parametrize("case", _CASES)
def test_no_text_of_a_document_is_in_the_payload_and_what_leaves_is_a_document(case):
    document, lines, decoded = _CASES[case]
    assert decoded(json.dumps(document))

    payload = redacted(_scenario(document), msgspec.to_builtins(lines(_scenario(document))), KINDS)

    assert [
        text
        for text in planted.texts(list(payload))
        for canary in planted.CANARIES
        if canary in text
    ] == []
    assert decoded(json.dumps(payload.scenario["group"]))


@pytest.mark.parametrize("case", _CASES)
def test_the_preview_lists_every_text_of_a_document(case):
    document, _, _ = _CASES[case]

    listed = {row.name for row in preview(_scenario(document), [], KINDS)}

    here = {
        text
        for text in planted.texts(document)
        if any(canary in text for canary in planted.CANARIES)
    }
    assert {text for text in here if text not in listed and text != "canary-a, canary-b"} == set()


def test_words_of_kafka_and_of_evenkeel_leave_as_they_are():
    known = {
        "auto_offset_reset": "by_duration:PT1H",
        "state": "Stable",
        "assignor": "cooperative-sticky",
        "type": "classic",
        "assumed": ["members[*].subscribed", "topics[0].partitions", "member order"],
    }

    scenario, _ = redacted(_scenario(planted.group() | known), [], KINDS)

    assert {key: scenario["group"][key] for key in known} == known
    assert preview(_scenario({"format": "evenkeel.group/1"} | known), [], KINDS) == []


def test_the_tags_of_the_settings_are_the_keys_of_the_clients_tags():
    scenario, _ = redacted(_scenario(planted.application()), [], KINDS)

    group = scenario["group"]
    assert group["settings"]["rack.aware.assignment.tags"] == list(
        group["processes"][0]["client_tags"]
    )
