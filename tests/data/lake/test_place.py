"""A folder and object storage do the same for a lake, and say in one line why they cannot."""

import os
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake import service
from evenkeel.data.lake.place import Place, place_of
from evenkeel.data.lake.service import will_last
from evenkeel.data.lake.writing import write_table


def test_what_is_written_is_there_whole_and_in_order(place):
    place.write("T/b-2/0.parquet", b"two")
    place.write("T/b-1/0.parquet", b"one")
    place.write("T/b-1/0.parquet", b"once more")

    assert [(found.key, found.size) for found in place.found("T")] == [
        ("T/b-1/0.parquet", 9),
        ("T/b-2/0.parquet", 3),
    ]
    assert (place.names("T"), place.names("other"), place.found("T/b")) == (["b-1", "b-2"], [], [])
    assert (
        place.read("T/b-1/0.parquet"),
        place.holds("T/b-1/0.parquet"),
        place.holds("T/b-1/1.parquet"),
    ) == (b"once more", True, False)


def test_a_place_inside_another_has_keys_of_its_own(place):
    inside = place / "imports" / "abc"

    inside.write("raw/0", b"x")

    assert ([found.key for found in place.found()], [found.key for found in inside.found()]) == (
        ["imports/abc/raw/0"],
        ["raw/0"],
    )
    assert inside.name == "abc"


def test_of_many_writers_at_once_one_creates(place):
    with ThreadPoolExecutor(8) as threads:
        made = list(
            threads.map(lambda number: place.create("manifests/b.json", b"%d" % number), range(8))
        )

    assert made.count(True) == 1
    assert place.read("manifests/b.json") == b"%d" % made.index(True)


def test_what_is_not_there_is_said_by_reading_and_no_error_to_delete(place):
    with pytest.raises(FileNotFoundError):
        place.read("nothing")

    for key in ("a", "c/d", "e"):
        place.write(key, b"x")
    place.delete(["none", "a", "a", "b", "c/d"])

    assert [found.key for found in place.found()] == ["e"]


def test_looking_into_a_folder_that_is_not_there_does_not_make_it(tmp_path):
    lake = place_of(tmp_path / "none")

    assert (lake.found(), lake.names("T"), lake.holds("x")) == ([], [], False)
    assert not (tmp_path / "none").exists()


def test_parquet_reads_back_through_its_filesystem(place):
    schema = pa.schema([("topic", pa.string()), ("partition", pa.int64())])
    table = pa.table({"topic": ["t", "t"], "partition": [0, 1]}, schema=schema)

    write_table(table, schema, place, "OFFSETS/b/0.parquet")

    assert (
        ds.dataset(
            ["OFFSETS/b/0.parquet"], schema=schema, format="parquet", filesystem=place.filesystem()
        ).to_table()
        == table
    )
    with place.opened("OFFSETS/b/0.parquet") as file:
        file.seek(-4, os.SEEK_END)
        assert bytes(file.read(4)) == b"PAR1"


@pytest.mark.parametrize(
    "text",
    ["ftp://host/lake", "s3:bucket", "s3:/bucket", "s3://", "hdfs://name/lake", "S4://bucket"],
)
def test_another_scheme_is_refused_by_name_and_makes_no_folder(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(
        SnapshotError,
        match=r"expected a folder, or a URL such as s3://bucket/lake, gs://bucket/lake, az://bucket/lake",
    ):
        place_of(text)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("s3://team/lake/", "s3://team/lake"),
        ("gs://team/lake", "gs://team/lake"),
        ("az://box/lake", "az://box/lake"),
    ],
)
def test_urls_name_object_storage(text, url):
    assert (str(place_of(text)), place_of(text).folder) == (url, None)


