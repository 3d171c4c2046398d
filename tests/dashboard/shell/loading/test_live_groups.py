"""A live group from the cluster to the page, without a broker."""

import pytest

from evenkeel.dashboard.shell import cache
from evenkeel.dashboard.shell.loading import uploads
from evenkeel.dashboard.shell.loading.clusters import (
    live_snapshot,
    on_the_way,
    replayed,
    snapshot_of,
)
from evenkeel.dashboard.shell.loading.uploads import imported, stored_batches
from evenkeel.dashboard.shell.loading.views import view
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.group.columns import observed_from_tables
from evenkeel.data.group.document import decode
from evenkeel.data.lake import run, store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import place_of
from evenkeel.data.live import for_pages
from evenkeel.data.live.reading.documents import LiveGroup
from evenkeel.data.sources.document_rows import rows_of
from evenkeel.data.sources.source import Context
from tests.data.group.columns.observed import plain
from tests.data.lake.test_one_process import DOCUMENT


@pytest.fixture
def opened(lake, monkeypatch):
    """The group of a cluster that has just been read."""
    cache.ALL.clear()
    monkeypatch.setattr(
        for_pages,
        "read_group",
        lambda cluster, group_id: LiveGroup(group_id, decode(DOCUMENT), ["orders-2: hidden"]),
    )
    return OpenGroup(batch=live_snapshot("local", "payments"), group_id="payments")


def test_a_group_that_was_just_read_is_shown_as_the_cluster_gave_it_and_reads_no_rows_back(
    opened, monkeypatch
):
    monkeypatch.setattr(store, "tables", None)

    seen = view(opened).observed

    assert (seen.cluster, seen.snapshot.member_id, seen.assignor) == ("local", ("a", "b"), "range")
    assert replayed(opened) is None
    assert not on_the_way(opened).members


def test_a_group_that_is_opened_later_is_the_same(opened, lake):
    seen = view(opened).observed

    later = observed_from_tables(
        *store.tables(place_of(lake), opened.batch, "payments"), "payments"
    )

    assert plain(later) == plain(seen)


def test_a_live_group_has_a_load_and_a_moment_like_any_other(opened):
    groups, moments = imported(opened.batch).groups, uploads.moments(opened, [opened.batch])

    assert groups.table.select(["group_id", "member_count", "lag"]).to_pylist() == [
        {"group_id": "payments", "member_count": 2, "lag": 60}
    ]
    assert [f"{time:%H:%M:%S}" for time in moments.values()] == ["08:00:00"]


def test_what_cannot_be_seen_is_in_the_manifest(opened):
    assert snapshot_of(opened.batch).problems == ("orders-2: hidden",)


def test_moments_of_a_live_group_are_those_of_its_cluster(opened, lake):
    batches = [
        ("local-1", "local", "07:00"),
        ("local-2", "local", "07:30"),
        ("other-1", "other", "07:00"),
        ("file-1", None, "07:00"),
    ]
    for batch, cluster, time in batches:
        document = decode(DOCUMENT.replace("08:00", time))
        source = SourceFile(f"cluster {cluster}", "", 0)
        one = Manifest(
            batch=batch, ingested_at=document.taken_at, sources=(source,), cluster=cluster
        )
        run.store_parsed(
            rows_of([(1, document)], source.name, Context(cluster=cluster)), one, place_of(lake)
        )

    found = uploads.moments(
        opened, [opened.batch, *stored_batches(opened).batches, "other-1", "file-1", "gone"]
    )

    assert [name.partition("@")[0] for name in found] == [opened.batch, "local-2", "local-1"]
    assert [f"{time:%H:%M}" for time in found.values()] == ["08:00", "07:30", "07:00"]
