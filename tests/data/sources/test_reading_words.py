"""What a reader is told of what was read."""

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.commands.options.files import read_groups
from evenkeel.data.sources.reading_words import messages_about

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
ROW = "g orders 0 5 9 4 a-1 /10.0.0.1 a\n"


def told(text, names=None) -> list[str]:
    return messages_about(read_groups([("a.txt", text.encode())]).parsed, names)


def test_the_reason_of_most_rejected_lines_is_told_and_not_that_of_the_first():
    odd = "".join(
        f"g orders {number} 5 9 {letter} a-1 /10.0.0.1 a\n"
        for number, letter in enumerate("xyz", 1)
    )

    (message,) = told(f"{HEAD}{ROW}g orders one 5 9 4 a-1 /10.0.0.1 a\n{odd}")

    assert message.startswith("4 of 6 lines rejected, 3 of them as a.txt line 4: ")
    assert "LAG is 'x'" in message


@pytest.mark.parametrize(
    "prompt",
    [
        "$ kafka-consumer-groups.sh --bootstrap-server b:9092 --describe --group g",
        "ops@host-3:~$ kafka-consumer-groups.sh --describe --group g",
        "[ops@host-3 ~]$ kafka-consumer-groups.sh --describe --group g",
        "bash-5.1# kafka-consumer-groups.sh --describe --group g",
    ],
)
def test_the_prompt_of_a_shell_is_no_reason(prompt):
    text = f"{prompt}\n{HEAD}{ROW}g orders 1 5 9 x a-1 /10.0.0.1 a\n"

    assert all("line 4: " in message for message in told(text))


def test_one_reason_for_all_rejected_lines_is_told_with_the_first_of_them():
    (message,) = told(f"{HEAD}{ROW}g orders 1 5 9 x a-1 /10.0.0.1 a\n")

    assert message.startswith("1 of 3 lines rejected, the first: a.txt line 3: ")


def test_a_group_whose_only_row_is_cut_is_named():
    text = f"{HEAD}{ROW}h orders 0 5\n"

    assert told(text)[1:] == ["no row of h could be read"]
    assert told(text, ["g"])[1:] == []


def test_a_group_that_was_rebalancing_is_told_if_it_is_wanted():
    text = f"Warning: Consumer group 'g' is rebalancing.\n\n{HEAD}{ROW}"
    sentence = (
        "g was rebalancing when this was printed. Some partitions may show no owner, "
        "or an owner that has already given them up"
    )

    assert told(text) == [sentence]
    assert told(text, ["g"]) == [sentence]
    assert told(text, ["other"]) == []


def test_several_readings_are_told_by_commands(tmp_path, capsys):
    path = tmp_path / "twice.txt"
    path.write_text(f"{HEAD}{ROW}\n{HEAD}g orders 0 7 12 5 a-1 /10.0.0.1 a\n")

    assert main(["compare", str(path)]) == 0

    assert (
        capsys.readouterr().err
        == "evenkeel: several readings of the same partitions: only the latest is used\n"
    )
