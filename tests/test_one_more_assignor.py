"""One more assignor is its file and one entry in the registry: every room takes the rest from what
it says of itself.
"""

import importlib.util
import json

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.dashboard.shell import cache
from evenkeel.dashboard.shell.loading.plugins import known
from evenkeel.data.commands.main import main
from evenkeel.data.compare.assign_command import answer
from evenkeel.data.pipeline import uploads
from tests.assignors.documentation import undocumented
from tests.dashboard.conftest import ENTRY, AppTest, Page
from tests.generated.small_documents import document

FILE = '''
"""Hoarding: the first member gets everything."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment
from evenkeel.assignors.protocol import Assignor


@dataclass(frozen=True)
class HoardingAssignor(Assignor):
    name: ClassVar[str] = "hoarding"
    protocol: ClassVar[str] = "hoarding"
    group_type: ClassVar[str] = "classic"
    is_cooperative: ClassVar[bool] = False
    java_class: ClassVar[str] = "org.example.HoardingAssignor"
    label: ClassVar[str] = "KIP-0"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)
    quirk_owner: ClassVar[str] = "the hoarder"

    def assign(self, group):
        return Assignment(np.zeros(group.tp_count, dtype=np.int32))
'''


@pytest.fixture(autouse=True)
def hoarding(tmp_path, monkeypatch):
    """Written, registered, and forgotten again with all that was kept of it."""
    path = tmp_path / "hoarding.py"
    path.write_text(FILE)
    spec = importlib.util.spec_from_file_location("hoarding", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(ASSIGNORS, "hoarding", module.HoardingAssignor)
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    _forget()
    yield
    _forget()


def _forget():
    cache.ALL.clear()
    known.clear()


@pytest.fixture
def page(monkeypatch):
    # No page of these tests reads a listing.
    monkeypatch.setattr(uploads, "start", lambda: None)
    return Page(AppTest.from_file(ENTRY, default_timeout=300))


@pytest.fixture
def across_racks(tmp_path):
    """The replica of t-0 lies in the rack of B, that of t-1 in the rack of A."""
    written = document({"t": [{"racks": ["b"]}, {"racks": ["a"]}]}, A="t", B="t") | {
        "group_id": "across"
    }
    for member, rack in zip(written["members"], "ab", strict=True):
        member["rack"] = rack
    path = tmp_path / "group.json"
    path.write_text(json.dumps(written))
    return path


def test_the_comparison_has_its_row_with_what_it_says_of_itself(page):
    page.open("compare", sample="two-consumers", candidate="hoarding")

    row = next(row for row in page.rows if row["name"] == "hoarding")
    assert [row["note"], row["why"], row["cells"][1]["text"]] == [
        "KIP-0",
        "not in Kafka: a jar of your own, which only Java members load (KIP-0)",
        "6 / 0",
    ]
    assert not page.app.exception
    assert [box.label for box in page.app.expander if box.label.startswith("How to apply")] == [
        "How to apply hoarding"
    ]


def test_what_the_second_member_had_moves_to_the_first(page):
    page.open("moves", sample="two-consumers", candidate="hoarding")

    assert not page.app.exception
    assert page.kpis == {
        "Kept": "4",
        "Moved": "2",
        "Members that change": "2",
        "Eager switch": "6 paused",
    }


def test_the_command_line_compares_it_and_says_whose_behaviour_strikes(across_racks, capsys):
    assert main(["compare", str(across_racks), "--json", "--assignor", "hoarding"]) == 0

    row = json.loads(capsys.readouterr().out)["rows"][1]
    assert (row["assignor"], row["max_partitions"], row["min_partitions"], row["quirks"]) == (
        "hoarding",
        2,
        0,
        ["Q-10"],
    )
    assert row["remarks"] == [
        (
            "A gets partitions of t without a replica in its rack, because this assignor ignores"
            " racks: behaviour Q-10 of the hoarder"
        ),
        "not in Kafka: a jar of your own (KIP-0)",
    ]


def test_the_command_line_compares_it_without_being_asked_for_it(across_racks, capsys):
    assert main(["compare", str(across_racks)]) == 0

    assert "hoarding" in capsys.readouterr().out


def test_the_command_line_answers_requests_for_it(across_racks):
    request = {"assignor": "hoarding", "group": json.loads(across_racks.read_text())}

    found = answer(json.dumps(request).encode())

    assert (found.assignment, found.error) == ({"A": {"t": [0, 1]}, "B": {}}, None)


def test_the_documentation_check_names_it():
    assert undocumented(ASSIGNORS) == ["hoarding"]
