"""A scenario without rates on the command line: they come from the lake, and are written into the
result.
"""

import json

import msgspec
import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.group.columns.from_tables import observed_from_tables
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.scenarios.edits.advance import Advance
from evenkeel.data.scenarios.edits.remove_members import RemoveMembers
from evenkeel.data.scenarios.scenario.scenario import Settings, Step, scenario_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import plan_with_stall

GROUP = "group-0000"


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """An hour of a group whose member 3 read nothing from slot 30 to 60."""
    folder = tmp_path_factory.mktemp("rates")
    write_lake(place_of(folder), plan_with_stall(30, 60))
    return folder


@pytest.fixture
def scenario(lake, tmp_path):
    """As of slot 90, while member 3 works off its lag."""
    batch = sorted(one.batch for one in store.batches(place_of(lake)))[90]
    observed = observed_from_tables(*store.tables(place_of(lake), batch, GROUP), GROUP)
    steps = [
        Step(edits=[Advance(seconds=60)]),
        Step(edits=[RemoveMembers(member_ids=["member-0-4b1e"])]),
    ]
    return written(
        tmp_path / "scenario.json",
        msgspec.to_builtins(scenario_of(observed, steps, Settings(assignors=["sticky"]))),
    )


def written(path, scenario):
    path.write_bytes(msgspec.json.encode(scenario))
    return path


def replayed(capsys, *arguments):
    assert main(["replay", *map(str, arguments)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_rates_are_written_into_the_result_and_need_the_lake_no_more(
    lake, scenario, tmp_path, capsys
):
    head, *lines = replayed(capsys, scenario, "--lake", lake)
    (edit,) = head["steps"][0]["edits"]

    assert len(edit["in_rate"]["topic-0000"]) == 8
    assert "member-3-4b1e" in edit["capacity"]
    assert "*" in edit["capacity"]
    # Slot 90 is the last one that was known at the scenario's moment, 00:45:00 after the begin.
    assert edit["measured"]["until"] == "2026-11-02T00:45:01Z"

    whole = written(
        tmp_path / "whole.json", json.loads(scenario.read_text()) | {"steps": head["steps"]}
    )
    again, *same = replayed(capsys, whole, "--lake", tmp_path / "none")
    assert same == lines
    assert again == {key: value for key, value in head.items() if key != "steps"}


def test_without_a_history_the_error_names_what_is_missing(scenario, tmp_path, capsys):
    assert main(["replay", str(scenario), "--lake", str(tmp_path / "none")]) == 2

    said = capsys.readouterr().err
    assert (
        'has no snapshot of group "group-0000" up to 2026-11-02T00:45:00Z: expected in_rate and'
        " capacity in the edit" in said
    )


def test_compare_takes_the_rates_of_the_configured_lake(lake, scenario, monkeypatch, capsys):
    monkeypatch.setenv("EVENKEEL_LAKE", str(lake))

    assert main(["compare", str(scenario), "--step", "1", "--json"]) == 0
    assert [row["assignor"] for row in json.loads(capsys.readouterr().out)["rows"]] == [
        "current",
        "sticky",
    ]
