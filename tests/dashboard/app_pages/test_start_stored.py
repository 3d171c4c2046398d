"""Start: what the commands have stored in the lake."""

from datetime import UTC, datetime

from data import manifest
from data.manifest import Manifest


def test_what_ingest_has_stored_is_offered_and_opens_like_an_upload(page, ingested):
    ingested("GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\npay orders 0 5 9 4 a /h a\nno row\n")
    page.open("start")

    page.app.button(key="open-stored").click().run()

    assert page.kpis["Rejected"] == "1"
    assert not page.app.exception


def test_a_gap_of_a_collector_is_not_offered(page, lake):
    moment = datetime(2026, 11, 20, 8, tzinfo=UTC)
    manifest.publish(lake, Manifest(batch="gap-1", ingested_at=moment, taken_at=moment, gap_until=moment, cluster="local", gap="no broker answers"))

    page.open("start")

    assert "open-stored" not in [button.key for button in page.app.button]
    assert not page.app.exception
