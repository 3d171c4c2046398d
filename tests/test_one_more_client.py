"""One more family of clients is its file and one entry in the registry: every room takes the rest
from its record.
"""

import importlib.util
import json
from types import SimpleNamespace

import msgspec
import pytest

from evenkeel.assignors import CLIENTS
from evenkeel.dashboard.shares import report_files
from evenkeel.dashboard.shares.loading.frozen import freezable
from evenkeel.dashboard.shares.reports.markdown import markdown
from evenkeel.dashboard.shell import cache
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.commands.main import main
from evenkeel.data.compare.assign_command import answer
from evenkeel.data.group.columns import observed_from_document
from evenkeel.data.group.document import Leader, decode
from evenkeel.data.live.replay import replay
from evenkeel.data.live.wire.leader import told_by
from evenkeel.data.pipeline import uploads
from evenkeel.data.scenarios.leaders import possible_leaders
from evenkeel.data.shares.redaction import KINDS
from evenkeel.data.shares.redaction.redaction import redacted
from tests.assignors.documentation import undocumented_clients
from tests.dashboard.conftest import ENTRY, AppTest, Page
from tests.generated.small_documents import document

FILE = '''
"""zio-kafka: its round-robin gives everything to the last member."""

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from evenkeel.assignors.assignment import Assignment, Assumption
from evenkeel.assignors.clients.client import Client, ClientAssignor, Settings, by_name

FIBERS = Assumption("order of fibers", np.empty(0, dtype=np.int64))


@dataclass(frozen=True)
class ZioRingAssignor(ClientAssignor):
    client: ClassVar[str] = "zio"
    name: ClassVar[str] = "roundrobin"
    protocol: ClassVar[str] = "zio-ring"
    quirks: ClassVar[tuple[str, ...]] = ("Q-10",)

    def assign(self, group):
        owner = np.full(group.tp_count, group.member_count - 1, dtype=np.int32)
        return Assignment(owner, assumed=(FIBERS,))


CLIENT = Client(
    name="zio",
    assignors=by_name(ZioRingAssignor),
    no_function={"sticky": "fibers race"},
    assumes=(FIBERS,),
    releases="2.8",
    libraries="zio-kafka",
    default_client_id=re.compile("zio-.*"),
    sends=lambda sent, protocol: sent.user_data == b"zio",
    writes=lambda one, protocol: one.user_data == b"zio",
    settings=Settings("zio.strategy = {}", names={"roundrobin": "ByName"}, language="scala"),
)
'''
ORDERS = {"t": [{"racks": ["b"]}, {"racks": ["a"]}]}
LED = {"client": "zio", "certain": True}


