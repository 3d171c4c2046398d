"""What /healthz says when a part does not work."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.requests import Request

from evenkeel.dashboard.server import application
from evenkeel.data.pipeline import uploads
from tests.services.ports import free_port

ROOT = Path(__file__).parents[3]
MOUNTED = "mount -t tmpfs -o size=1m tmpfs {0} && mkdir {0}/lake && mount -o remount,ro {0}"
ON_A_DISK = """if True:
    import json, os, subprocess, sys
    from starlette.requests import Request
    from evenkeel.dashboard.server import application
    from evenkeel.data.pipeline import uploads

    def ask():
        parts = json.loads(application._health(Request({"type": "http", "headers": []})).body)
        print(json.dumps([parts[name].get("why") for name in ("lake", "store")]), flush=True)

    disk = sys.argv[1]
    uploads.spark_state = lambda: "ready"
    ask()
    subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
    ask()
    with open(f"{disk}/filling", "wb", buffering=0) as filling:
        try:
            while True:
                filling.write(bytes(4096))
        except OSError:
            ask()
    os.remove(f"{disk}/filling")
    ask()
"""


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Return a function that asks, with what it is given as environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(application, "_ASKED", {})
    monkeypatch.setattr(uploads, "spark_state", lambda: "starting")
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))

    def answer(**environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        found = application._health(Request({"type": "http", "headers": []}))
        return found.status_code, json.loads(found.body)

    return answer


def test_everything_is_ok_on_an_empty_machine(asked):
    assert asked() == (
        200,
        {"ok": True, **dict.fromkeys(("process", "lake", "store", "spark"), {"ok": True})},
    )


def test_a_store_that_does_not_answer_is_named_without_its_password(asked):
    status, parts = asked(
        EVENKEEL_DATABASE_URL=(
            f"postgresql://evenkeel:password-of-the-tests@127.0.0.1:{free_port()}/shares"
        )
    )

    assert (status, parts["ok"], parts["lake"], parts["store"]["ok"]) == (
        503,
        False,
        {"ok": True},
        False,
    )
    assert parts["store"]["why"].startswith("the store of shares (postgresql): ")
    assert "password-of-the-tests" not in json.dumps(parts)


@pytest.mark.parametrize(("without_spark", "status"), [("64 MB", 200), ("0 MB", 503)])
def test_a_missing_java_is_named_and_is_a_fault_only_where_spark_reads_every_upload(
    asked, monkeypatch, tmp_path, without_spark, status
):
    monkeypatch.setattr(uploads, "spark_state", lambda: "missing: a JDK 17 or newer")
    (tmp_path / "evenkeel.toml").write_text(f'[limits]\nwithout_spark = "{without_spark}"\n')

    found, parts = asked()

    assert (found, parts["ok"]) == (status, status == 200)
    assert parts["spark"] == {"ok": False, "why": "missing: a JDK 17 or newer"}


def test_a_check_that_does_not_return_is_not_asked_again_meanwhile(asked, monkeypatch):
    from threading import Event

    calls, returns = [], Event()

    def hangs():
        calls.append("lake")
        returns.wait(60)

    monkeypatch.setattr(application, "_ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(application, "_CHECKS", {"lake": hangs})
    try:
        answers = [asked() for _ in range(3)]
    finally:
        returns.set()

    assert [(status, parts["lake"]) for status, parts in answers] == 3 * [
        (503, {"ok": False, "why": "no answer in 0.05 s"})
    ]
    assert calls == ["lake"]


def test_an_error_that_nobody_expected_shows_its_class_alone(asked, monkeypatch):
    def fails():
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(application, "_CHECKS", {"store": fails})

    assert asked() == (
        503,
        {"ok": False, "process": {"ok": True}, "store": {"ok": False, "why": "ZeroDivisionError"}},
    )


def test_a_lake_on_a_disk_that_is_read_only_or_full_says_so_and_is_ok_again_when_there_is_room(
    tmp_path,
):
    alone = ["unshare", "--mount", "sh", "-c"]
    if subprocess.run([*alone, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        pytest.skip("only root mounts a disk")
    command = f'{MOUNTED.format(tmp_path)} && exec "$0" "$@"'
    environment = os.environ | {"EVENKEEL_LAKE": f"{tmp_path}/lake"}

    run = subprocess.run(
        [*alone, command, sys.executable, "-c", ON_A_DISK, tmp_path],
        cwd=ROOT,
        env=environment,
        stdout=-1,
        check=True,
    )

    lake, store = f"lake {tmp_path}/lake: ", "the store of shares (sqlite): "
    assert [json.loads(line) for line in run.stdout.splitlines()] == [
        [
            f"{lake}Read-only file system",
            "the folder of the database of shares cannot be made: Read-only file system",
        ],
        [None, None],
        [f"{lake}No space left on device", f"{store}database or disk is full"],
        [None, None],
    ]


def test_a_lake_that_was_deleted_says_so_and_is_not_made_again(asked, tmp_path):
    before = asked()
    shutil.rmtree(tmp_path / "lake")

    status, parts = asked()

    assert (before[0], status, (tmp_path / "lake").exists()) == (200, 503, False)
    assert (
        parts["lake"]["why"]
        == f"lake {tmp_path}/lake: the folder was deleted while this process ran"
    )
    store = (
        f"the store of shares (sqlite): {tmp_path}/lake/shares/shares.sqlite was deleted while this"
        " process ran"
    )
    assert parts["store"]["why"] == store


def test_a_check_leaves_nothing_in_the_lake_and_nothing_in_the_store(asked, tmp_path):
    from evenkeel.data.shares.database import EXPIRED
    from evenkeel.data.shares.store import shares

    assert [asked()[0] for _ in range(3)] == [200] * 3

    files = {
        path.name.partition("-")[0] for path in (tmp_path / "lake").rglob("*") if path.is_file()
    }
    with shares()._engine.connect() as connection:
        assert (files, connection.execute(EXPIRED.select()).all()) == ({"shares.sqlite"}, [])


def test_a_database_that_takes_no_writing_is_named(asked, postgres):
    from evenkeel.data.shares.store import shares

    url = postgres.database()
    before = asked(EVENKEEL_DATABASE_URL=url)
    engine = shares()._engine
    with engine.begin() as connection:
        connection.exec_driver_sql(
            f'ALTER DATABASE "{engine.url.database}" SET default_transaction_read_only = on'
        )
    engine.dispose()

    status, parts = asked()

    assert (before[0], status, parts["lake"]) == (200, 503, {"ok": True})
    assert (
        parts["store"]["why"]
        == "the store of shares (postgresql): cannot execute INSERT in a read-only transaction"
    )
