import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from evenkeel.data.group.columns import observed_from_tables
from evenkeel.data.group.tables import repeats, schemas
from evenkeel.data.group.tables.counts import without_repeats
from evenkeel.data.group.tables.parsed import EMPTY, ParsedTables, joined
from evenkeel.data.sources import documents
from evenkeel.data.sources.inputs import read


def listing(*rows: tuple, file: str = "a.txt", format: str = "describe") -> ParsedTables:
    """Rows of OFFSETS of group g: topic, partition, committed_offset, end_offset, member_id, each
    on its own line from 2.
    """
    names = ("topic", "partition", "committed_offset", "end_offset", "member_id")
    table = pa.Table.from_pylist(
        [
            dict(zip(names, row, strict=True))
            | {"group_id": "g", "source_file": file, "source_line": line, "source_format": format}
            for line, row in enumerate(rows, 2)
        ],
        schemas.OFFSETS,
    )
    return replace(
        EMPTY, offsets=table, line_count=len(rows) + 1, row_count=len(rows), note_count=1
    )


def rows_of(parsed: ParsedTables) -> list[tuple]:
    return [
        tuple(row.values())
        for row in parsed.offsets.select(
            ["topic", "partition", "committed_offset", "end_offset", "member_id"]
        ).to_pylist()
    ]


def counts(parsed: ParsedTables) -> tuple[int, int, int, int]:
    return parsed.line_count, parsed.row_count, parsed.note_count, parsed.rejected.num_rows


def test_without_repeats_nothing_changes():
    parsed = listing(("t", 0, 1, 5, "m"), ("t", 1, 1, 5, "m"))

    assert without_repeats(parsed) is parsed


def test_a_repeat_with_the_same_values_is_a_note():
    found = without_repeats(listing(("t", 0, 1, 5, "m"), ("t", 1, 1, 5, "m"), ("t", 0, 1, 5, "m")))

    assert rows_of(found) == [("t", 0, 1, 5, "m"), ("t", 1, 1, 5, "m")]
    assert counts(found) == (4, 2, 2, 0)


def test_a_repeat_with_other_values_is_rejected_naming_the_first_line():
    parsed = listing(("t", 0, 1, 5, "m"), ("t", 0, 1, 6, "m"))

    found = without_repeats(parsed, lambda file, line: f"text of {file} {line}")

    assert rows_of(found) == [("t", 0, 1, 5, "m")]
    assert counts(found) == (3, 1, 1, 1)
    assert found.rejected.to_pylist() == [
        {
            "source_format": "describe",
            "source_file": "a.txt",
            "source_line": 3,
            "text": "text of a.txt 3",
            "reason": "end_offset is 6, expected 5 as in line 2",
        }
    ]


def test_the_first_line_of_another_file_is_named_with_its_file():
    found = without_repeats(
        joined([listing(("t", 0, 1, 5, "m")), listing(("t", 0, 1, 5, "n"), file="b.txt")])
    )

    assert found.rejected["reason"].to_pylist() == [
        "member_id is 'n', expected 'm' as in line 2 of a.txt"
    ]


def test_null_and_a_value_are_other_values_in_one_format():
    found = without_repeats(listing(("t", 0, None, 5, "m"), ("t", 0, 3, 5, "m")))

    assert found.rejected["reason"].to_pylist() == [
        "committed_offset is 3, expected nothing as in line 2"
    ]


def test_what_another_format_knows_more_fills_the_row_and_its_line_stays_a_row():
    parsed = joined(
        [
            listing(("t", 0, None, 5, None), ("t", 1, None, 6, None)),
            listing(("t", 1, 3, None, "m"), file="b.csv", format="CSV"),
        ]
    )

    found = without_repeats(parsed)

    assert rows_of(found) == [("t", 0, None, 5, None), ("t", 1, 3, 6, "m")]
    assert counts(found) == (5, 3, 2, 0)


def test_a_contradiction_of_another_format_is_rejected():
    parsed = joined(
        [listing(("t", 0, None, 5, None)), listing(("t", 0, 3, 6, "m"), file="b.csv", format="CSV")]
    )

    found = without_repeats(parsed)

    assert rows_of(found) == [("t", 0, None, 5, None)]
    assert found.rejected["reason"].to_pylist() == [
        "end_offset is 6, expected 5 as in line 2 of a.txt"
    ]


def test_groups_without_a_name_are_told_apart_by_their_file():
    unnamed = [
        part.offsets.set_column(2, schemas.OFFSETS.field("group_id"), pa.nulls(1, pa.string()))
        for part in (listing(("t", 0, 1, 5, "m")), listing(("t", 0, 2, 5, "m"), file="b.txt"))
    ]
    parsed = joined([replace(listing(("t", 0, 1, 5, "m")), offsets=table) for table in unnamed])

    assert without_repeats(parsed).offsets.num_rows == 2


