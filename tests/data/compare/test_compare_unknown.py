"""`evenkeel compare` where something is not known."""

import json

import pytest

from evenkeel.data.commands.main import main
from tests.generated.small_documents import document

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"


GONE = "g t 0 10 110 100 - - -"
SIZE = "size of t: the highest partition number in the input, plus one"
NOT_NAMED = (
    "The input names no members, so there is nothing to compare. Add the output of --describe"
    " --members, or of --describe while the group runs."
)
NOT_RUNNING = (
    "No consumer is running: the group has no active members, so there is nothing to compare. Its"
    " lag grows until one starts."
)


@pytest.mark.parametrize(
    ("told", "about", "sentence", "assumed"),
    [
        ("", "g", NOT_NAMED, f"assumed: members are not in this input; {SIZE}"),
        (
            "Consumer group 'other' has no active members.\n\n",
            "g",
            NOT_NAMED,
            f"assumed: members are not in this input; {SIZE}",
        ),
        (
            "Consumer group 'g' has no active members.\n\n",
            "g · Empty",
            NOT_RUNNING,
            f"assumed: {SIZE}",
        ),
    ],
)
def test_in_place_of_rows_of_dashes_one_sentence_says_why_nobody_owns_anything(
    tmp_path, capsys, told, about, sentence, assumed
):
    path = tmp_path / "gone.txt"
    path.write_text(f"{told}{HEADER}\n{GONE}\n")

    assert main(["compare", str(path)]) == 0

    head = f"{about} · members 0 · topics 1 · partitions 1 · lag 100"
    assert capsys.readouterr().out.splitlines()[2:] == [head, "", sentence, "", assumed]


def test_a_mere_list_of_groups_is_refused_with_the_command_to_print(tmp_path, capsys):
    path = tmp_path / "list.txt"
    path.write_text("GROUP    STATE\npayments Stable\n")

    assert main(["compare", str(path)]) == 2
    assert capsys.readouterr() == (
        "",
        "evenkeel compare: the input is a list of 1 group without offsets; expected output of"
        " kafka-consumer-groups.sh --describe --all-groups\n",
    )


def test_assumptions_that_differ_in_names_alone_are_one_sentence(tmp_path, capsys):
    path = tmp_path / "listing.txt"
    path.write_text("\n".join([HEADER, *(f"g t{topic} 0 5 9 4 m /h c" for topic in range(20)), ""]))

    main(["compare", str(path)])

    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("assumed: the input shows only members that own partitions;")
    assert last.endswith(", and 17 more: the highest partition number in the input, plus one")


def test_a_thrown_error_is_a_row_of_the_json(tmp_path, capsys):
    path = tmp_path / "group.json"
    path.write_text(json.dumps(document({"t": 2})))

    main(["compare", str(path), "--assignor", "roundrobin", "--json"])

    found = json.loads(capsys.readouterr().out)["rows"][1]
    assert (
        found["error"]["type"],
        found["max_lag"],
        found["moved_partitions"],
        found["idle_members"],
    ) == (
        "IllegalArgumentException",
        None,
        None,
        None,
    )


COUNTED = "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\ng m1 /h c 3\ng m2 /h c 3\n"


@pytest.fixture
def counted(tmp_path):
    """Members whose partitions are only counted, and their topic."""
    (tmp_path / "members.txt").write_text(COUNTED)
    (tmp_path / "topics.txt").write_text(
        "Topic: t\tTopicId: LkLS-N4OSSK11RYzgIc1Eg\tPartitionCount: 6\tReplicationFactor:"
        " 1\tConfigs: \n"
    )
    return [str(tmp_path / "members.txt"), str(tmp_path / "topics.txt")]


def test_where_nobody_knows_who_owns_what_the_current_figures_and_the_moves_are_dashes(
    counted, capsys
):
    assert main(["compare", *counted, "--assignor", "range"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == "g · members 2 · topics 1 · partitions 6"
    assert lines[5].split() == ["current"] + ["–"] * 12
    assert lines[6].split() == ["range", "3", "3", "–", "–", "–", "–", "–", "0", "–", "–", "–", "–"]
    assert lines[-1] == (
        "assumed: owners of partitions are not in this input; "
        "every member subscribes to all topics that any member owns"
    )


def test_where_nobody_knows_who_owns_what_no_condition_can_be_judged(counted, capsys):
    assert main(["compare", *counted, "--json", "--fail-if", "idle_members > 0"]) == 2

    captured = capsys.readouterr()
    assert (
        captured.err
        == "evenkeel compare: idle_members of current is unknown: idle_members > 0 cannot be"
        " judged\n"
    )
    current = json.loads(captured.out)["rows"][0]
    assert (
        current["max_partitions"],
        current["idle_members"],
        current["moved_partitions"],
        current["error"],
    ) == (None, None, None, None)
    assert current["assumed"] == ["members[*].owned", "members[*].subscribed"]


@pytest.mark.parametrize(
    ("rows", "total", "unknown", "condition", "code"),
    [
        ("g t 0 10 110 100 - - -\ng t 1 0 11 11 - - -", 111, 0, "total_lag > 110", 1),
        ("g t 0 10 110 100 - - -\ng t 1 0 11 11 - - -", 111, 0, "total_lag > 111", 0),
        ("g t 0 10 110 100 - - -\ng t 1 - 11 - - - -", 100, 1, "total_lag > 99", 1),
        ("g t 0 10 110 100 - - -\ng t 1 - 11 - - - -", 100, 1, "total_lag > 100", 2),
        ("g t 0 - 110 - - - -", None, 1, "total_lag > 0", 2),
        (GONE, 100, 0, "max_lag > 10", 2),
    ],
)
def test_the_lag_of_a_group_without_members_is_that_of_all_its_partitions(
    tmp_path, capsys, rows, total, unknown, condition, code
):
    path = tmp_path / "gone.txt"
    path.write_text(f"{HEADER}\n{rows}\n")

    assert main(["compare", str(path), "--json", "--fail-if", condition]) == code

    current = json.loads(capsys.readouterr().out)["rows"][0]
    assert (current["total_lag"], current["unknown_lag_partitions"], current["max_lag"]) == (
        total,
        unknown,
        None,
    )
