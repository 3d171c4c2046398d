import tomllib
from pathlib import Path

import pytest

from evenkeel.data.commands.main import main

COMMANDS = ("assign", "compare", "snapshot", "groups", "ingest")


def ended(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return end.value.code


@pytest.mark.parametrize(
    "arguments", [[], ["nope"], ["assign"], ["compare", "x", "--nope"], ["snapshot", "--group"]]
)
def test_a_wrong_call_is_one_line_and_exit_code_2(arguments, capsys):
    assert ended(arguments) == 2

    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert captured.err.startswith("evenkeel")


def test_an_option_that_a_command_does_not_have_is_told_by_the_command(capsys):
    assert ended(["replay", "scenario.json", "--step", "9"]) == 2

    assert (
        capsys.readouterr().err
        == "evenkeel replay: unrecognized arguments: --step 9; see evenkeel replay --help\n"
    )


def test_an_argument_too_many_is_told_with_the_expected_call(capsys):
    assert ended(["history", "payments.txt"]) == 2

    assert capsys.readouterr().err == (
        "evenkeel history: payments.txt is an argument too many, expected evenkeel history"
        " --group payments; see evenkeel history --help\n"
    )


@pytest.mark.parametrize("group", [[], ["--group", "payments"]])
def test_a_cluster_that_is_not_configured_is_told_with_those_that_are(
    group, tmp_path, monkeypatch, capsys
):
    (tmp_path / "evenkeel.toml").write_text(
        '[clusters.production]\n"bootstrap.servers" = "127.0.0.1:1"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    assert main(["compare", "--cluster", "nope", *group]) == 2
    assert (
        capsys.readouterr().err
        == 'evenkeel compare: no cluster "nope": expected one of: production\n'
    )


@pytest.mark.parametrize("command", ["compare", "snapshot"])
def test_no_path_is_a_wrong_call(command, capsys):
    assert main([command]) == 2

    assert (
        capsys.readouterr().err
        == f"evenkeel {command}: no PATH, expected a listing, CSV or group document, or - for"
        " standard input\n"
    )


@pytest.mark.parametrize("arguments", [["--help"], *([command, "--help"] for command in COMMANDS)])
def test_help_teaches_by_example(arguments, capsys):
    assert ended(arguments) == 0

    out = capsys.readouterr().out
    assert "example" in out
    assert " ".join(["evenkeel", *arguments[:-1]]) in out.partition("example")[2]


def test_the_version_is_that_of_the_package(capsys):
    assert ended(["--version"]) == 0

    assert (
        capsys.readouterr().out
        == f"evenkeel {tomllib.loads(Path('pyproject.toml').read_text())['project']['version']}\n"
    )


def test_a_fault_is_one_line_and_exit_code_2(monkeypatch, capsys):
    def fails(*arguments):
        raise OSError(28, "No space left on device\nsecond line")

    monkeypatch.setattr("evenkeel.data.sources.snapshot_command.inputs_of", fails)

    assert main(["snapshot", "x"]) == 2
    assert (
        capsys.readouterr().err
        == "evenkeel snapshot: failed, OSError: [Errno 28] No space left on device\\nsecond line\n"
    )


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_utc_cannot_hold_is_a_wrong_call(time, capsys):
    assert ended(["ingest", "x", "--taken-at", time]) == 2

    assert capsys.readouterr().err.startswith(
        f"evenkeel ingest: argument --taken-at: '{time}' is no instant of the years 1 to 9999"
        " in UTC"
    )
