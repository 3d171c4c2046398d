"""Kafka Streams applications on the command line: snapshot, compare, replay."""

import json

import pytest

from evenkeel.data.commands.main import main
from tests.data.scenarios.run.small_application import DOCUMENT, ONE
from tests.data.sources.corpus import CORPUS
from tests.generated.small_applications import EXAMPLE_APPLICATION
from tests.generated.small_documents import EXAMPLE

SCENARIO = {
    "format": "evenkeel.scenario/1",
    "group": DOCUMENT,
    "steps": [{"name": "1 dies", "edits": [{"op": "remove_processes", "process_ids": [ONE]}]}],
}


@pytest.fixture
def ran(tmp_path, capsys):
    """Return a function (input, arguments) -> exit code, output, errors; PATH stands for the input
    in the arguments.
    """

    def run(text, *arguments):
        path = tmp_path / "input.json"
        path.write_text(text if isinstance(text, str) else json.dumps(text))
        code = main([str(path) if word == "PATH" else word for word in arguments])
        return code, *capsys.readouterr()

    return run


def test_snapshot_writes_streams_documents_and_group_documents_a_line_each(ran):
    code, out, _ = ran(
        f"{json.dumps(EXAMPLE_APPLICATION)}\n{json.dumps(EXAMPLE)}\n", "snapshot", "PATH"
    )

    group, application = map(json.loads, out.splitlines())
    assert (code, group["format"]) == (0, "evenkeel.group/1")
    assert application == EXAMPLE_APPLICATION


def test_snapshot_makes_a_streams_document_of_printouts_with_every_required_key(ran):
    _, out, _ = ran((CORPUS / "streams-members.txt").read_text(), "snapshot", "PATH")

    document = json.loads(out)
    assert (document["format"], document["application_id"], document["type"]) == (
        "evenkeel.streams/1",
        "wordcount",
        "streams",
    )
    assert [len(process["consumers"]) for process in document["processes"]] == [1, 2]
    assert "tasks[3].stateful" in document["assumed"]


def test_snapshot_writes_the_application_that_a_scenario_starts_from(ran):
    _, out, _ = ran(SCENARIO, "snapshot", "PATH")

    assert json.loads(out) == {"assumed": [], **DOCUMENT}


def test_compare_has_a_row_for_each_task_assignor_and_unknown_is_null(ran):
    code, out, _ = ran(DOCUMENT, "compare", "PATH", "--json")

    found = json.loads(out)
    current, *rows = found["rows"]
    assert (code, found["group_id"], rows[0]["assignor"], rows[1]["assignor"]) == (
        0,
        "orders",
        "high-availability",
        "legacy-sticky",
    )
    assert (current["max_active_tasks"], current["min_active_tasks"], current["warmup_tasks"]) == (
        4,
        0,
        None,
    )
    assert (
        rows[0]["moved_tasks"],
        rows[0]["records_to_restore"],
        rows[0]["probing_rebalance"],
    ) == (1, 0, True)


def test_compare_shows_the_application_and_a_table(ran):
    _, out, _ = ran(DOCUMENT, "compare", "PATH", "--assignor", "legacy-sticky")

    assert out.splitlines()[0] == "orders · processes 3 · consumers 3 · tasks 4 · stateful 4"
    assert [line.split()[0] for line in out.splitlines()[2:]] == [
        "assignor",
        "current",
        "legacy-sticky",
    ]


def test_compare_of_a_scenario_shows_the_wanted_step(ran):
    _, out, _ = ran(
        SCENARIO, "compare", "PATH", "--step", "1", "--assignor", "high-availability", "--json"
    )

    assert json.loads(out)["rows"][1]["records_to_restore"] == 150_000


@pytest.mark.parametrize(
    ("condition", "code", "said"),
    [
        ("moved_tasks > 0", 1, "moved_tasks > 0 holds for high-availability"),
        ("moved_tasks > 1", 0, ""),
        (
            "max_lag > 1",
            2,
            "max_lag is not a figure of this comparison, expected one of rounds, max_active_tasks",
        ),
    ],
)
def test_a_condition_is_about_figures_of_tasks(ran, condition, code, said):
    found, _, error = ran(
        DOCUMENT, "compare", "PATH", "--assignor", "high-availability", "--fail-if", condition
    )

    assert (found, said in error) == (code, True)


