"""What a total of lags leaves open."""

from evenkeel.data.commands.main import main
from evenkeel.data.group.lag_words import lag_notes
from tests.assignors.groups import group

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def test_partitions_that_were_never_committed_have_between_none_and_all_of_their_records():
    snapshot = group(
        {"t": 4},
        A="t",
        begin=[0, 0, 100, None],
        end=[20, 5_560_000, 150, 0],
        committed=[0, None, None, None],
    )

    assert lag_notes(snapshot) == [
        "between 0 and 5.56 M records more on 2 partitions never committed"
    ]


def test_a_commit_past_the_end_is_told_and_is_no_lag_of_0_in_silence():
    snapshot = group({"t": 2}, A="t", end=[105, 11], committed=[500, 4])

    assert lag_notes(snapshot) == ["1 commit is past the end"]


def test_an_exact_total_has_no_notes():
    assert lag_notes(group({"t": 2}, A="t", lag=[5, 0])) == []


def test_commands_say_what_a_total_leaves_open(tmp_path, capsys):
    path = tmp_path / "kyc.txt"
    path.write_text(f"{HEAD}kyc t 0 0 50 50 a-1 /10.0.0.1 a\nkyc t 1 - 5560000 - a-1 /10.0.0.1 a\n")
    note = "etween 0 and 5.56 M records more on 1 partition never committed"

    assert main(["diagnose", str(path)]) == 0
    assert note in capsys.readouterr().out
    assert main(["compare", str(path)]) == 0
    assert note in capsys.readouterr().out


def test_a_comparison_tells_a_commit_past_the_end(tmp_path, capsys):
    path = tmp_path / "past.txt"
    path.write_text(f"{HEAD}rec t 0 500 105 -395 a-1 /10.0.0.1 a\nrec t 1 4 11 7 a-1 /10.0.0.1 a\n")

    assert main(["compare", str(path)]) == 0

    assert " · 1 commit is past the end\n" in capsys.readouterr().out
