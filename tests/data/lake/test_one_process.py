"""A batch that one process stores without Spark."""

from datetime import UTC, datetime

import obstore
import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import decode
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.lake import run, store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import place_of
from evenkeel.data.sources.document_rows import rows_of
from evenkeel.data.sources.source import START

DOCUMENT = """{
    "format": "evenkeel.group/1", "group_id": "payments", "taken_at": "2026-11-20T08:00:00Z",
    "type": "classic", "state": "Stable", "assignor": "range",
    "topics": [{"name": "orders", "partitions": [
        {"begin_offset": 0, "committed_offset": 40, "end_offset": 100},
        {"begin_offset": 0, "committed_offset": 100, "end_offset": 90},
        {"begin_offset": 0, "end_offset": 70}
    ]}],
    "members": [
        {"member_id": "a", "subscribed": ["orders"], "owned": {"orders": [0, 1]}},
        {"member_id": "b", "subscribed": ["orders"], "owned": {}}
    ]
}"""


@pytest.fixture
def stored(tmp_path):
    """Return a function that stores the document, and the lake."""
    one = Manifest(
        batch="b",
        ingested_at=datetime(2026, 11, 20, 8, tzinfo=UTC),
        sources=(SourceFile("payments.json", "", 0),),
    )
    return lambda: run.store_parsed(
        rows_of([(1, decode(DOCUMENT))], "payments.json", START), one, place_of(tmp_path)
    ), tmp_path


def _rows(lake, name, *columns):
    return [
        tuple(row.values())
        for row in store.table(place_of(lake), "b", name).select(columns).to_pylist()
    ]


def test_lag_and_loads_stand_beside_the_tables(stored):
    store_now, lake = stored

    one = store_now()

    assert one == store.batch(place_of(lake), "b")
    assert (one.counts, one.sources[0].counts, one.holds_groups) == (
        Counts(lines=1, rows=1),
        Counts(lines=1, rows=1),
        True,
    )
    assert _rows(lake, "LAG", "partition", "member_id", "lag", "lag_flag") == [
        (0, "a", 60, None),
        (1, "a", 0, "past end"),
        (2, None, None, None),
    ]
    assert _rows(lake, "MEMBER_LOAD", "member_id", "partition_count", "lag") == [
        ("a", 2, 60),
        (None, 1, None),
        ("b", 0, 0),
    ]
    assert _rows(
        lake,
        "GROUP_LOAD",
        "group_id",
        "member_count",
        "idle_members",
        "unassigned_count",
        "lag",
        "max_lag",
    ) == [("payments", 2, 1, 1, 60, 60)]


def test_a_manifest_names_every_file_and_nothing_else_stays(stored):
    store_now, lake = stored

    one = store_now()

    named = {lake / file for files in one.tables.values() for file in files}
    assert {path for path in lake.rglob("*") if path.is_file()} == {
        *named,
        lake / "manifests" / "b.json",
    }


def test_a_disk_that_is_full_is_named_and_nothing_is_published(stored, monkeypatch):
    store_now, lake = stored

    put = obstore.put

    def full(store, key, data, **options):
        if key.endswith(".parquet"):
            raise obstore.exceptions.GenericError(
                "Generic LocalFileSystem error: No space left on device (os error 28)"
            )
        return put(store, key, data, **options)

    monkeypatch.setattr(obstore, "put", full)

    with pytest.raises(SnapshotError, match=f"^{lake}/.*parquet: No space left on device$"):
        store_now()

    assert [path for path in lake.rglob("*") if path.is_file()] == []
