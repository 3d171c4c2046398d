"""An administrator's assignor on the pages."""

import os
import signal
from contextlib import suppress

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import serving
from evenkeel.dashboard.shell.loading import plugins
from evenkeel.dashboard.shell.loading.plugins import known
from evenkeel.data.configuration import configuration
from evenkeel.data.errors import SnapshotError
from tests.judge.odd_plugin import MISBEHAVING, compiled_once, misbehaving, table
from tests.waiting import until

OWN = serving(None, ASSIGNORS)


@pytest.fixture(scope="module", autouse=True)
def program():
    """The program of plug-ins, compiled once; those of the command line run it from its source."""
    with compiled_once():
        yield


@pytest.fixture
def configure(tmp_path, monkeypatch):
    """Write a configuration; the JVMs end with the test. Answers are cached by it: one that hangs
    is of one test alone.
    """
    path = tmp_path / "plugins.toml"
    monkeypatch.setenv("EVENKEEL_CONFIG", str(path))
    yield path.write_text
    with suppress(SnapshotError):
        chosen = configuration().plugins
        for name in chosen:
            known(chosen)[name].close()


def answered(page):
    """Look at the page until every plug-in has answered."""
    page.until(lambda: "Waiting for" not in page.html)
    return page


def test_a_plug_in_is_one_more_row_and_can_be_the_candidate(page, configure):
    configure(table("odd"))

    answered(page.open("compare", sample="lag-aware", candidate="odd"))

    assert not page.errors
    assert not page.app.exception
    assert list(page.table) == ["current", *OWN, "odd"]
    assert page.table["odd"][1] == "3 / 0"
    assert {row["name"]: row["note"] for row in page.rows}["odd"] == "plug-in"
    assert page.app.selectbox(key="candidate").value == "odd"
    assert page.kpis["Moved under odd"] == "1"


def test_moves_shows_a_switch_to_a_plug_in(page, configure):
    configure(table("odd"))

    answered(page.open("moves", sample="lag-aware", candidate="odd"))

    assert not page.errors
    assert not page.app.exception
    assert "odd" in page.html


def test_the_page_does_not_wait_for_a_plug_in_that_hangs(page, configure):
    configure(table("hangs", "hangs", time_limit="10m"))

    page.open("compare", sample="two-consumers", candidate="hangs")

    assert not page.errors
    assert not page.app.exception
    assert [page.table[name][1] for name in ("current", "range", "hangs")] == [
        "4 / 2",
        "4 / 2",
        "–",
    ]
    assert "Waiting for hangs (at most 10 m)" in page.html
    assert {row["name"]: row["note"] for row in page.rows}["hangs"] == "no answer yet"
    assert [info.value for info in page.app.info] == [
        "hangs has not answered yet. The other assignors can be chosen meanwhile."
    ]
    page.app.selectbox(key="candidate").set_value("roundrobin").run()
    assert "Worst member under roundrobin" not in page.kpis
    assert not page.app.info


def test_what_goes_wrong_in_plug_ins_is_a_row_each_and_the_rest_works(page, configure):
    configure(misbehaving())

    answered(page.open("compare", sample="lag-aware", candidate="throws"))

    assert list(page.table) == ["current", *OWN, *MISBEHAVING, "odd"]
    assert {row["name"]: row["error"] for row in page.rows if row["error"]} == {
        name: f"{kind}: {message}" for name, (kind, message) in MISBEHAVING.items()
    }
    assert page.table["odd"][1] == "3 / 0"
    assert page.errors == [
        "throws: no answer from the plug-in, IllegalStateException on this group: throws: not today"
    ]
    assert not page.app.exception


def test_a_plug_in_with_a_killed_jvm_is_one_sentence_and_the_next_view_asks_again(
    page, configure, monkeypatch
):
    configure(table("killed", "hangs on two topics", time_limit="12m"))
    monkeypatch.setattr(plugins, "_SAID_SECONDS", 0.0)
    page.open("compare", sample="two-consumers", candidate="killed")
    host = until(lambda: known(configuration().plugins)["killed"]._host)
    until(lambda: host._process and host._lock.locked())

    os.kill(host._process.pid, signal.SIGKILL)
    until(lambda: not host._lock.locked())
    monkeypatch.setattr(plugins, "_SAID_SECONDS", 60.0)
    page.app.run()
    said = list(page.errors)
    monkeypatch.setattr(plugins, "_SAID_SECONDS", 0.0)
    page.app.run()

    killed = (
        "the JVM was killed by signal 9 before it had answered; the next question starts a new JVM"
    )
    assert said == [f"killed: no answer from the plug-in, ProcessExit on this group: {killed}"]
    assert page.errors == []
    assert not page.app.exception
    assert page.table["range"][1] == "4 / 2"
    assert "Waiting for killed" in page.html


def test_plug_ins_are_offered_before_a_group_is_open(page, configure):
    configure(table("odd"))

    page.open("compare")

    assert page.app.selectbox(key="candidate").options == [*ASSIGNORS, "odd"]


def test_a_wrong_table_is_one_line_on_the_page(page, configure):
    configure('[plugins.range]\njars = []\nclass = "A"\n')

    page.open("compare", sample="lag-aware")

    assert [error.rpartition("plugins.toml: ")[2] for error in page.errors] == [
        "plugins.range: Evenkeel uses the name range, expected another"
    ]


def test_a_chain_by_way_of_a_plug_in_that_has_not_answered_waits_for_it(page, configure):
    configure(table("hangs", "hangs", time_limit="11m"))

    page.open("moves", sample="two-consumers", candidate="roundrobin")

    page.app.multiselect(key="via").set_value(["hangs"]).run()

    assert not page.errors
    assert not page.app.exception
    assert [info.value for info in page.app.info] == [
        "hangs has not answered yet. The other assignors can be chosen meanwhile."
    ]