@pytest.fixture(autouse=True)
def zio(tmp_path, monkeypatch):
    """Written, registered, and forgotten again with all that was kept of it."""
    path = tmp_path / "zio.py"
    path.write_text(FILE)
    spec = importlib.util.spec_from_file_location("zio", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(CLIENTS, "zio", module.CLIENT)
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    cache.ALL.clear()
    yield
    cache.ALL.clear()


@pytest.fixture
def led():
    """A classic group that it leads; the replica of t-0 lies in the rack of B, that of t-1 in the
    rack of A.
    """
    group = document(ORDERS, A="t", B="t") | {
        "group_id": "led",
        "type": "classic",
        "assignor": "zio-ring",
        "leader": LED,
    }
    for member, rack in zip(group["members"], "ab", strict=True):
        member |= {"rack": rack, "client_id": f"zio-{rack}"}
    return group


@pytest.fixture
def file(led, tmp_path):
    path = tmp_path / "group.json"
    path.write_text(json.dumps(led))
    return path


def compared(capsys, *options):
    assert main(["compare", *map(str, options), "--assignor", "roundrobin", "--json"]) == 0
    said = capsys.readouterr()
    return json.loads(said.out)["rows"][1], said.err


def test_a_document_says_that_it_leads_and_its_members_are_known_by_their_ids(led):
    read = decode(json.dumps(led))

    assert read.leader == Leader("zio", certain=True)
    assert possible_leaders(observed_from_document(msgspec.structs.replace(read, leader=None))) == [
        "zio"
    ]


def test_a_live_group_shows_it_in_the_bytes_of_its_members_and_of_its_leader():
    topics, user_data = b"\0\0\0\1\0\1t", b"\0\0\0\3zio"
    sent, given = b"\0\0" + topics + user_data, b"\0\0" + topics + b"\0\0\0\1\0\0\0\0" + user_data
    one = SimpleNamespace(client_id="app", member_metadata=sent, member_assignment=given)

    assert told_by([one], "zio-ring").possible == [{"zio"}]
    assert told_by([one, one], "zio-ring").leader == Leader("zio", certain=True)


def test_a_live_group_is_replayed_with_its_code(led):
    given = zip(led["members"], ({}, {"t": [0, 1]}), strict=True)
    members = [member | {"joined_with": {"owned": {}}, "owned": owned} for member, owned in given]

    found = replay(decode(json.dumps(led | {"state": "Stable", "members": members})))

    assert (found.agrees, found.client) == (True, "zio")


def test_the_command_line_answers_as_it_does_where_it_leads_and_where_it_is_chosen(
    file, led, capsys
):
    row, said = compared(capsys, file)
    file.write_text(
        json.dumps({key: value for key, value in led.items() if key not in ("leader", "assignor")})
    )
    chosen, said_too = compared(capsys, file, "--client", "zio")

    assert [
        (one["max_partitions"], one["min_partitions"], one["assumed"]) for one in (row, chosen)
    ] == [(2, 0, ["order of fibers"])] * 2
    assert (
        said
        == said_too
        == "evenkeel: The answers follow the code of zio 2.8, which assigns this group.\n"
    )
    assert row["in_use"]
    assert row["quirks"] == ["Q-10"]


@pytest.mark.parametrize("given", ["leader", "settings"])
def test_the_command_line_answers_requests_for_it(led, given):
    group = (
        led if given == "leader" else {key: value for key, value in led.items() if key != "leader"}
    )
    settings = {"client": "zio"} if given == "settings" else {}
    requests = [
        {"assignor": name, "group": group, "settings": settings}
        for name in ("roundrobin", "sticky", "range")
    ]

    found = [answer(json.dumps(request).encode()) for request in requests]

    assert (found[0].assignment, found[0].error) == ({"A": {}, "B": {"t": [0, 1]}}, None)
    assert [one.error and one.error.message for one in found[1:]] == [
        "sticky of zio is not a function of the inputs: fibers race",
        "zio has no range assignor; it offers roundrobin",
    ]


def test_the_pages_say_that_it_leads_and_how_its_members_apply_an_assignor(monkeypatch):
    # The page reads no listing.
    monkeypatch.setattr(uploads, "start", lambda: None)
    page = Page(AppTest.from_file(ENTRY, default_timeout=300))
    page.open("compare", sample="two-consumers", candidate="roundrobin", kafka="zio")
    page.app.session_state["apply"] = True
    page.app.run()

    assert not page.app.exception
    chips = [chip.proto.popover.label for chip in page.app.get("popover")]
    assert any("led by zio, chosen" in label for label in chips)
    assert page.app.selectbox(key="kafka").value == "zio"
    assert "zio 2.8" in page.app.selectbox(key="kafka").options
    assert page.table["roundrobin"][1] == "6 / 0"
    assert page.app.segmented_control(key="apply-client").value == "zio"
    assert [code.value for code in page.app.code] == ["zio.strategy = ByName"]


def test_a_report_names_it():
    what = freezable(OpenGroup(slug="two-consumers", client="zio"), [], 0.125)

    assert "zio 2.8" in markdown(report_files.of_view(what, 0, "roundrobin").report).replace(
        "\\", ""
    )


def test_a_share_without_names_keeps_its_name_and_its_words(led):
    settings = {"client": "zio", "assignors": ["roundrobin"]}
    scenario = {
        "format": "evenkeel.scenario/1",
        "group": led | {"assumed": ["order of fibers"]},
        "settings": settings,
        "steps": [],
    }

    shown = redacted(scenario, [], KINDS).scenario

    assert (shown["settings"], shown["group"]["leader"], shown["group"]["assignor"]) == (
        settings,
        LED,
        "zio-ring",
    )


def test_the_documentation_check_names_it():
    assert undocumented_clients(CLIENTS) == ["zio"]
