"""One more cause is its file, its places in the two orders, and its words: command, JSON,
conditions and library take it from there.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

CAUSE = '''
"""Lonely: the group has one member."""

from evenkeel.assignors.diagnosis.case import Case
from evenkeel.assignors.diagnosis.finding import Code, Finding, Severity

CODE = Code.LONELY


def find(case: Case) -> Finding | None:
    """Return the finding."""
    if case.member_count != 1:
        return None
    return Finding(CODE, Severity.WARNING, members=(0,), lag=case.base, figures={"lag": case.base})
'''
WORDS = """
    Code.LONELY: Words(
        "Lonely",
        lambda finding, names: f"{names.member(0)} is lonely: {number(finding.figures['lag'])} records.",
        _always("Send it a friend."),
    ),
}
"""
LISTING = """\
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
g t 0 0 20 20 a-1 /10.0.0.1 a
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the tree with the cause."""
    place = tmp_path_factory.mktemp("tree") / "evenkeel"
    shutil.copytree(
        ROOT / "evenkeel",
        place,
        ignore=shutil.ignore_patterns("__pycache__", "assignors", "data", "dashboard"),
    )
    for floor in ("assignors", "data"):
        shutil.copytree(ROOT / floor, place / floor, ignore=shutil.ignore_patterns("__pycache__"))
    room = place / "assignors/diagnosis"
    (room / "causes/lonely.py").write_text(CAUSE)
    _insert(room / "finding.py", '    IDLE = "idle"\n', '    LONELY = "lonely"\n')
    _insert(room / "diagnosis.py", "    lagging,\n", "    lonely,\n", times=2)
    words = place / "data/diagnosis/words.py"
    before, _, after = words.read_text().rpartition("}\n")
    words.write_text(before + WORDS.lstrip("\n") + after)
    (place.parent / "listing.txt").write_text(LISTING)
    return place.parent


def _insert(file: Path, behind: str, line: str, times: int = 1) -> None:
    text = file.read_text()
    assert text.count(behind) == times
    file.write_text(text.replace(behind, behind + line))


def _run(copy, *arguments):
    environment = os.environ | {"PYTHONPATH": str(copy)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_command_begins_with_its_sentence_and_advice(copy):
    done = _run(copy, "-m", "evenkeel", "diagnose", "listing.txt")

    assert done.stdout.splitlines()[:2] == [
        "a (10.0.0.1) is lonely: 20 records.",
        "Send it a friend.",
    ]


def test_json_has_its_code_and_a_condition_counts_it(copy):
    done = _run(
        copy, "-m", "evenkeel", "diagnose", "listing.txt", "--json", "--fail-if", "lonely > 0"
    )

    assert (json.loads(done.stdout)["headline"], done.returncode) == ("lonely", 1)


def test_the_library_gives_its_sentence(copy):
    done = _run(
        copy, "-c", "import evenkeel; print(evenkeel.read('listing.txt').group().diagnosis)"
    )

    assert done.stdout == "a (10.0.0.1) is lonely: 20 records.\n"
