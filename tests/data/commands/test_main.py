import pytest

from data.commands.main import main


def ended(arguments: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return end.value.code


@pytest.mark.parametrize("arguments", [[], ["nope"], ["assign"], ["compare", "x", "--nope"], ["snapshot", "--group"]])
def test_a_wrong_call_is_one_line_and_exit_code_2(arguments, capsys):
    assert ended(arguments) == 2

    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert captured.err.startswith("evenkeel")


@pytest.mark.parametrize("command", ["compare", "snapshot"])
def test_no_path_is_a_wrong_call(command, capsys):
    assert main([command]) == 2

    assert capsys.readouterr().err == f"evenkeel {command}: no PATH, expected a listing, CSV or group document, or - for standard input\n"


@pytest.mark.parametrize("arguments", [["--help"], ["assign", "--help"], ["compare", "--help"], ["snapshot", "--help"]])
def test_help_teaches_by_example(arguments, capsys):
    assert ended(arguments) == 0

    assert "example" in capsys.readouterr().out
