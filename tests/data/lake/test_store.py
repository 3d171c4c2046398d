"""The lake without Spark: what a manifest shows, and what no manifest names."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.lake import manifest, store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import place_of


def written(lake, name, batch, *rows):
    """Write one Parquet file of a table and return its name in the lake."""
    file = f"{name}/{batch}/0.parquet"
    (lake / file).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schemas.STORED[name]), lake / file)
    return file


def published(lake, batch, day=1, **tables):
    files = {name: (written(lake, name, batch, *rows),) for name, rows in tables.items()}
    one = Manifest(batch=batch, ingested_at=datetime(2026, 11, day, tzinfo=UTC), tables=files)
    manifest.publish(place_of(lake), one)
    return one


def test_a_manifest_reads_back_as_it_was_published(tmp_path):
    one = Manifest(
        batch="b-1",
        ingested_at=datetime(2026, 11, 20, 8, tzinfo=UTC),
        formats=("kafka-consumer-groups --describe, Kafka 2.3 to 4.x",),
        sources=(
            SourceFile("payments.txt", "00ff", 17, Counts(3, 1, 1, 1)),
            SourceFile("cat.png", "ff00", 5, refused="cat.png: not a listing"),
        ),
        counts=Counts(3, 1, 1, 1),
        tables={"OFFSETS": ("OFFSETS/b-1/0.parquet",)},
    )

    manifest.publish(place_of(tmp_path), one)

    assert store.batch(place_of(tmp_path), "b-1") == one
    assert store.batches(place_of(tmp_path)) == [one]


def test_the_last_ingested_batch_comes_first(tmp_path):
    for batch, day in (("x", 2), ("a", 3), ("z", 1)):
        published(tmp_path, batch, day)

    assert [one.batch for one in store.batches(place_of(tmp_path))] == ["a", "x", "z"]


def test_a_manifest_is_decoded_once_and_again_when_it_was_written_anew(tmp_path):
    published(tmp_path, "x")
    (first,) = store.batches(place_of(tmp_path))
    assert store.batches(place_of(tmp_path))[0] is first

    anew = Manifest(
        batch="x", ingested_at=first.ingested_at, tables={"OFFSETS": ("OFFSETS/x/0.parquet",)}
    )
    place_of(tmp_path).write("manifests/x.json", manifest.encoded(anew))

    assert store.batches(place_of(tmp_path))[0].tables == {"OFFSETS": ("OFFSETS/x/0.parquet",)}


def test_files_that_no_manifest_names_do_not_exist(tmp_path):
    written(tmp_path, "OFFSETS", "b-1", {"topic": "t", "partition": 0})

    assert store.batches(place_of(tmp_path)) == []
    with pytest.raises(SnapshotError, match="no batch 'b-1'"):
        store.tables(place_of(tmp_path), "b-1")


def test_one_group_of_a_batch_can_be_read_and_the_group_without_name_too(tmp_path):
    rows = [
        {"group_id": group, "topic": "t", "partition": number}
        for number, group in enumerate(["g", "h", None, "g"])
    ]
    published(tmp_path, "b-1", OFFSETS=rows)

    assert store.tables(place_of(tmp_path), "b-1", "g").offsets["partition"].to_pylist() == [0, 3]
    assert store.tables(place_of(tmp_path), "b-1", None).offsets["partition"].to_pylist() == [2]
    assert store.tables(place_of(tmp_path), "b-1").offsets["partition"].to_pylist() == [0, 1, 2, 3]


def test_a_table_without_files_is_empty_and_has_its_columns(tmp_path):
    published(tmp_path, "b-1")

    assert store.tables(place_of(tmp_path), "b-1").members.schema == schemas.MEMBERS
    assert store.tables(place_of(tmp_path), "b-1").members.num_rows == 0


def test_groups_come_worst_first_and_those_of_unknown_lag_last(tmp_path):
    rows = [
        {"group_id": group, "lag": lag, "max_lag": worst}
        for group, lag, worst in [
            ("calm", 3, 2),
            ("unknown", None, None),
            ("dead", 900, None),
            ("worst", 900, 40),
        ]
    ]
    published(tmp_path, "b-1", GROUP_LOAD=rows)

    assert store.groups(place_of(tmp_path), "b-1")["group_id"].to_pylist() == [
        "worst",
        "dead",
        "calm",
        "unknown",
    ]


def test_an_upload_is_found_by_its_id_and_never_listed(tmp_path):
    published(
        tmp_path / "imports" / "secret-id", "secret-id", OFFSETS=[{"topic": "t", "partition": 7}]
    )

    assert store.tables(place_of(tmp_path), "secret-id").offsets["partition"].to_pylist() == [7]
    assert store.batches(place_of(tmp_path)) == []


@pytest.mark.parametrize("batch", ["../b-1", "imports/secret-id", "", ".", "a" * 100, "b-1/../b-1"])
def test_an_id_that_is_a_path_finds_nothing(tmp_path, batch):
    published(tmp_path, "b-1")

    with pytest.raises(SnapshotError, match="no batch"):
        store.batch(place_of(tmp_path), batch)


def test_a_broken_manifest_is_named(tmp_path):
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "b-1.json").write_text("{")

    with pytest.raises(SnapshotError, match="b-1.json"):
        store.batch(place_of(tmp_path), "b-1")


@pytest.mark.parametrize(
    "text", ["{", '{"batch": "b-0", "ingested_at": "2026-11-20T08:00:00"}', "\udcff"]
)
def test_a_broken_manifest_is_left_out_of_the_list_and_named(tmp_path, text):
    published(tmp_path, "b-1")
    (tmp_path / "manifests" / "b-0.json").write_text(text, errors="surrogateescape")

    stored = store.stored(place_of(tmp_path))

    assert [one.batch for one in stored.batches] == ["b-1"]
    (line,) = stored.broken
    assert line.startswith(f"{tmp_path}/manifests/b-0.json: ")


@pytest.mark.parametrize(
    "read",
    [
        lambda lake: store.table(place_of(lake), "b-1", "OFFSETS"),
        lambda lake: store.first_rows(place_of(lake), "b-1", "OFFSETS", 5),
    ],
)
@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(b"no Parquet"),
        lambda file: file.write_bytes(file.read_bytes()[:-40]),
        lambda file: file.unlink(),
    ],
)
def test_a_corrupt_or_missing_file_of_a_table_is_named(tmp_path, read, spoil):
    published(tmp_path, "b-1", OFFSETS=[{"topic": "t", "partition": 0}])
    file = tmp_path / "OFFSETS" / "b-1" / "0.parquet"
    spoil(file)

    with pytest.raises(
        SnapshotError,
        match=f"^{file}: .*, expected a Parquet file of batch b-1; ingest its files again$",
    ):
        read(tmp_path)


def test_reading_the_lake_imports_no_spark():
    modules = "sys, data.lake.store, data.lake.manifest, data.configuration"
    code = (
        f"import {modules}; print([name for name in sys.modules if name.startswith(('pyspark',"
        " 'py4j'))])"
    )

    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stdout == "[]\n"


def test_the_first_rejected_lines_are_read_in_order_and_hold_no_more_memory_than_they_need(
    tmp_path,
):
    published(
        tmp_path,
        "b-1",
        REJECTED=[
            {"source_file": "x", "source_line": number, "reason": "r", "text": "t" * 100}
            for number in range(5_000)
        ],
    )

    first = store.first_rows(place_of(tmp_path), "b-1", "REJECTED", 3)

    assert first["source_line"].to_pylist() == [0, 1, 2]
    assert first.get_total_buffer_size() < 10_000


def test_a_batch_without_rejected_lines_has_none(tmp_path):
    published(tmp_path, "b-1")

    assert store.first_rows(place_of(tmp_path), "b-1", "REJECTED", 3).schema == schemas.REJECTED
