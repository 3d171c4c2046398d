"""Whatever becomes of the lines of an input, each is a row, a note or rejected; and what a terminal
or a mail puts around it changes no row.
"""

import random
from textwrap import dedent

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.sources.inputs import read
from tests.data.sources.corpus import CORPUS, rows_of
from tests.data.sources.test_any_tool import BOX, KAF, MARKDOWN, RPK, WRAPPED

PROMETHEUS = "\n".join(
    f'kafka_consumergroup_{name}{{consumergroup="billing",topic="invoices",partition="{p}"}} {p + 7}'
    for name in ("lag", "current_offset")
    for p in range(4)
)
CSV = "group;topic;partition;offset;size\nbilling;invoices;0;88100;88140\nbilling;invoices;1;;0\n"
TEXTS = {"rpk": RPK, "kaf": KAF, "box": BOX, "markdown": MARKDOWN, "metrics": PROMETHEUS}
TEXTS |= {"wrapped": WRAPPED, "csv": CSV}
TEXTS |= {path.name: path.read_text("utf-8", "replace") for path in CORPUS.glob("*-*.txt")}
MARKS = "|\t;, -0179/.:(){}[]\"'=#$>aé\u00a0\x1b\x00"


def mutated(line, source):
    """Return a line with a part cut, doubled, or replaced by a mark."""
    if not line or source.random() < 0.3:
        return line
    at, size = source.randrange(len(line)), source.randrange(9)
    piece = source.choice(["", source.choice(MARKS), line[at : at + size] * 2])
    return line[:at] + piece + line[at + size :]


def unequal(text, source):
    """Return the counts of a mutated text if a line is counted twice or not at all."""
    lines = [mutated(line, source) for line in text.split("\n")]
    source.shuffle(lines) if source.random() < 0.1 else None
    data = "\n".join(lines).encode()
    try:
        parsed = read([("paste", data)])
    except SnapshotError:
        return None
    counts = parsed.row_count, parsed.note_count, parsed.rejected.num_rows
    return None if sum(counts) == parsed.line_count else (counts, parsed.line_count, data)


@pytest.mark.parametrize("name", TEXTS)
def test_every_line_of_a_mutated_input_counts_once(name):
    source = random.Random(name)

    assert [one for _ in range(5) if (one := unequal(TEXTS[name], source))] == []


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
@pytest.mark.parametrize("text", [RPK, KAF, BOX, MARKDOWN, PROMETHEUS, CSV])
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
        "Any idea? It grows.\nHere is all of it, as kcat prints it.\n\nt [0] offset 7\n\nThanks, Ana\n",
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
