"""`--columns`, which names the columns of a table."""

import argparse
import json

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.commands.options.columns import parse
from evenkeel.data.sources.source import NamedColumns

TABLE = "Stream,Slice,Owner,Backlog,Lag\norders,0,a,5,77\norders,1,b,9,88\n"


def test_names_may_hold_blanks_and_commas():
    assert parse("topic=Kafka Topic,partition=Part.") == (
        NamedColumns((("topic", "Kafka Topic"), ("partition", "Part."))),
    )
    assert parse("topic=\"Kafka Topic\",partition='Part.'") == (
        NamedColumns((("topic", "Kafka Topic"), ("partition", "Part."))),
    )
    assert parse("topic=Topic, full,lag=Messages behind") == (
        NamedColumns((("topic", "Topic, full"), ("listed_lag", "Messages behind"))),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stream=x", "'stream' is not a column, expected one of lag,"),
        ("topic=", "topic has no name"),
        ('topic=""', "topic has no name"),
        ("topic=a,topic=b", "twice"),
    ],
)
def test_what_cannot_be_meant_is_refused(text, said):
    with pytest.raises(argparse.ArgumentTypeError, match=said):
        parse(text)


def test_named_columns_win_over_known_names_and_the_others_are_guessed(tmp_path, capsys):
    path = tmp_path / "export.csv"
    path.write_text(TABLE)

    code = main(["snapshot", str(path), "--columns", "topic=stream,partition=Slice,lag=Backlog"])

    document = json.loads(capsys.readouterr().out)
    assert code == 0
    assert document["topics"] == [{"name": "orders", "partitions": [{"lag": 5}, {"lag": 9}]}]
    assert [(member["member_id"], member["owned"]) for member in document["members"]] == [
        ("a", {"orders": [0]}),
        ("b", {"orders": [1]}),
    ]


def test_a_column_without_a_name_or_with_that_of_another_is_named_by_its_place(tmp_path, capsys):
    path = tmp_path / "export.csv"
    path.write_text("topic,partition,Lag,lag,\norders,0,77,5,a\n")

    code = main(["snapshot", str(path), "--columns", "lag=lag (4),member_id=column 5"])

    document = json.loads(capsys.readouterr().out)
    assert code == 0
    assert document["topics"] == [{"name": "orders", "partitions": [{"lag": 5}]}]
    assert [member["member_id"] for member in document["members"]] == ["a"]


def test_a_name_that_no_column_has_is_told_with_the_header(tmp_path, capsys):
    path = tmp_path / "export.csv"
    path.write_text(TABLE)

    assert main(["compare", str(path), "--columns", "topic=Topik,partition=Slice"]) == 2
    assert (
        "export.csv: header 'Stream' 'Slice' 'Owner' 'Backlog' 'Lag' has no column 'Topik',"
        " expected it for topic as --columns says" in capsys.readouterr().err
    )


@pytest.mark.parametrize("command", ["compare", "snapshot"])
def test_columns_that_nobody_knows_are_told_with_the_option_that_names_them(
    command, tmp_path, capsys
):
    path = tmp_path / "odd.csv"
    path.write_text("Kafka Topic,Part.,Lag,Who,\norders,0,5,a,\n")

    assert main([command, str(path)]) == 0

    assert (
        capsys.readouterr().err
        == f"evenkeel: {path}: columns not used: 'Who' and 'column 5'; a guess, not used:"
        " --columns member_id=Who\n"
    )


def test_columns_without_a_guess_are_told_with_the_way_to_name_them(tmp_path, capsys):
    path = tmp_path / "odd.csv"
    path.write_text("Kafka Topic,Part.,Lag,Colour\norders,0,5,red\n")

    assert main(["compare", str(path)]) == 0

    assert (
        "columns not used: 'Colour'; to use a column: --columns COLUMN=NAME, see --help\n"
        in capsys.readouterr().err
    )


def test_a_guess_for_a_column_that_is_needed_is_not_taken_but_named_as_it_is_written(
    tmp_path, capsys
):
    path = tmp_path / "odd.csv"
    path.write_text("Consumer Grp;Thema;Part #;Committed Pos;Behind;Who\npayments;orders;0;5;9;a\n")

    assert main(["snapshot", str(path)]) == 2

    said = capsys.readouterr().err
    guess = (
        'group_id="Consumer Grp",topic=Thema,partition="Part #",committed_offset="Committed'
        ' Pos",lag=Behind,member_id=Who'
    )
    assert said.endswith(f"; a guess, not used: --columns {guess}\n")
    assert main(["snapshot", str(path), "--columns", guess]) == 0
    (topic,) = json.loads(capsys.readouterr().out)["topics"]
    assert (topic["name"], topic["partitions"][0]["lag"]) == ("orders", 9)


def test_a_table_of_which_everything_is_read_says_nothing(tmp_path, capsys):
    path = tmp_path / "known.csv"
    path.write_text("Kafka Topic,Part.,Lag,Who\norders,0,5,a\n")

    main(["compare", str(path), "--columns", "member_id=Who"])

    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["compare", "snapshot", "ingest"])
def test_help_shows_the_option_by_example(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])

    assert (
        f'evenkeel {command} export.csv --columns group_id="Consumer Grp"'
        in capsys.readouterr().out
    )


def test_the_help_parts_styles_of_numbers_by_blanks_since_they_hold_commas(capsys):
    with pytest.raises(SystemExit):
        main(["compare", "--help"])

    said = " ".join(capsys.readouterr().out.split())
    assert "[--numbers STYLE]" in said
    assert '"1234.00" "1234,00" "1,234.00" "1.234,00" "1 234,00" "1 234.00" "1\'234.00"' in said


def test_the_example_names_a_column_that_is_unknown_without_it(tmp_path, capsys):
    path = tmp_path / "export.csv"
    path.write_text("Consumer Grp,topic,partition,lag,owner\npayments,orders,0,5,a\n")

    main(["snapshot", str(path)])
    alone = capsys.readouterr()
    main(["snapshot", str(path), "--columns", "group_id=Consumer Grp"])
    named = capsys.readouterr()

    assert "columns not used: 'Consumer Grp'" in alone.err
    assert (json.loads(named.out)["group_id"], named.err) == ("payments", "")
