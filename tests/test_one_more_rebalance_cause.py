"""One more cause of a rebalance is the message of the coordinator that shows it, and its row of
words: command, JSON, the page and shares take it from there.
"""

import json

import pytest

from tests.data.rebalances.test_from_log import adds, begins, ends, log

MESSAGE = """
    (re.compile(r"Operator .* enforced a rebalance", re.S), "enforced_by_operator"),
"""
WORDS = """
    "enforced_by_operator": CauseWords(
        "enforced",
        "enforced it",
        "was told to begin",
        "talk to your operator",
        Look("☎", "hourglass", 2),
    ),
"""
LOG = log(
    begins(0, 2, "Operator mira enforced a rebalance"),
    *ends(1, 3),
    begins(60, 3, adds("pay-c-1")),
    *ends(61, 4, 3),
).decode()
PAGE = """
import json, sys
from streamlit.testing.v1 import AppTest
from evenkeel.data.configuration import configuration
from evenkeel.data.pipeline import uploads
from evenkeel.data.rebalances.store import store_logs
from tests.dashboard.conftest import ENTRY, Page

uploads.start = lambda: None
log = store_logs(configuration().lake, [("server.log", sys.stdin.read().encode())])
page = Page(AppTest.from_file(ENTRY, default_timeout=300)).open("rebalances", log=log)
assert not page.app.exception, page.app.exception
print(json.dumps([row["cells"] for row in page.component("candidate")["rows"]]))
"""
SHARE = """
import sys
from tests.data.rebalances.test_from_log import events
from tests.data.shares.redaction.test_rebalances import hidden

print(hidden(*events(sys.stdin.read().encode()), group="pay"))
"""


@pytest.fixture(scope="module")
def tree(copied_tree):
    with copied_tree.adding(
        {},
        {
            "data/rebalances/reading/reasons.py": (("\n_OTHERS = (", MESSAGE.rstrip()),),
            "data/rebalances/words.py": (("\nCAUSES = {", WORDS.rstrip()),),
        },
    ) as tree:
        yield tree


def test_a_cause_is_a_message_and_a_row_in_two_files(tree):
    assert tree.added == set()
    assert set(tree.more_lines) == {
        "data/rebalances/reading/reasons.py",
        "data/rebalances/words.py",
    }


def test_the_command_names_it_and_gives_its_advice(tree):
    done = tree.run("-m", "evenkeel", "rebalances", "-", text=LOG)

    assert done.returncode == 0, done.stderr
    rebalance, row = (line for line in done.stdout.splitlines() if "enforced" in line)
    assert rebalance.split()[2:] == ["2→3", "2", "1.0", "–", "enforced"]
    assert row.split() == ["enforced", "1", "1.0", "1.0", "–", *["talk", "to", "your", "operator"]]


def test_json_has_it_with_the_reason(tree):
    done = tree.run("-m", "evenkeel", "rebalances", "-", "--json", text=LOG)

    first = json.loads(done.stdout.splitlines()[0])
    assert (first["cause"], first["triggers"][0]["reason"]) == (
        "enforced_by_operator",
        "Operator mira enforced a rebalance",
    )


def test_the_page_has_its_row_with_its_look(tree):
    done = tree.run("-c", PAGE, text=LOG)

    assert done.returncode == 0, done.stderr[-3000:]
    cells = json.loads(done.stdout.splitlines()[-1])[0]
    assert (cells[0]["mark"], cells[0]["text"], cells[0]["className"]) == (
        "☎",
        "enforced",
        "member-2",
    )
    assert cells[7]["text"] == "talk to your operator"


def test_a_share_with_hidden_names_has_it_without_the_operator(tree):
    done = tree.run("-c", SHARE, text=LOG)

    assert '"cause": "enforced_by_operator"' in done.stdout, done.stderr
    assert "mira" not in done.stdout
