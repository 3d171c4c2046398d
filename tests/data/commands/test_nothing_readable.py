"""`compare` of files in which no group is."""

import pytest

from evenkeel.data.commands.main import main


def test_what_kafka_itself_said_is_quoted_where_it_printed_no_group(tmp_path, capsys):
    path = tmp_path / "notfound.txt"
    said = (
        "java.util.concurrent.ExecutionException:"
        " org.apache.kafka.common.errors.GroupIdNotFoundException: Group payments not found."
    )
    path.write_text(
        "\nError: Executing consumer group command failed due to Group payments not"
        f" found.\n{said}\n\tat java.base/java.lang.Thread.run(Thread.java:1583)\n"
    )

    assert main(["compare", str(path)]) == 2
    assert (
        capsys.readouterr().err
        == "evenkeel compare: nothing readable: 4 lines, the listing tool reported an"
        f" error: {path} line 3: {said}\n"
    )


def test_one_line_is_no_lines(tmp_path, capsys):
    path = tmp_path / "input"
    path.write_text("words\n")

    assert main(["compare", str(path)]) == 2
    assert capsys.readouterr().err.startswith(
        "evenkeel compare: nothing readable: 1 line, the first: "
    )


@pytest.mark.parametrize(
    "content", ["", "some words\n", '{"format": "evenkeel.group/2"}', "topic,lag\nt,5\n"]
)
def test_nothing_readable_is_one_line_and_exit_code_2(tmp_path, content, capsys):
    path = tmp_path / "input"
    path.write_text(content)

    assert main(["compare", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
