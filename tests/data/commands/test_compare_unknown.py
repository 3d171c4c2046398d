"""`evenkeel compare` where something is not known."""

import json

import pytest

from data.commands.main import main
from tests.generated.small_documents import document

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"


def test_what_is_not_known_is_a_dash_and_an_error_is_in_words(tmp_path, capsys):
    path = tmp_path / "group.json"
    path.write_text(json.dumps(document({"t": 2}) | {"assumed": ["members"]}))

    assert main(["compare", str(path), "--assignor", "roundrobin", "lag"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "group without a name · members 0 · topics 1 · partitions 2 · lag –"
    assert lines[3].split() == ["current"] + ["–"] * 12
    assert lines[4] == "roundrobin  no answer: the group has no members (Kafka throws IllegalArgumentException)"
    assert lines[-1] == "assumed: members"


def test_of_a_group_in_a_list_alone_everything_is_a_dash(tmp_path, capsys):
    path = tmp_path / "list.txt"
    path.write_text("GROUP    STATE\npayments Stable\n")

    assert main(["compare", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "payments · Stable · members – · topics – · partitions – · lag –"


def test_assumptions_that_differ_in_numbers_alone_are_counted(tmp_path, capsys):
    path = tmp_path / "listing.txt"
    path.write_text("\n".join([HEADER, *(f"g t{topic} 0 5 9 4 m /h c" for topic in range(20)), ""]))

    main(["compare", str(path)])

    assert capsys.readouterr().out.splitlines()[-1] == "assumed: members, members[*].subscribed, topics[…].partitions (20)"


def test_a_thrown_error_is_a_row_of_the_json(tmp_path, capsys):
    path = tmp_path / "group.json"
    path.write_text(json.dumps(document({"t": 2})))

    main(["compare", str(path), "--assignor", "roundrobin", "--json"])

    found = json.loads(capsys.readouterr().out)["rows"][1]
    assert (found["error"]["type"], found["max_lag"], found["moved_partitions"], found["idle_members"]) == (
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
    (tmp_path / "topics.txt").write_text("Topic: t\tTopicId: LkLS-N4OSSK11RYzgIc1Eg\tPartitionCount: 6\tReplicationFactor: 1\tConfigs: \n")
    return [str(tmp_path / "members.txt"), str(tmp_path / "topics.txt")]


def test_where_nobody_knows_who_owns_what_the_current_figures_and_the_moves_are_dashes(counted, capsys):
    assert main(["compare", *counted, "--assignor", "range"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "g · members 2 · topics 1 · partitions 6"
    assert lines[3].split() == ["current"] + ["–"] * 12
    assert lines[4].split() == ["range", "3", "3", "–", "–", "–", "–", "–", "0", "–", "–", "–", "–"]
    assert lines[-1] == "assumed: members[*].owned, members[*].subscribed"


def test_where_nobody_knows_who_owns_what_no_condition_can_be_judged(counted, capsys):
    assert main(["compare", *counted, "--json", "--fail-if", "idle_members > 0"]) == 2

    captured = capsys.readouterr()
    assert captured.err == "evenkeel compare: idle_members of current is unknown: idle_members > 0 cannot be judged\n"
    current = json.loads(captured.out)["rows"][0]
    assert (current["max_partitions"], current["idle_members"], current["moved_partitions"], current["error"]) == (None, None, None, None)
    assert current["assumed"] == ["members[*].owned", "members[*].subscribed"]


def test_of_a_group_without_members_the_lag_is_shown_and_idle_and_moved_are_dashes(tmp_path, capsys):
    path = tmp_path / "gone.txt"
    path.write_text(f"{HEADER}\ng t 0 10 110 100 - - -\n")

    assert main(["compare", str(path), "--assignor", "range", "sticky", "--fail-if", "total_lag > 10"]) == 2

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "g · members 0 · topics 1 · partitions 1 · lag 100"
    assert [line.split() for line in lines[3:5]] == [["current"] + ["–"] * 12, ["range"] + ["–"] * 12]
    assert lines[5] == "sticky    no answer: the group has no members (Kafka throws ArithmeticException)"
