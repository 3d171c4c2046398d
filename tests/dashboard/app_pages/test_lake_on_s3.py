"""The pages with a lake in object storage: what is pasted is stored there, shown, and gone with its service."""

import pytest

from data.lake.place import Place, place_of
from data.pipeline import uploads
from data.pipeline.ingest import ingest
from data.pipeline.ingest.files.inputs import inputs_of
from tests.dashboard.pasted import HEADER, PAYMENTS


@pytest.fixture
def lake_on_s3(s3, bucket, tmp_path, monkeypatch):
    """The configuration names a bucket; its secret comes from the environment."""
    url = f"{bucket}/lake"
    (tmp_path / "evenkeel.toml").write_text(f"""
        [lake]
        path = "{url}"
        endpoint = "{s3.endpoint}"
        region = "{s3.settings["region"]}"
        access_key = "{s3.settings["access_key_id"]}"
        secret_key = {{env = "KEY_OF_THE_LAKE"}}
    """)
    monkeypatch.setenv("KEY_OF_THE_LAKE", s3.settings["secret_access_key"])
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.delenv("EVENKEEL_LAKE")
    return place_of(url, s3.settings)


def test_a_pasted_listing_is_stored_there_and_compared(page, lake_on_s3):
    page.paste(HEADER + PAYMENTS)

    assert page.errors == []
    assert (page.scope, "current" in page.table) == ("payments", True)
    assert lake_on_s3.names("imports") == [page.address["opened"]]
    assert lake_on_s3.found(f"imports/{page.address['opened']}/raw") == []


def test_another_browser_opens_it_by_its_link(page, lake_on_s3):
    batch = page.paste(HEADER + PAYMENTS).address["opened"]

    other = page.anew().open("compare", opened=batch)

    assert (other.errors, other.scope) == ([], "payments")


def test_what_evenkeel_ingest_has_stored_is_listed(page, lake_on_s3, tmp_path):
    (tmp_path / "listing.txt").write_text(HEADER + PAYMENTS)
    ingest.ingest(inputs_of([tmp_path / "listing.txt"]), lake_on_s3, uploads._SPARK.session)

    page.open("start")

    assert "open-stored" in [button.key for button in page.app.button]


def test_the_start_page_looks_at_the_lake_once(page, lake_on_s3, monkeypatch):
    looked, found = [], Place.found
    monkeypatch.setattr(Place, "found", lambda place, prefix="": (looked.append(prefix), found(place, prefix))[1])

    page.open("start")

    assert looked.count("manifests") == 1


def test_while_the_service_is_away_every_page_says_so_in_one_line(page, lake_on_s3, tmp_path):
    batch = page.paste(HEADER + PAYMENTS).address["opened"]
    text = (tmp_path / "evenkeel.toml").read_text()
    (tmp_path / "evenkeel.toml").write_text(text.replace("endpoint = \"http://127.0.0.1:", "endpoint = \"http://127.0.0.9:"))

    other = page.anew().open("compare", opened=batch)

    (said,) = other.errors + other.warnings
    assert said.startswith("s3://bucket-") and "no answer from http://127.0.0.9:" in said
