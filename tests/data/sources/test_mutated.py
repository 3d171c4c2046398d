"""Whatever becomes of the lines of an input, each is a row, a note or rejected; and what a terminal
or a mail puts around it changes no row.
"""

from dataclasses import replace
from textwrap import dedent

import pyarrow as pa
import pytest

from evenkeel.data.sources.inputs import read
from tests.data.sources import mutations
from tests.data.sources.corpus import rows_of
from tests.data.sources.mutations import CSV, METRICS, faults
from tests.data.sources.test_any_tool import BOX, KAF, MARKDOWN, RPK, WRAPPED


def test_every_line_row_and_figure_of_mutated_inputs_is_accounted_for():
    assert list(faults(2_000)) == []


def test_a_reader_that_invents_a_lag_or_counts_a_line_twice_is_a_fault(monkeypatch):
    def inventing(inputs):
        offsets = read(inputs).offsets
        lag = offsets.schema.get_field_index("listed_lag")
        lags = pa.array([987_654_321] * offsets.num_rows, pa.int64())
        offsets = offsets.set_column(lag, offsets.schema.field(lag), lags)
        return replace(read(inputs), offsets=offsets)

    monkeypatch.setattr(mutations, "TEXTS", {"csv": CSV})
    monkeypatch.setattr(mutations, "read", inventing)
    assert "listed_lag 987654321 is not in the text" in {fault.what for fault in faults(20)}

    monkeypatch.setattr(mutations, "read", lambda inputs: replace(read(inputs), row_count=99))
    assert "lines are" in next(faults(20)).what


DRESSES = {
    "a quotation": lambda number, line: f"> {line}",
    "a log of jobs": lambda number, line: f"2026-11-27T10:20:03.{number:03d}Z {line}",
    "a container": lambda number, line: f"tools-1  | {line}",
    "a pod": lambda number, line: f"[pod/kafka-0/kafka] {line}",
    "a name and a container": lambda number, line: f"kafka-0 kafka {line}",
    "a file": lambda number, line: f"out.txt:{line}",
    "a file and numbers": lambda number, line: f"out.txt:{number}:{line}",
    "a time of day": lambda number, line: f"[10:20:{number:02d}] {line}",
    "a tab": lambda number, line: f"\t{line}",
    "numbers and a bar": lambda number, line: f"{number:3d} | {line}",
    "numbers": lambda number, line: f"{number:6d}  {line}",
    "colours": lambda number, line: f"\x1b[1;32m{line}\x1b[0m",
    "line ends of Windows": lambda number, line: f"{line}\r",
}


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("text", [RPK, KAF, BOX, MARKDOWN, METRICS, CSV])
def test_what_stands_around_the_lines_changes_no_row(text, dress):
    dressed = "\n".join(
        DRESSES[dress](number, line) for number, line in enumerate(text.split("\n"), 1)
    )

    plain, found = read([("a", text.encode())]), read([("a", dressed.encode())])

    assert found.rejected.num_rows == 0
    assert found.offsets.equals(plain.offsets)
    assert found.members.equals(plain.members)


@pytest.mark.parametrize(
    "wrap",
    [
        "{{code}}\n{}\n{{code}}\n",
        "Hi,\n```\n{}\n```\nBob\n",
        "\ufeff{}",
        "```{}```\n",
        "<pre>{}</pre>\n",
        "Script started on 2026-11-27 10:00:00+00:00\n{}",
    ],
)
def test_marks_of_a_ticket_and_prose_are_notes(wrap):
    text = dedent(RPK).rstrip()

    found = read([("a", wrap.format(text).encode())])

    assert found.offsets.num_rows == 2
    assert found.rejected.num_rows == 0


@pytest.mark.parametrize("prefix", ["> ", "  1\t", "[pod/c-0/c] ", "\u00a0"])
def test_json_in_one_line_is_read_behind_a_prefix(prefix):
    text = '[{"group": "g", "topic": "t", "partition": 0, "lag": 7}]'

    assert read([("a", f"{prefix}{text}\n".encode())]).offsets["listed_lag"].to_pylist() == [7]


def test_rows_of_a_wrapped_table_are_whole_between_prompts():
    offsets = read([("a", f"```\n{WRAPPED}```\n% exit\n".encode())]).offsets

    assert rows_of(offsets, "partition", "committed_offset", "end_offset", "member_id") == [
        (0, 88100, 88140, "kgo-1"),
        (1, None, 0, "kgo-1"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "| Time Lag | PARTITION | TOPIC | LAG | GROUP |\n|---|---|---|---|---|\n"
        "| 00:00:12 | 0 | t | 7 | g |\n",
        'GROUP, TOPIC, PARTITION, LAG\n"g", "t", "0", "7"\n',
        'const answer = [{"group": "g", "topic": "t", "partition": 0, "lag": 7}];\n',
        (
            "Any idea? It grows.\nHere is all of it, as kcat prints it.\n\nt [0] offset"
            " 7\n\nThanks, Ana\n"
        ),
    ],
)
def test_a_row_is_read_with_words_and_times_around_it(text):
    (row,) = read([("a", text.encode())]).offsets.to_pylist()

    assert (row["topic"], row["partition"], row["listed_lag"] or row["end_offset"]) == ("t", 0, 7)


def test_the_first_words_of_rows_are_no_prefix():
    text = "GROUP TOPIC PARTITION LAG\nbilling t 0 5\n" + "".join(
        f"web-shop t {number} 5\n" for number in range(3)
    )

    groups = read([("a", text.encode())]).offsets["group_id"].to_pylist()

    assert groups == ["billing", "web-shop", "web-shop", "web-shop"]


def test_the_first_column_of_a_table_is_no_prefix():
    text = "PARTITION  TOPIC  OFFSET  LAG  GROUP\n" + "".join(
        f"{number}          t      {number + 5}       0    g\n" for number in range(4)
    )

    assert read([("a", text.encode())]).offsets["partition"].to_pylist() == [0, 1, 2, 3]