def test_a_path_is_a_folder_wherever_it_is_asked_from(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert [place_of(text).folder for text in ("lake", "./lake", str(tmp_path / "lake"))] == [
        tmp_path / "lake"
    ] * 3


def test_no_text_of_a_place_shows_its_secrets():
    place = place_of(
        "s3://team/lake", {"access_key_id": "AKIA1", "secret_access_key": "very-secret"}
    )

    assert not any(
        secret in text
        for secret in ("AKIA1", "very-secret")
        for text in (str(place), repr(place), str(place / "x"), repr([place]))
    )
    assert pickle.loads(pickle.dumps(place)) == place


class _Refusing(BaseHTTPRequestHandler):
    status, body, seconds = 403, b"", 0.0

    def do_GET(self):
        self.rfile.read(int(self.headers.get("content-length") or 0))
        time.sleep(self.seconds)
        self.send_response(self.status)
        self.send_header("content-length", str(len(self.body)))
        # Who asked may wait no longer.
        with suppress(ConnectionError):
            self.end_headers()
            self.wfile.write(self.body)

    do_PUT = do_HEAD = do_POST = do_GET

    def log_message(self, *args):
        pass


@pytest.fixture
def refusing(monkeypatch):
    """Return a function: the place of a service that gives one answer to everything."""
    monkeypatch.setitem(service._RETRIES, "max_retries", 1)
    service.store_of.cache_clear()
    services = []

    def answering(status: int, code: str, message: str, **more) -> Place:
        body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()
        server = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Answer", (_Refusing,), {"status": status, "body": body} | more)
        )
        services.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        settings = {"region": "x", "access_key_id": "AKIA1", "secret_access_key": "very-secret"}
        return place_of(
            "s3://team/lake", settings | {"endpoint": f"http://127.0.0.1:{server.server_port}"}
        )

    yield answering
    for server in services:
        server.shutdown()
        server.server_close()


ASKING = [
    lambda place: place.write("a", b"x"),
    lambda place: place.create("a", b"x"),
    lambda place: place.read("a"),
    lambda place: place.found("T"),
    lambda place: place.names("T"),
    lambda place: place.delete(["a", "b"]),
]


@pytest.mark.parametrize("ask", ASKING)
@pytest.mark.parametrize(
    ("status", "code", "message", "said"),
    [
        (
            403,
            "AccessDenied",
            "Access Denied.",
            "the service answers 403 Forbidden: AccessDenied: Access Denied.",
        ),
        (
            507,
            "StorageFull",
            "No space is left.",
            "the service answers 507 Insufficient Storage: StorageFull: No space is left.",
        ),
        (
            404,
            "NoSuchBucket",
            "No such bucket.",
            "the service answers 404 Not Found: NoSuchBucket: No such bucket.",
        ),
    ],
)
def test_a_service_that_refuses_is_one_line_with_its_reason_and_without_secrets(
    refusing, status, code, message, said, ask
):
    place = refusing(status, code, message)

    with pytest.raises(SnapshotError) as error:
        ask(place)

    assert str(error.value).startswith("s3://team/lake")
    assert str(error.value).endswith(said)
    assert "\n" not in str(error.value)
    assert "AKIA1" not in str(error.value)
    assert "very-secret" not in str(error.value)


@pytest.mark.parametrize("ask", ASKING)
def test_a_service_that_is_gone_is_one_line_that_names_it(refusing, ask):
    place = place_of(
        "s3://team/lake",
        {
            "endpoint": "http://127.0.0.1:9",
            "region": "x",
            "access_key_id": "a",
            "secret_access_key": "b",
        },
    )

    with pytest.raises(
        SnapshotError, match=r"^s3://team/lake.*: no answer from http://127\.0\.0\.1:9$"
    ):
        ask(place)


@pytest.mark.parametrize("ask", ASKING)
def test_a_service_that_is_too_slow_is_one_line_that_names_it_and_no_secret(
    refusing, monkeypatch, ask
):
    monkeypatch.setitem(service._CLIENT, "timeout", "0.1s")
    place = refusing(200, "", "", seconds=1)

    with pytest.raises(
        SnapshotError,
        match=rf"^s3://team/lake.*: no answer from {dict(place.settings)['endpoint']}$",
    ):
        ask(place)


@pytest.mark.parametrize(
    ("cause", "lasts"),
    [
        ("the service answers 403 Forbidden: AccessDenied: Access Denied.", True),
        ("the service answers 401 Unauthorized", True),
        ("the service answers 404 Not Found: NoSuchBucket: No such bucket.", True),
        ("Permission denied", True),
        ("Read-only file system", True),
        ("the service answers 503 Service Unavailable: SlowDown: Reduce your request rate.", False),
        ("the service answers 507 Insufficient Storage: StorageFull: No space is left.", False),
        ("no answer from http://127.0.0.1:403", False),
        ("No space left on device", False),
    ],
)
def test_a_right_or_a_bucket_that_is_missing_stays_so_and_nothing_else(cause, lasts):
    assert will_last(cause) == lasts


def test_a_folder_that_cannot_be_written_is_one_line_that_names_it():
    with pytest.raises(SnapshotError, match=r"^/proc/lake: (a: )?No such file or directory$"):
        place_of("/proc/lake").write("a", b"x")
