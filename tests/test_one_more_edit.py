"""One more edit is its file: the form, the list, the command line, JSON and reports take the rest
from what it says of itself.
"""

import json

import pytest

from tests.house import ROOT

SWAP = '''
"""`swap_members`: two members take each other's rack."""

from typing import ClassVar

from evenkeel.data.group.columns.observed import ObservedGroup
from evenkeel.data.scenarios.edits.edit import MEMBERS, EditPlace, Form, GroupEdit, Names
from evenkeel.data.scenarios.edits.edit import require_members, said
from evenkeel.data.scenarios.edits.set_rack import SetRack


class SwapMembers(GroupEdit, frozen=True, kw_only=True, tag="swap_members"):
    """Exactly two members."""

    form: ClassVar = Form(13, "Members swap racks", "swap_horiz", (MEMBERS,))

    member_ids: list[str]

    def in_words(self, names: Names) -> str:
        who, ending = said(self.member_ids, names)
        return f"{who} swap{ending} racks"

    def apply(self, group: ObservedGroup, at: EditPlace) -> ObservedGroup:
        require_members(group, self.member_ids, at)
        if len(self.member_ids) != 2:
            raise at.refusal("member_ids", f"found {len(self.member_ids)}, expected 2 members")
        rows = [group.snapshot.member_id.index(each) for each in self.member_ids]
        racks = [group.snapshot.rack_of(row) for row in rows]
        for member, rack in zip(self.member_ids, reversed(racks), strict=True):
            group = SetRack(member_ids=[member], rack=rack).apply(group, at)
        return group
'''
RENAME = '''
"""`rename_process`: a process gets another client id."""

from typing import ClassVar

import msgspec

from evenkeel.data.scenarios.application_edits.application_edit import (
    ApplicationEdit, ApplicationState, require_process, with_processes
)
from evenkeel.data.scenarios.edits.edit import FIRST, EditPlace, Field, Form, Names


class RenameProcess(ApplicationEdit, frozen=True, kw_only=True, tag="rename_process"):
    """Its tasks stay."""

    form: ClassVar = Form(
        6,
        "An instance is renamed",
        "edit",
        (Field("process_id", "Instance", "process", FIRST), Field("to", "To", "text")),
    )

    process_id: str
    to: str

    def in_words(self, names: Names) -> str:
        return f"{names.get(self.process_id, self.process_id)} is now {self.to}"

    def apply(self, state: ApplicationState, at: EditPlace) -> ApplicationState:
        require_process(state.document.processes, self.process_id, at, "process_id")
        processes = [
            msgspec.structs.replace(
                each, client_id=self.to if each.process_id == self.process_id else each.client_id
            )
            for each in state.document.processes
        ]
        return state._replace(document=with_processes(state.document, processes), last=None)
'''
GROUP = {
    "format": "evenkeel.group/1",
    "group_id": "payments",
    "type": "classic",
    "assignor": "range",
    "topics": [
        {
            "name": "orders",
            "partitions": [{"lag": lag, "racks": [rack]} for lag, rack in ((5, "a"), (9, "b"))],
        }
    ],
    "members": [
        {
            "member_id": name,
            "client_id": name,
            "rack": rack,
            "subscribed": ["orders"],
            "owned": {"orders": [place]},
            "generation": 3,
        }
        for place, (name, rack) in enumerate((("pay-a", "a"), ("pay-b", "b")))
    ],
}
SCENARIO = {
    "format": "evenkeel.scenario/1",
    "group": GROUP,
    "settings": {"assignors": ["range"]},
    "steps": [{"edits": [{"op": "swap_members", "member_ids": ["pay-a", "pay-b"]}]}],
}
PAGES = """
import json
from streamlit.testing.v1 import AppTest
from evenkeel.dashboard.shares import report_files
from evenkeel.dashboard.shares.loading.frozen import freezable, freeze, usual_expiry
from evenkeel.dashboard.shares.loading.opened import open_share
from evenkeel.dashboard.shares.reports.pages import html_page
from evenkeel.dashboard.shell.loading.views import begun
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.scenarios.edits.swap_members import SwapMembers
from evenkeel.data.scenarios.scenario.scenario import Step
from tests.dashboard.conftest import ENTRY, Page

def opened(name, **link):
    return Page(AppTest.from_file(ENTRY, default_timeout=300)).open(name, **link)

def menu(page, key):
    buttons = [each.proto for each in page.app.get("menu_button")]
    return next(list(each.options) for each in buttons if key in each.id)

def what_if():
    page = opened("whatif", sample="two-consumers")
    shown = {"menu": menu(page, "what-if-add")}
    page.app.menu_button(key="what-if-add").click("swap_members").run()
    chosen = page.app.multiselect(key="swap_members-member_ids-None")
    chosen.set_value(chosen.options[:2])
    page.app.button(key="form-add").click().run()
    return shown | {"step": page.app.button(key="step-1").label}

def streams():
    page = opened("streams", sample="kip-441")
    shown = {"menu": menu(page, "streams-what-if")}
    page.app.menu_button(key="streams-what-if").click("rename_process").run()
    page.app.text_input(key="rename_process-to-None").set_value("first")
    page.app.button(key="form-add").click().run()
    return shown | {"step": page.app.button(key="step-1").label}

def report():
    group = OpenGroup(slug="two-consumers")
    members = list(begun(group).own.observed.snapshot.member_id)
    what = freezable(group, [Step(edits=[SwapMembers(member_ids=members)])], 0.1)
    texts = {"title": "told", "note": "", "author": ""}
    made = freeze(what, **texts, keep=usual_expiry(), redact=(), owner=None, forked_from=None)
    report, figures, *_ = report_files.of_share(open_share(made.share_id, None), 1, "range")
    return html_page(report, figures)

print(json.dumps({"what-if": what_if(), "streams": streams(), "report": report()}))
"""


