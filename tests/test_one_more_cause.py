"""One more cause of a diagnosis is its file, its places in the two orders, and its words: command,
JSON, conditions and library take it from there.
"""

import json

import pytest

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
        lambda finding, names: (
            f"{names.member(0)} is lonely: {number(finding.figures['lag'])} records."
        ),
        _always("Send it a friend."),
    ),
"""
LISTING = """\
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
g t 0 0 20 20 a-1 /10.0.0.1 a
"""


@pytest.fixture(scope="module")
def tree(copied_tree):
    with copied_tree.adding(
        {"assignors/diagnosis/causes/lonely.py": CAUSE},
        {
            "assignors/diagnosis/finding.py": (('    IDLE = "idle"\n', '    LONELY = "lonely"\n'),),
            "assignors/diagnosis/diagnosis.py": (
                ("    idle,\n    lagging,\n", "    lonely,\n"),
                ("    uneven,\n    lagging,\n", "    lonely,\n"),
            ),
            "data/diagnosis/words.py": (("\nWORDS = words_over_time.WORDS | {", WORDS.rstrip()),),
        },
    ) as tree:
        yield tree


def test_a_cause_is_one_new_file_and_three_files_with_its_places(tree):
    assert tree.added == {"assignors/diagnosis/causes/lonely.py"}
    assert set(tree.more_lines) == {
        "assignors/diagnosis/finding.py",
        "assignors/diagnosis/diagnosis.py",
        "data/diagnosis/words.py",
    }


def test_the_command_begins_with_its_sentence_and_advice(tree):
    done = tree.run("-m", "evenkeel", "diagnose", "-", text=LISTING)

    assert done.stdout.splitlines()[:2] == [
        "a (10.0.0.1) is lonely: 20 records.",
        "Send it a friend.",
    ]


def test_json_has_its_code_and_a_condition_counts_it(tree):
    done = tree.run(
        "-m", "evenkeel", "diagnose", "-", "--json", "--fail-if", "lonely > 0", text=LISTING
    )

    assert (json.loads(done.stdout)["headline"], done.returncode) == ("lonely", 1)


def test_the_library_gives_its_sentence(tree):
    done = tree.run(
        "-c",
        "import evenkeel, sys; print(evenkeel.read(sys.stdin.read()).group().diagnosis)",
        text=LISTING,
    )

    assert done.stdout == "a (10.0.0.1) is lonely: 20 records.\n"
