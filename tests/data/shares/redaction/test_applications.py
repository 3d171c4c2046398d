import json

from evenkeel.data.group.document import decode_application
from evenkeel.data.scenarios.run.results import application_result
from evenkeel.data.scenarios.run.walk import lines_of
from evenkeel.data.scenarios.scenario.decode import decode_any_scenario
from evenkeel.data.shares.redaction import KINDS, redacted
from tests.generated.small_applications import EXAMPLE_APPLICATION

FIRST, SECOND = (process["process_id"] for process in EXAMPLE_APPLICATION["processes"])
SCENARIO = {
    "format": "evenkeel.scenario/1",
    "group": EXAMPLE_APPLICATION,
    "settings": {"assignors": ["high-availability"]},
    "steps": [
        {"name": f"{FIRST} dies", "edits": [{"op": "remove_processes", "process_ids": [FIRST]}]},
        {
            "edits": [
                {"op": "advance", "seconds": 5, "restore_rates": {SECOND: 100.0, "*": 5.0}},
                {"op": "return_processes", "process_ids": [FIRST], "disk": False},
                {"op": "add_processes", "like": SECOND},
                {"op": "set_settings", "settings": {"max.warmup.replicas": 3}},
            ]
        },
    ],
}
NAMES = [FIRST, SECOND, "wordcount", "wc-1", "wc-2-a", "10.4.1.17", "words", '"x"', '"b"']


def _shared(kinds):
    lines = lines_of(application_result(decode_any_scenario(json.dumps(SCENARIO).encode())))
    return redacted(SCENARIO, json.loads(json.dumps(lines)), kinds)


def test_no_name_of_an_application_is_left_where_all_kinds_are_redacted():
    shared = _shared(KINDS)

    left = json.dumps([shared.scenario, shared.result])

    assert [name for name in NAMES if name in left] == []


def test_a_redacted_scenario_is_a_scenario_whose_processes_are_those_of_its_result():
    shared = _shared(KINDS)

    scenario = decode_any_scenario(json.dumps(shared.scenario).encode())

    processes = {process.process_id for process in scenario.group.processes}
    assert set(shared.result[1]["assignment"]) == processes
    assert scenario.steps[0].edits[0].process_ids[0] in processes
    assert set(scenario.group.restore_rates) < processes
    assert scenario.steps[1].edits[0].restore_rates.keys() - processes == {"*"}


def test_without_redaction_the_names_stay():
    assert decode_application(json.dumps(_shared(()).scenario["group"])) == decode_application(
        json.dumps(EXAMPLE_APPLICATION)
    )
