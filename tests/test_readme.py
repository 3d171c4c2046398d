"""What a reader copies from the README works as it stands there."""

import re
import shlex
from pathlib import Path
from textwrap import dedent

import pytest

from evenkeel.data.commands.main import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """The folder of a reader who has saved the listing under the name that the text gives."""
    (name, listing) = re.findall(
        r"save this listing as `(.*?)`:\s+```\n( *GROUP .*?)^ *```$",
        README,
        re.MULTILINE | re.DOTALL,
    )[0]
    (tmp_path / name).write_text(dedent(listing))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("saved")
def test_the_listing_can_be_copied_and_read(capsys):
    assert main(["compare", "describe.txt", "--fail-if", "total_lag != 210000"]) == 0

    captured = capsys.readouterr()
    assert captured.out.splitlines()[2] == "payments · members 2 · topics 1 · partitions 3"
    assert captured.err == ""


@pytest.mark.usefixtures("saved")
def test_the_examples_that_name_a_listing_run_as_they_are_copied(capsys):
    commands = re.findall(r"^    evenkeel (.*\.txt.*)$", README, re.MULTILINE)
    (code,) = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)

    # Two members read 210,000 records unevenly: both conditions hold.
    assert [main(shlex.split(command)) for command in commands] == [1, 1]
    exec(code, {})
    assert "Both members that read orders are behind" in capsys.readouterr().out


def test_the_names_of_columns_are_those_of_the_help(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "--help"])

    (listed,) = re.findall(
        r"TSV file, for (.*?); Evenkeel guesses", " ".join(capsys.readouterr().out.split())
    )
    (line,) = re.findall(
        r"^The names are (.*)\.$", (ROOT / "docs/command-line.md").read_text(), re.MULTILINE
    )
    assert re.findall("`(.*?)`", line) == listed.split(", ")


@pytest.mark.parametrize("file", ["README.md", "docs/glossary.md"])
@pytest.mark.parametrize("sign", ["`≥ 2,245`", "`≈ 1.43`", "`max_lag_share`"])
def test_signs_and_figures_of_the_table_are_explained(file, sign):
    assert sign in (ROOT / file).read_text()
