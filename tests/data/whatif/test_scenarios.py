"""Scenarios on the command line: replay, and compare and snapshot in place of a file."""

import io
import json
import sys
from pathlib import Path

import msgspec
import pytest

from evenkeel.data.commands.main import main
from tests.data.scenarios.scenarios import PAYMENTS, scenario

STEPS = (
    [{"op": "remove_members", "member_ids": ["pay-b"]}],
    [{"op": "add_members", "like": "pay-a", "count": 1, "seed": 7}],
)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scenario.json"
    path.write_bytes(msgspec.json.encode(scenario(*STEPS, assignors=("sticky", "range"))))
    return str(path)


def lines(capsys) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_replay_writes_the_hashes_and_a_line_for_each_step_and_assignor(file, capsys):
    assert main(["replay", file]) == 0

    head, *answers = lines(capsys)
    assert head.keys() == {"format", "content_hash", "result_hash", "engine", "advice"}
    assert head["format"] == "evenkeel.replay/1"
    assert [(one["step"], one["reason"]) for one in head["advice"]] == [
        (0, "behind"),
        (1, None),
        (2, None),
    ]
    assert [(one["step"], one["assignor"]) for one in answers] == [
        (step, name) for step in range(3) for name in ("sticky", "range")
    ]
    dies = answers[2]
    assert dies["assignment"] == {"pay-a": {"orders": [0, 1, 2, 3]}}
    assert dies["owned_before"] == {"pay-a": {"orders": [0, 1]}, "pay-b": {"orders": [2, 3]}}
    figures = {
        key: dies[key]
        for key in (
            "rounds",
            "never_ends",
            "moved_partitions",
            "moved_lag",
            "paused_partitions",
            "max_lag",
            "error",
        )
    }
    assert figures == {
        "rounds": 1,
        "never_ends": False,
        "moved_partitions": 2,
        "moved_lag": 320,
        "paused_partitions": 4,
        "max_lag": 1340,
        "error": None,
    }


def test_replay_asks_the_assignors_that_are_named(file, capsys):
    assert main(["replay", file, "--assignor", "lag"]) == 0

    assert [one["assignor"] for one in lines(capsys)[1:]] == ["lag"] * 3


def test_replay_reads_standard_input(file, capsys, monkeypatch):
    text = Path(file).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))

    assert main(["replay", "-"]) == 0
    assert len(lines(capsys)) == 7


def test_compare_takes_the_last_step_or_the_one_that_is_named(file, capsys):
    def moved(*options: str) -> dict[str, int]:
        assert main(["compare", file, "--json", *options]) == 0
        return {row["assignor"]: row["moved_partitions"] for row in lines(capsys)[0]["rows"]}

    assert moved("--step", "1") == {"current": 0, "sticky": 2, "range": 2}
    assert moved() == moved("--step", "2") == {"current": 0, "sticky": 2, "range": 2}
    assert moved("--step", "0") == {"current": 0, "sticky": 0, "range": 0}


def test_a_condition_is_about_the_step(file):
    assert (
        main(
            [
                "compare",
                file,
                "--step",
                "1",
                "--assignor",
                "sticky",
                "--fail-if",
                "max_partitions > 3",
            ]
        )
        == 1
    )
    assert (
        main(
            [
                "compare",
                file,
                "--step",
                "2",
                "--assignor",
                "sticky",
                "--fail-if",
                "max_partitions > 3",
            ]
        )
        == 0
    )


def test_snapshot_writes_the_group_that_a_scenario_starts_from(file, capsys):
    assert main(["snapshot", file]) == 0

    (document,) = lines(capsys)
    assert document["group_id"] == "payments"
    assert document["members"] == [
        {key: value for key, value in member.items() if value is not None}
        for member in PAYMENTS["members"]
    ]


