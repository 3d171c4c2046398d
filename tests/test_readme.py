"""What a reader copies from the README works as it stands there."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

from evenkeel.data.commands.main import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def test_the_listing_can_be_copied_and_read(tmp_path, capsys):
    (listing,) = re.findall(r"^ *```\n( *GROUP .*?)^ *```$", README, re.MULTILINE | re.DOTALL)
    path = tmp_path / "copied.txt"
    path.write_text(dedent(listing))

    assert main(["compare", str(path), "--fail-if", "total_lag != 210000"]) == 0

    captured = capsys.readouterr()
    assert captured.out.splitlines()[2] == "payments · members 2 · topics 1 · partitions 3"
    assert captured.err == ""


def test_the_names_of_columns_are_those_of_the_help(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "--help"])

    (listed,) = re.findall(
        r"for any of (.*?); Evenkeel guesses", " ".join(capsys.readouterr().out.split())
    )
    (line,) = re.findall(
        r"^The names are (.*)\.$", (ROOT / "docs/command-line.md").read_text(), re.MULTILINE
    )
    assert re.findall("`(.*?)`", line) == listed.split(", ")


@pytest.mark.parametrize("file", ["README.md", "docs/glossary.md"])
@pytest.mark.parametrize("sign", ["`≥ 2,245`", "`≈ 1.43`", "`max_lag_share`"])
def test_signs_and_figures_of_the_table_are_explained(file, sign):
    assert sign in (ROOT / file).read_text()
