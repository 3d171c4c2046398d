"""However an input is cut into tasks, rows, notes and rejections are those of reading it at
once.
"""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.counts import Counts, counts_of
from evenkeel.data.group.tables.parsed import tables_of
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.writing import files_of, read_parts
from evenkeel.data.pipeline.ingest import batch, parts
from evenkeel.data.pipeline.ingest.batch import BUCKET_TASKS, ShuffleHere, Task, done_by
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.pipeline.ingest.on_spark import SparkShuffle
from evenkeel.data.pipeline.ingest.parts import planned
from evenkeel.data.sources import inputs as at_once
from evenkeel.data.sources.inputs import read
from evenkeel.data.sources.source import START

READING_BYTES = 250
"""Files up to here are read whole, larger ones in ranges."""

OFFSETS = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
UNNAMED = OFFSETS.removeprefix("GROUP ")
MEMBERS = "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT"


class AnyOrder(ShuffleHere):
    """Cells reach a function in another order than the tasks'."""

    def together(self, cells, count, function):
        return super().together(cells.take(list(range(cells.num_rows))[::-1]), count, function)


def done_with(shuffle, files, task_bytes, folder):
    """Cut files in a folder into tasks, and run them."""
    home = place_of(Path(folder))
    for name, text in files.items():
        home.write(name, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "TASK_BYTES", task_bytes)
        patch.setattr(parts, "READING_BYTES", READING_BYTES)
        patch.setattr(batch, "READING_BYTES", READING_BYTES)
        tasks = planned([Input(name, home, name) for name in files], START, {}).tasks
        return done_by(
            shuffle, [Task(place, parts, home / "lake", "b") for place, parts in enumerate(tasks)]
        )


def ingested(files, task_bytes, shuffle=AnyOrder()):
    """Cut, run, settle; return the four tables in the order of the input, and the counts."""
    with tempfile.TemporaryDirectory() as folder:
        done = done_with(shuffle, files, task_bytes, folder)
        tables = {
            name: read_parts(name, files_of(done, name), place_of(Path(folder, "lake")))
            for name in schemas.TABLES
        }
        return {name: ordered(table, files) for name, table in tables.items()}, sum(
            (count for answer in done for count in answer.counts.values()), Counts()
        )


def ordered(table, files):
    places = {name: place for place, name in enumerate(files)}
    return sorted(
        table.to_pylist(), key=lambda row: (places[row["source_file"]], row["source_line"])
    )


def read_at_once(files):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(at_once, "READING_BYTES", READING_BYTES)
        parsed = read(list(files.items()))
    return {name: ordered(table, files) for name, table in tables_of(parsed).items()}, counts_of(
        parsed
    )


def offset_line(group, partition, committed, member):
    owner = f"{member} /10.0.0.1 c" if member else "- - -"
    return f"{group} t {partition} {committed} 9 {9 - committed} {owner}"