@pytest.fixture(scope="module")
def tree(copied_tree):
    edits = {
        "data/scenarios/edits/swap_members.py": SWAP,
        "data/scenarios/application_edits/rename_process.py": RENAME,
    }
    with copied_tree.adding(edits, {}) as tree:
        yield tree


def _printed(tree, *arguments):
    done = tree.run(*arguments)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_an_edit_is_one_new_file(tree):
    assert len(tree.added) == 2
    assert tree.more_lines == {}


def test_the_command_line_and_json_have_it(tree, tmp_path):
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(SCENARIO))

    printed = _printed(tree, "-m", "evenkeel", "replay", str(path))
    head, *lines = map(json.loads, printed.splitlines())

    assert head["format"] == "evenkeel.replay/1"
    assert [(line["step"], line["assignment"]) for line in lines] == [
        (0, {"pay-a": {"orders": [0]}, "pay-b": {"orders": [1]}}),
        # KIP-881: range gives a partition to the member in its rack.
        (1, {"pay-a": {"orders": [1]}, "pay-b": {"orders": [0]}}),
    ]


def test_the_command_line_has_one_of_an_application(tree, tmp_path):
    group = json.loads((ROOT / "data/sources/examples/samples/kip-441.json").read_text())
    steps = [
        {
            "edits": [
                {
                    "op": "rename_process",
                    "process_id": group["processes"][0]["process_id"],
                    "to": "first",
                }
            ]
        }
    ]
    path = tmp_path / "application.json"
    path.write_text(json.dumps({"format": "evenkeel.scenario/1", "group": group, "steps": steps}))

    printed = _printed(
        tree, "-m", "evenkeel", "replay", str(path), "--assignor", "high-availability"
    )
    _, *lines = map(json.loads, printed.splitlines())

    assert [(line["step"], line["error"]) for line in lines] == [(0, None), (1, None)]
    assert lines[1]["assignment"] == lines[0]["assignment"]


@pytest.fixture(scope="module")
def pages(tree):
    """The pages and a report, drawn by one process: its imports take longer than the pages."""
    return json.loads(_printed(tree, "-c", PAGES).splitlines()[-1])


def test_what_if_has_its_form_and_its_sentence_in_the_list_of_steps(pages):
    assert pages["what-if"]["menu"][-3] == ":material/swap_horiz: Members swap racks"
    assert "swap racks" in pages["what-if"]["step"]


def test_streams_has_the_form_and_the_sentence_of_one_of_an_application(pages):
    assert pages["streams"]["menu"][-1] == ":material/edit: An instance is renamed"
    assert pages["streams"]["step"].endswith("is now first**")


def test_a_report_tells_it(pages):
    assert "swap racks" in pages["report"]