def refused(capsys, tmp_path, text: str, *command: str) -> str:
    path = tmp_path / "wrong.json"
    path.write_text(text)
    assert main([*command, str(path)]) == 2
    return capsys.readouterr().err.strip().partition(": ")[2]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"format": "evenkeel.scenario/2"},
            '$.format: found "evenkeel.scenario/2", expected "evenkeel.scenario/1"',
        ),
        ({"group": PAYMENTS | {"members": 3}}, "$.group.members: found 3, expected array or null"),
        (
            {"steps": [{"edits": [{"op": "kill"}]}]},
            "$.steps[0].edits[0].op: found 'kill', expected one of add_members, ",
        ),
        (
            {"steps": [{"edits": [{"op": "remove_members", "member_ids": ["x"]}]}]},
            'steps[0].edits[0].member_ids[0]: no member "x"',
        ),
        (
            {"settings": {"assignors": ["best"]}},
            'settings.assignors: found "best", expected one of range, ',
        ),
        (
            {"settings": {"kafka_version": "four"}},
            "settings: range: kafka_version is 'four', expected a release such as 4.3.1",
        ),
        ({"title": "x"}, "$: object contains unknown field `title`, expected a scenario "),
    ],
)
def test_what_is_wrong_is_refused_with_its_path(change, told, capsys, tmp_path):
    text = json.dumps({"format": "evenkeel.scenario/1", "group": PAYMENTS, "steps": []} | change)

    assert refused(capsys, tmp_path, text, "replay").startswith(told)


def test_other_files_are_no_scenario(capsys, tmp_path):
    assert refused(capsys, tmp_path, json.dumps(PAYMENTS), "replay").endswith(
        "no scenario, expected a JSON document with format evenkeel.scenario/1"
    )
    assert (
        refused(capsys, tmp_path, json.dumps(PAYMENTS), "compare", "--step", "1")
        == "--step 1 without a scenario: only scenarios have steps"
    )


def test_a_step_that_the_scenario_does_not_have_is_refused(file, capsys):
    assert main(["compare", file, "--step", "3"]) == 2
    assert (
        capsys.readouterr().err
        == "evenkeel compare: --step 3: the scenario has 2 steps, expected 0 to 2\n"
    )


def test_a_scenario_stands_alone(file, capsys, tmp_path):
    (tmp_path / "other.json").write_text(json.dumps(PAYMENTS))

    assert main(["compare", file, str(tmp_path / "other.json")]) == 2
    assert (
        capsys.readouterr().err
        == "evenkeel compare: 2 files, one of them a scenario, expected only a scenario\n"
    )


MILLIONS = {
    "format": "evenkeel.group/1",
    "topics": [{"name": "t", "partitions": 10_000_000}],
    "members": [],
}
TOLD = (
    "the group has 10,000,000 partitions and 0 members and takes 2.5 GB, expected at most 1 GB"
    " ([limits.command_line] group)"
)


@pytest.fixture
def one_gigabyte(tmp_path, monkeypatch):
    (tmp_path / "evenkeel.toml").write_text('[limits.command_line]\ngroup = "1 GB"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))


@pytest.mark.parametrize("command", ["replay", "compare", "snapshot"])
def test_a_scenario_beyond_the_budget_of_commands_is_refused_with_the_setting(
    command, one_gigabyte, tmp_path, capsys
):
    (tmp_path / "scenario.json").write_text(
        json.dumps({"format": "evenkeel.scenario/1", "group": MILLIONS})
    )

    assert main([command, str(tmp_path / "scenario.json")]) == 2

    assert capsys.readouterr().err == f"evenkeel {command}: $.group.topics[0].partitions: {TOLD}\n"


@pytest.mark.parametrize("command", ["compare", "snapshot"])
def test_a_group_document_beyond_the_budget_of_commands_is_refused_with_the_setting(
    command, one_gigabyte, tmp_path, capsys
):
    (tmp_path / "group.json").write_text(json.dumps(MILLIONS))

    assert main([command, str(tmp_path / "group.json")]) == 2

    said = (
        "this group has 10,000,000 partitions and 0 members and needs about 2.5 GB, expected at"
        " most 1 GB ([limits.command_line] group)"
    )
    assert capsys.readouterr().err == f"evenkeel {command}: {said}\n"


def test_a_request_of_assign_beyond_the_budget_of_commands_is_refused_with_the_setting(
    one_gigabyte, monkeypatch, capsysbinary
):
    request = json.dumps({"assignor": "range", "group": MILLIONS}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(request)))

    assert main(["assign", "--jsonl"]) == 1

    error = json.loads(capsysbinary.readouterr().out)["error"]
    assert (error["type"], error["message"]) == (
        "RequestError",
        f"group.topics[0].partitions: {TOLD}",
    )