group_ids = some.sampled_from("gh")
members = some.sampled_from(["a", "b", None])
offset_lines = some.builds(
    offset_line, group_ids, some.integers(0, 3), some.integers(4, 5), members
)
idle_lines = some.builds("{} - - - - - {} /10.0.0.1 c".format, group_ids, some.sampled_from("abc"))
member_lines = some.builds(
    "{} {} /10.0.0.1 c 1 t({})".format, group_ids, some.sampled_from("abc"), some.integers(0, 3)
)
topic_lines = some.builds(
    "Topic: {}\tPartitionCount: {}\tReplicationFactor: 1\tConfigs: ".format,
    some.sampled_from("tu"),
    some.integers(3, 4),
)
blocks = some.one_of(
    some.tuples(
        some.just(OFFSETS),
        some.lists(some.one_of(offset_lines, offset_lines, idle_lines), max_size=9),
    ),
    some.tuples(
        some.just(UNNAMED), some.lists(offset_lines.map(lambda line: line[2:]), max_size=6)
    ),
    some.tuples(some.just(MEMBERS), some.lists(member_lines, max_size=6)),
    some.tuples(some.just(""), some.lists(topic_lines, max_size=4)),
    some.tuples(some.just("no header"), some.lists(some.text("ab \t|é", max_size=9), max_size=4)),
)
texts = some.lists(blocks, min_size=1, max_size=4).map(
    lambda parts: "".join(
        f"{header}\n" + "".join(f"{line}\n" for line in lines) for header, lines in parts
    ).encode()
)
inputs = some.lists(texts, min_size=1, max_size=3).map(
    lambda parts: {f"{place}.txt": text for place, text in enumerate(parts)}
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(inputs, some.sampled_from([80, 200, 500, 10**6]))
@example(
    {"0.txt": f"{UNNAMED}\nt 0 4 9 5 a /10.0.0.1 c\n{UNNAMED}\nt 0 5 9 4 a /10.0.0.1 c\n".encode()},
    80,
)
def test_rows_notes_and_rejections_do_not_depend_on_how_an_input_is_cut(files, task_bytes):
    assert ingested(files, task_bytes) == read_at_once(files)


def test_of_two_readings_in_one_file_the_ingest_keeps_the_last():
    reading = f"{UNNAMED}\nt 0 {{}} 9 {{}} - - -\n"
    files = {
        "a.txt": (reading.format(4, 5) + reading.format(7, 2)).encode(),
        "b.txt": f"{OFFSETS}\nh t 0 4 9 5 - - -\n".encode(),
    }

    tables, counts = ingested(files, 80)

    assert counts == Counts(lines=6, rows=2, notes=4, rejected=0)
    assert [(row["group_id"], row["committed_offset"]) for row in tables["OFFSETS"]] == [
        (None, 7),
        ("h", 4),
    ]


def test_a_repeat_in_another_task_is_a_note_and_one_with_other_values_names_the_first_line():
    files = {
        "a.txt": f"{OFFSETS}\ng t 0 4 9 5 - - -\n".encode(),
        "b.txt": f"{OFFSETS}\ng t 0 4 9 5 - - -\ng t 0 6 9 3 - - -\n".encode(),
    }

    tables, counts = ingested(files, 1)

    assert counts == Counts(lines=5, rows=1, notes=3, rejected=1)
    assert [(row["source_file"], row["source_line"]) for row in tables["OFFSETS"]] == [("a.txt", 2)]
    assert [
        (row["source_file"], row["source_line"], row["text"], row["reason"])
        for row in tables["REJECTED"]
    ] == [
        ("b.txt", 3, "g t 0 6 9 3 - - -", "committed_offset is 6, expected 4 as in line 2 of a.txt")
    ]


def test_a_later_task_fills_in_what_an_earlier_one_did_not_know():
    files = {
        "a.txt": f"{MEMBERS.removesuffix(' ASSIGNMENT')}\ng c /10.0.0.1 c 1\n".encode(),
        "b.txt": f"{MEMBERS}\ng c /10.0.0.1 c 1 t(2)\n".encode(),
    }

    tables, counts = ingested(files, 1)

    assert counts == Counts(lines=4, rows=2, notes=2, rejected=0)
    assert [(row["member_id"], row["owned"]) for row in tables["MEMBERS"]] == [
        ("c", [{"topic": "t", "partitions": [2]}])
    ]


def test_settlements_share_their_work_by_group_and_lose_nothing():
    listing = f"{OFFSETS}\n" + "".join(f"g{number} t 0 4 9 5 - - -\n" for number in range(40))
    files = {f"{place}.txt": listing.encode() for place in range(3)}

    tables, counts = ingested(files, 300)

    assert counts == Counts(lines=123, rows=40, notes=83, rejected=0)
    assert {row["source_file"] for row in tables["OFFSETS"]} == {"0.txt"}


def test_counts_by_file_are_those_after_repeats_are_settled():
    files = {f"{place}.txt": f"{OFFSETS}\ng t 0 4 9 5 - - -\n".encode() for place in range(2)}

    with tempfile.TemporaryDirectory() as folder:
        done = done_with(ShuffleHere(), files, 1, folder)

    counts = {
        name: sum((answer.counts[name] for answer in done if name in answer.counts), Counts())
        for name in files
    }

    assert counts == {"0.txt": Counts(2, 1, 1, 0), "1.txt": Counts(2, 0, 2, 0)}


_CELLS = some.sampled_from(
    ["0", "7", "1000", "31,939", "31.939", "1.000", "31 939", "5.00", "1,5", "", "-", "x"]
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    some.lists(some.tuples(_CELLS, _CELLS), min_size=1, max_size=8),
    some.sampled_from([1, 30, 1 << 20]),
)
def test_numbers_of_a_table_mean_the_same_in_one_task_and_in_many(cells, task_bytes):
    lines = [f"t;{place};{lag};{end}" for place, (lag, end) in enumerate(cells)]
    files = {
        "a.csv": "\n".join(["topic;partition;lag;offset", *lines]).encode(),
        "b.csv": b"topic;partition;lag\nu;0;1,000\n",
    }

    assert ingested(files, task_bytes) == read_at_once(files)


def test_spark_brings_together_what_one_process_does(spark):
    files = {
        "a.txt": "\n".join(
            [OFFSETS, *(offset_line("g", number, 4, "a") for number in range(20)), ""]
        ).encode(),
        "b.txt": "\n".join(
            [OFFSETS, *(offset_line("g", row, row % 3 + 3, None) for row in range(9, 30)), ""]
        ).encode(),
    }

    assert ingested(files, 200, SparkShuffle(spark)) == read_at_once(files)


def test_tasks_that_share_no_key_run_once():
    files = {
        f"{place}.txt": f"{OFFSETS}\n{offset_line(place, 0, 4, 'a')}\n".encode()
        for place in range(BUCKET_TASKS + 1)
    }
    shuffle, calls = ShuffleHere(), []
    shuffle.together = lambda *cells: (
        calls.append("together") or ShuffleHere.together(shuffle, *cells)
    )

    ingested(files, 1, shuffle)

    assert calls == ["together"]


@pytest.mark.parametrize(("file_count", "task_bytes"), [(1, 2**20), (BUCKET_TASKS // 2, 1)])
def test_few_tasks_bring_nothing_together(file_count, task_bytes):
    shuffle = ShuffleHere()
    shuffle.together = None
    files = {
        f"{place}.txt": f"{OFFSETS}\n{offset_line(place, 0, 4, 'a')}\n".encode()
        for place in range(file_count)
    }

    assert ingested(files, task_bytes, shuffle)[1] == Counts(
        2 * file_count, file_count, file_count, 0
    )