def test_a_document_that_comes_twice_is_a_note_and_one_that_contradicts_it_is_rejected_whole():
    def text(end: int, size: int) -> bytes:
        partitions = [{"end_offset": end, "committed_offset": 1}] * size
        return json.dumps(
            {
                "format": "evenkeel.group/1",
                "group_id": "g",
                "topics": [{"name": "t", "partitions": partitions}],
                "members": [],
            }
        ).encode()

    found = without_repeats(
        documents.parse(b"\n".join([text(5, 1), text(5, 1), text(6, 1), text(5, 2)]), "g.jsonl")
    )

    assert counts(found) == (4, 2, 1, 1)
    assert (found.offsets.num_rows, found.members.num_rows) == (2, 1)
    assert found.rejected["reason"].to_pylist() == ["end_offset is 6, expected 5 as in line 1"]
    assert found.topics["source_line"].to_pylist() == [1, 4]


def test_a_listing_of_states_beside_a_document_leaves_its_topics_known():
    state = (
        "state.txt",
        (
            b"GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\ng broker:9092 (1) range"
            b" Stable 0\n"
        ),
    )
    written = (
        "g.json",
        (
            b'{"format": "evenkeel.group/1", "group_id": "g", "topics": [{"name": "t",'
            b' "partitions": 3}]}'
        ),
    )

    for files in ([state, written], [written, state]):
        found = read(files)
        group = observed_from_tables(found.offsets, found.members, found.topics, "g")

        assert (group.snapshot.partition_count.tolist(), group.group_state, group.assumed) == (
            [3],
            "Stable",
            (),
        )


def test_keys_that_share_a_hash_are_still_told_apart(monkeypatch):
    monkeypatch.setattr(repeats, "_mixed", lambda repeats: np.zeros_like(repeats))

    found = without_repeats(listing(("t", 0, 1, 5, "m"), ("t", 1, 1, 6, "m"), ("t", 0, 1, 5, "m")))

    assert counts(found) == (4, 2, 2, 0)


def test_row_keys_are_the_same_in_every_process():
    table = listing(("t", 0, 1, 5, "m"), ("u", 3, 1, 5, "m")).offsets
    code = (
        "import sys; import pyarrow as pa; from evenkeel.data.group.tables.repeats import row_keys;"
        " print(row_keys(pa.ipc.open_stream(sys.stdin.buffer).read_all(), 'OFFSETS').tolist())"
    )
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)

    elsewhere = subprocess.run(
        [sys.executable, "-c", code],
        input=stream.getvalue(),
        capture_output=True,
        check=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": "."},
    )

    assert json.loads(elsewhere.stdout) == repeats.row_keys(table, "OFFSETS").tolist()


@given(
    st.lists(
        st.tuples(
            st.sampled_from("tu"),
            st.integers(0, 1),
            st.sampled_from([None, 1, 2]),
            st.sampled_from([None, 5, 6]),
            st.just("m"),
        ),
        max_size=8,
    )
)
def test_every_line_counts_and_a_single_format_keeps_the_first_row_of_each_partition(rows):
    parsed = listing(*rows)

    found = without_repeats(parsed)

    first = {row[:2]: row for row in reversed(rows)}
    expected = Counter(
        "row"
        if rows.index(row) == place and first[row[:2]] == row
        else "note"
        if first[row[:2]] == row
        else "rejected"
        for place, row in enumerate(rows)
    )
    assert sorted(map(str, rows_of(found))) == sorted(map(str, first.values()))
    assert counts(found) == (
        len(rows) + 1,
        expected["row"],
        expected["note"] + 1,
        expected["rejected"],
    )


def test_a_million_rows_are_looked_through_in_well_under_a_second():
    count = 1_000_000
    row = np.arange(count)
    columns = {
        "group_id": pa.repeat("g", count),
        "topic": pa.array(["orders", "payments"] * (count // 2)),
        "partition": pa.array((row // 2).astype(np.int32)),
        "source_line": pa.array(row),
    }
    arrays = [columns.get(field.name, pa.nulls(count, field.type)) for field in schemas.OFFSETS]
    parsed = replace(
        EMPTY,
        offsets=pa.Table.from_arrays(arrays, schema=schemas.OFFSETS),
        line_count=count,
        row_count=count,
    )

    started = time.process_time()
    found = without_repeats(parsed)
    seconds = time.process_time() - started

    assert found is parsed
    assert seconds < 1
