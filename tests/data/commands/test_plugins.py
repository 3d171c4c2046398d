"""An administrator's assignor in the commands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evenkeel.assignors import ASSIGNORS
from evenkeel.assignors.protocol import serving
from evenkeel.data.commands.main import main
from tests.generated.small_documents import document
from tests.judge.odd_plugin import MISBEHAVING, compiled_once, misbehaving, odd_jar, table

ROOT = Path(__file__).parents[3]
OWN = serving(None, ASSIGNORS)


@pytest.fixture(scope="module", autouse=True)
def program():
    """The program of plug-ins, compiled once; processes that a test starts run it from its
    source.
    """
    with compiled_once():
        yield


@pytest.fixture
def group(tmp_path):
    path = tmp_path / "group.json"
    path.write_text(json.dumps(written()))
    return str(path)


def written():
    document_of_two = document({"t0": 2, "t1": 1}, B="t0 t1", A="t0 t1")
    document_of_two["members"][0]["owned"], document_of_two["members"][1]["owned"] = (
        {"t0": [0, 1]},
        {"t1": [0]},
    )
    return document_of_two


@pytest.fixture
def configure(tmp_path, monkeypatch):
    def write(text):
        path = tmp_path / "plugins.toml"
        path.write_text(text)
        monkeypatch.setenv("EVENKEEL_CONFIG", str(path))

    return write


def compared(capsys, *arguments):
    assert main(["compare", "--json", *arguments]) == 0
    return {row["assignor"]: row for row in json.loads(capsys.readouterr().out)["rows"]}


def test_a_plug_in_is_one_more_row_behind_ours(configure, group, capsys):
    configure(table("odd"))

    rows = compared(capsys, group)

    assert list(rows) == ["current", *OWN, "odd"]
    assert [
        rows["odd"][figure]
        for figure in (
            "max_partitions",
            "min_partitions",
            "idle_members",
            "moved_partitions",
            "error",
        )
    ] == [
        3,
        0,
        1,
        2,
        None,
    ]


def test_what_goes_wrong_in_plug_ins_is_a_row_each_and_the_other_rows_stand(
    configure, group, capsys
):
    configure(misbehaving())

    rows = compared(capsys, group)

    assert list(rows) == ["current", *OWN, *MISBEHAVING, "odd"]
    assert {
        name: (row["error"]["type"], row["error"]["message"])
        for name, row in rows.items()
        if row["error"]
    } == MISBEHAVING


def test_a_plug_in_can_be_asked_for_alone_and_is_listed_where_a_name_is_not_known(
    configure, group, capsys
):
    configure(table("odd"))

    assert list(compared(capsys, group, "--assignor", "odd")) == ["current", "odd"]
    assert main(["compare", group, "--assignor", "od"]) == 2
    assert (
        capsys.readouterr().err
        == f'evenkeel compare: --assignor: found "od", expected one of {", ".join(ASSIGNORS)},'
        " odd\n"
    )


def test_a_share_group_is_not_served_by_a_plug_in(configure, tmp_path, capsys):
    configure(table("odd"))
    path = tmp_path / "share.json"
    path.write_text(json.dumps(written() | {"type": "share"}))

    assert list(compared(capsys, str(path))) == ["current", "simple"]


def ask(*requests):
    """Run `evenkeel assign` as a process of its own and return its answers."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    command = (
        "import sys; from evenkeel.data.commands.main import main; sys.exit(main(['assign',"
        " '--jsonl']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", command],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == all(answer["error"] for answer in answers), done.stderr
    return answers


def test_assign_answers_with_a_plug_in_and_goes_on_after_one_that_hangs_and_leaves_no_jvm(
    configure,
):
    configure(table("odd") + table("hangs", "hangs", time_limit="0.5s"))

    answers = ask(
        *({"assignor": name, "group": written()} for name in ("odd", "hangs", "range", "odd"))
    )

    everything = {
        "assignment": {"B": {}, "A": {"t0": [0, 1], "t1": [0]}},
        "withheld": {},
        "assumed": [],
        "error": None,
    }
    assert answers[0] == answers[3] == everything
    assert answers[1]["error"] == {
        "type": "TimeoutException",
        "message": "no answer in 0.5 s",
        "line": 2,
    }
    assert answers[2]["error"] is None
    running = subprocess.run(
        ["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True
    ).stdout
    assert not [line for line in running.splitlines() if str(odd_jar()) in line]


def test_settings_of_a_plug_in_stand_in_the_configuration_alone(configure):
    configure(table("odd"))

    (answer,) = ask({"assignor": "odd", "group": written(), "settings": {"mood": "exits"}})

    assert (
        answer["error"]["message"]
        == 'settings: "mood" is not a setting of odd, expected none: a plug-in\'s settings'
        " are in the configuration"
    )


def test_a_wrong_table_is_said_before_anything_is_answered(configure, group, capsys):
    configure('[plugins.odd]\njars = ["odd.jar"]\n')

    assert main(["compare", group]) == 2
    assert (
        "plugins.toml: no key plugins.odd.class, expected the full name of a class"
        in capsys.readouterr().err
    )


RUNS_PLUG_INS = {
    "evenkeel.data.configuration.plugin.assignor",
    "evenkeel.data.configuration.plugin.host",
    "evenkeel.data.configuration.java",
}


def loaded(group):
    """Compare a group in a process of its own; return which modules that run plug-ins it has
    loaded.
    """
    command = (
        "import sys; from evenkeel.data.commands.main import main; main(sys.argv[1:]);"
        " print(*sys.modules)"
    )
    arguments = [sys.executable, "-c", command, "compare", group]
    return RUNS_PLUG_INS & set(
        subprocess.run(
            arguments, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
    )


def test_what_runs_a_plug_in_is_loaded_for_a_plug_in_alone(configure, group):
    configure("")
    without = loaded(group)
    configure(table("odd"))

    assert without == set()
    assert loaded(group) == RUNS_PLUG_INS
