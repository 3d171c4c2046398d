"""The pages with a lake in object storage: what is pasted is stored there, shown, and gone with its
service.
"""

import pytest

from evenkeel.data.lake import service
from evenkeel.data.lake.place import Place
from evenkeel.data.pipeline import uploads
from evenkeel.data.pipeline.ingest import ingest
from evenkeel.data.pipeline.ingest.inputs import inputs_of
from tests.dashboard.pasted import HEADER, PAYMENTS
from tests.data.lake.test_faulty_service import NAMES, SAID, kept


@pytest.fixture
def configure(tmp_path, monkeypatch):
    """Return a function that writes a configuration which names a lake; its secret comes from the
    environment.
    """

    def write(lake):
        settings = dict(lake.settings)
        (tmp_path / "evenkeel.toml").write_text(f"""
            [lake]
            path = "{lake}"
            endpoint = "{settings["endpoint"]}"
            region = "{settings["region"]}"
            access_key = "{settings["access_key_id"]}"
            secret_key = {{env = "KEY_OF_THE_LAKE"}}
        """)
        monkeypatch.setenv("KEY_OF_THE_LAKE", settings["secret_access_key"])
        monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
        monkeypatch.delenv("EVENKEEL_LAKE")
        return lake

    return write


@pytest.fixture
def lake_on_s3(bucket, configure):
    """The configuration names a bucket."""
    return configure(bucket / "lake")


@pytest.fixture
def faulty_lake(faulty_s3, configure, monkeypatch):
    """The configuration names a bucket behind the proxy, which is asked once."""
    monkeypatch.setitem(service._RETRIES, "max_retries", 0)
    return configure(faulty_s3.lake())


@pytest.fixture
def listing(tmp_path):
    """A file with the group payments."""
    (tmp_path / "listing.txt").write_text(HEADER + PAYMENTS)
    return tmp_path / "listing.txt"


def test_a_pasted_listing_is_stored_there_and_compared(page, lake_on_s3):
    page.paste(HEADER + PAYMENTS).open("compare")

    assert page.errors == []
    assert (page.scope, "current" in page.table) == ("payments", True)
    assert lake_on_s3.names("imports") == [page.address["opened"]]
    assert lake_on_s3.found(f"imports/{page.address['opened']}/raw") == []


def test_another_browser_opens_it_by_its_link(page, lake_on_s3):
    batch = page.paste(HEADER + PAYMENTS).address["opened"]

    other = page.anew().open("compare", opened=batch)

    assert (other.errors, other.scope) == ([], "payments")


def test_what_evenkeel_ingest_has_stored_is_listed(page, lake_on_s3, listing):
    ingest.ingest(inputs_of([listing]), lake_on_s3, uploads._SPARK.session)

    page.open("start")

    assert "open-stored" in [button.key for button in page.app.button]


def test_the_start_page_looks_at_the_lake_once(page, lake_on_s3, monkeypatch):
    looked, found = [], Place.found
    monkeypatch.setattr(
        Place, "found", lambda place, prefix="": (looked.append(prefix), found(place, prefix))[1]
    )

    page.open("start")

    assert looked.count("manifests") == 1


def test_while_the_service_is_away_every_page_says_so_in_one_line(page, lake_on_s3, tmp_path):
    batch = page.paste(HEADER + PAYMENTS).address["opened"]
    text = (tmp_path / "evenkeel.toml").read_text()
    (tmp_path / "evenkeel.toml").write_text(
        text.replace('endpoint = "http://127.0.0.1:', 'endpoint = "http://127.0.0.9:')
    )

    other = page.anew().open("compare", opened=batch)

    (said,) = other.errors + other.warnings
    assert said.startswith("s3://bucket-")
    assert "no answer from http://127.0.0.9:" in said


@pytest.mark.parametrize(
    ("table", "fault"),
    [*zip(["NOTES", "GROUP_LOAD", "OFFSETS"] * 2, SAID, strict=True)],
    ids=NAMES.get,
)
def test_a_service_that_fails_while_a_page_is_read_is_one_sentence_and_the_next_try_works(
    page, faulty_lake, faulty_s3, listing, table, fault
):
    ingested = ingest.ingest(inputs_of([listing]), faulty_lake, uploads._SPARK.session)
    with faulty_s3.spoiled(fault, lambda method, path: f"/{table}/" in path):
        seen = page.open("compare", opened=ingested.batch)
        (said,) = seen.errors + seen.warnings
        other = page.anew().open("compare", sample="lag-aware")

    assert said.startswith(f"{faulty_lake}/{table}/")
    assert said.endswith(SAID[fault].replace("ENDPOINT", faulty_s3.endpoint))
    assert not seen.app.exception
    assert "Traceback" not in seen.html
    assert not other.errors
    assert other.table
    again = page.anew().open("compare", opened=ingested.batch)
    assert (again.errors, again.warnings, again.scope) == ([], [], "payments")


@pytest.mark.parametrize("fault", SAID, ids=NAMES.get)
def test_a_service_that_fails_in_the_middle_of_a_paste_is_one_sentence_and_nothing_of_it_is_stored(
    page, faulty_lake, faulty_s3, fault
):
    page.open("start")

    with faulty_s3.spoiled(fault, lambda method, path: ".parquet" in path):
        seen = page.paste(HEADER + PAYMENTS)

    assert len(seen.errors) == 1
    assert not seen.app.exception
    assert str(faulty_lake) in seen.errors[0]
    assert kept(faulty_lake) == set()
    assert page.anew().paste(HEADER + PAYMENTS).errors == []
