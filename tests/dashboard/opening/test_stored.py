"""Start: what the commands have stored in the lake."""

from datetime import UTC, datetime

import pytest

from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import place_of


def test_what_ingest_has_stored_is_offered_and_opens_like_an_upload(page, ingested):
    ingested(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\npay"
        " orders 0 5 9 4 a /h a\npay orders x 5 9 4 a /h a\n"
    )
    page.open("open")

    page.app.button(key="open-stored").click().run()

    assert page.kpis["Rejected"] == "1"
    assert not page.app.exception


LISTING = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\npay orders"
    " 0 5 9 4 a /h a\npay orders x 5 9 4 a /h a\n"
)


def test_a_broken_manifest_is_named_and_the_other_batches_are_offered(page, lake, ingested):
    ingested(LISTING)
    (lake / "manifests" / "broken.json").write_text("{")

    page.open("open")

    assert [f"{lake}/manifests/broken.json" in warning for warning in page.warnings] == [True]
    assert "open-stored" in [button.key for button in page.app.button]


@pytest.mark.parametrize("table", ["GROUP_LOAD", "REJECTED", "OFFSETS", "NOTES"])
def test_a_batch_with_a_corrupt_file_is_named_and_leaves_the_start_page_usable(
    page, lake, ingested, table
):
    ingested(LISTING)
    page.open("open")
    (file,) = (lake / table).rglob("*.parquet")
    file.write_bytes(b"spoilt")

    page.app.button(key="open-stored").click().run()

    assert not page.app.exception
    assert [f"{file}: " in line for line in page.errors + page.warnings] == [True]
    if table == "OFFSETS":
        page.app.button(key="forget-import").click().run()
    assert "read-paste" in [button.key for button in page.app.button]
    assert page.errors == []


def test_a_gap_of_a_collector_is_not_offered(page, lake):
    moment = datetime(2026, 11, 20, 8, tzinfo=UTC)
    manifest.publish(
        place_of(lake),
        Manifest(
            batch="gap-1",
            ingested_at=moment,
            taken_at=moment,
            gap_until=moment,
            cluster="local",
            gap="no broker answers",
        ),
    )

    page.open("open")

    assert "open-stored" not in [button.key for button in page.app.button]
    assert not page.app.exception