def test_an_unknown_figure_cannot_be_judged(ran):
    without = {key: value for key, value in DOCUMENT.items() if not key.endswith("rates")}

    code, _, error = ran(
        without,
        "compare",
        "PATH",
        "--assignor",
        "high-availability",
        "--fail-if",
        "seconds_to_balance > 60",
    )

    assert (code, "seconds_to_balance of high-availability is unknown" in error) == (2, True)


def test_an_assignor_of_groups_is_refused_for_an_application_and_the_other_way_round(ran):
    assert (
        "expected one of high-availability"
        in ran(DOCUMENT, "compare", "PATH", "--assignor", "range")[2]
    )
    assert (
        'found "legacy-sticky", expected one of range'
        in ran(EXAMPLE, "compare", "PATH", "--assignor", "legacy-sticky")[2]
    )


def test_replay_writes_the_hashes_and_a_line_for_each_step_and_assignor(ran):
    _, out, _ = ran(SCENARIO, "replay", "PATH", "--assignor", "high-availability")

    head, listed, died = map(json.loads, out.splitlines())
    assert head.keys() == {"format", "content_hash", "result_hash", "engine"}
    assert [
        (line["step"], line["name"], line["records_to_restore"]) for line in (listed, died)
    ] == [
        (0, "as listed", 0),
        (1, "1 dies", 150_000),
    ]


@pytest.mark.parametrize("given", [DOCUMENT, SCENARIO])
def test_a_client_is_refused_for_an_application(ran, given):
    code, _, complaint = ran(given, "compare", "PATH", "--client", "librdkafka")

    assert (code, "--client librdkafka with a Kafka Streams application" in complaint) == (2, True)


def test_why_says_of_a_task_in_the_steps_of_each_assignor_where_it_goes(ran):
    code, out, _ = ran(
        EXAMPLE_APPLICATION, "compare", "PATH", "--assignor", "high-availability", "--why", "0_0"
    )

    # The process ids are compared as signed numbers: 0...1 is the first, and the task is the first
    # of two.
    first = "00000000-0000-0000-0000-000000000001"
    assert code == 0
    assert out.split("Why task 0_0 goes to its process\n")[1].splitlines()[:2] == [
        "high-availability",
        (
            "  Stateful tasks are dealt out in turn to 2 instances by process id, regardless"
            f" of former owners: this is the 1st, for {first}."
        ),
    ]


def test_why_refuses_a_task_that_the_application_does_not_have(ran):
    code, _, errors = ran(EXAMPLE_APPLICATION, "compare", "PATH", "--why", "7_3")

    assert (code, "no task 7_3 in this application, expected one of 0_0, 0_1, 1_0" in errors) == (
        2,
        True,
    )


def test_all_state_on_one_instance_is_not_even_though_each_has_as_many_tasks(ran):
    stateless = [{"task_id": f"1_{number}", "stateful": False} for number in range(4)]
    one, two, _ = DOCUMENT["processes"]
    idle = {"member_id": "orders-2-consumer", "owned": [task["task_id"] for task in stateless]}
    document = DOCUMENT | {
        "tasks": [*DOCUMENT["tasks"], *stateless],
        "processes": [one, two | {"consumers": [idle]}],
    }

    code, out, _ = ran(document, "compare", "PATH", "--json", "--fail-if", "max_stateful_tasks > 3")

    current = json.loads(out)["rows"][0]
    assert code == 1
    assert (current["max_active_tasks"], current["min_active_tasks"]) == (4, 4)
    assert (current["max_stateful_tasks"], current["min_stateful_tasks"]) == (4, 0)


def test_how_much_state_an_instance_has_is_unknown_if_a_task_does_not_say(ran):
    document = DOCUMENT | {"assumed": ["tasks[3].stateful"]}

    _, out, _ = ran(document, "compare", "PATH", "--json")

    assert json.loads(out)["rows"][0]["max_stateful_tasks"] is None
