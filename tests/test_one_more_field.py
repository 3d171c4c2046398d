"""One more field of the group document is its place in the document, its column and its place in an
observed group: documents, tables, programs and shares carry it from there.
"""

import json

import pytest

from tests.generated.small_documents import document

RUNBOOK = "https://example.org/payments"
GROUP = document({"t": [{"lag": 5}]}, A="t") | {"group_id": "payments", "runbook": RUNBOOK}
LISTING = """\
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
orders t 0 0 20 20 a-1 /10.0.0.1 a
"""
TABLES = """
import sys
from evenkeel.data.group.columns import document_of, observed_from_tables
from evenkeel.data.sources.inputs import read, readables

tables = read(readables([sys.stdin.read()]))
print(tables.members["runbook"].to_pylist())
group = observed_from_tables(tables.offsets, tables.members, tables.topics, "payments")
print(group.runbook, document_of(group)["runbook"])
"""
LIBRARY = """
import json, sys
import evenkeel

group = evenkeel.read(sys.stdin.read()).group()
print(json.dumps(group.to_dict()))
"""
SHARE = """
import json, sys
from evenkeel.data.shares.redaction import KINDS, redacted

scenario = {"format": "evenkeel.scenario/1", "group": json.load(sys.stdin), "steps": []}
print(json.dumps(redacted(scenario, [], KINDS)))
"""


@pytest.fixture(scope="module")
def tree(copied_tree):
    with copied_tree.adding(
        {},
        {
            "data/group/document/shape.py": (
                ("    protocol_type: str | None = None\n", "    runbook: str | None = None\n"),
                ('\nGROUP_FACTS = ("protocol_type", ', '"runbook", '),
            ),
            "data/group/tables/schemas.py": (
                (
                    '        ("protocol_type", "string"),\n',
                    '        ("runbook", "string"),\n',
                ),
            ),
            "data/group/columns/observed.py": (
                ("    protocol_type: str | None = None\n", "    runbook: str | None = None\n"),
            ),
        },
    ) as tree:
        yield tree


def test_a_field_is_three_files(tree):
    assert tree.added == set()
    assert set(tree.more_lines) == {
        "data/group/document/shape.py",
        "data/group/tables/schemas.py",
        "data/group/columns/observed.py",
    }


def test_a_document_keeps_it_through_the_command_line_and_a_listing_has_none(tree):
    done = tree.run("-m", "evenkeel", "snapshot", "-", text=json.dumps(GROUP))
    listed = tree.run("-m", "evenkeel", "snapshot", "-", text=LISTING)

    assert json.loads(done.stdout)["runbook"] == RUNBOOK, done.stderr
    assert "runbook" not in json.loads(listed.stdout)


def test_the_tables_carry_it_in_the_row_of_the_group(tree):
    done = tree.run("-c", TABLES, text=json.dumps(GROUP))

    assert done.stdout.splitlines() == [
        f"['{RUNBOOK}', None]",
        f"{RUNBOOK} {RUNBOOK}",
    ], done.stderr


def test_the_library_gives_it(tree):
    done = tree.run("-c", LIBRARY, text=json.dumps(GROUP))

    assert json.loads(done.stdout)["runbook"] == RUNBOOK, done.stderr


def test_a_share_has_a_stand_in_for_it(tree):
    done = tree.run("-c", SHARE, text=json.dumps(GROUP))

    redacted, _ = json.loads(done.stdout)
    assert redacted["group"]["runbook"] == "word-01", done.stderr
