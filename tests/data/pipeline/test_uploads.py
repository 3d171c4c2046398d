"""Uploads: from bytes to stored tables, visible by id only, deleted in time."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import obstore
import pytest

from evenkeel.data import clock
from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.budget import Budget
from evenkeel.data.group.columns import GroupKey
from evenkeel.data.group.document import decode_application
from evenkeel.data.lake import manifest, store
from evenkeel.data.lake.import_folder import import_places
from evenkeel.data.lake.lease import UPLOADS, leased
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import place_of
from evenkeel.data.lake.run import running
from evenkeel.data.own_process import answered
from evenkeel.data.pipeline import uploads
from evenkeel.data.pipeline.background import Background
from evenkeel.data.scenarios.stored_groups import (
    StoredGroup,
    stored_application,
    stored_applications,
)
from tests.data.sources.corpus import CORPUS
from tests.generated.old_leases import make_old
from tests.generated.small_applications import EXAMPLE_APPLICATION
from tests.waiting import until

LISTING = b"""GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID    HOST            CLIENT-ID
payments        orders          0          120455          121003          548             pay-a-0f3c     /10.4.1.17      pay-a
payments        orders          1          -               88120           -               pay-b-7ac2     /10.4.1.18      pay-b
"""  # noqa: E501


@pytest.fixture
def lake(tmp_path, monkeypatch):
    """A lake whose uploads one process reads each."""
    monkeypatch.setattr(uploads, "_spark", lambda: pytest.fail("asked for Spark"))
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
    return tmp_path


@pytest.fixture
def configured(tmp_path, monkeypatch):
    """Return a function that writes the table `[limits]`."""

    def write(**limits):
        (tmp_path / "evenkeel.toml").write_text(
            "[limits]\n" + "".join(f'{name} = "{value}"\n' for name, value in limits.items())
        )
        monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
        monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))

    return write


@pytest.fixture
def spark_reads(configured):
    """Let Spark read every upload."""
    configured(without_spark="0 MB")


def without_spark(monkeypatch, tmp_path):
    def missing():
        raise SnapshotError(
            "missing: a JDK 17 or newer with the module jdk.incubator.vector; install it with: sudo"
            " apt-get install default-jdk-headless"
        )

    monkeypatch.setattr(uploads, "_SPARK", Background(missing))
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))


def test_an_upload_becomes_tables_that_its_id_alone_shows(lake):
    batch = uploads.upload([("pasted", LISTING)])

    assert store.tables(place_of(lake), batch, "payments").offsets["partition"].to_pylist() == [
        0,
        1,
    ]
    assert store.groups(place_of(lake), batch).select(
        ["group_id", "member_count", "partition_count", "lag"]
    ).to_pylist() == [{"group_id": "payments", "member_count": 2, "partition_count": 2, "lag": 548}]
    assert store.batches(place_of(lake)) == []
    assert len(batch) >= 22


def test_spark_reads_what_is_larger_than_the_setting_and_says_how_far_it_is(
    lake, configured, monkeypatch, spark
):
    configured(without_spark="1 MB")
    monkeypatch.setattr(uploads, "_spark", lambda: Background(lambda: spark))
    shares = []

    batch = uploads.upload([("pasted", LISTING), ("large", b"\n" * 10**6)], progress=shares.append)

    assert store.groups(place_of(lake), batch)["group_id"].to_pylist() == ["payments"]
    assert (shares[-1], uploads.needs_spark(10**6), uploads.needs_spark(10**6 + 1)) == (
        1.0,
        False,
        True,
    )


def test_where_the_setting_is_0_spark_reads_every_upload(lake, spark_reads, monkeypatch, spark):
    monkeypatch.setattr(uploads, "_spark", lambda: Background(lambda: spark))

    batch = uploads.upload([("pasted", LISTING)])

    assert uploads.needs_spark()
    assert store.groups(place_of(lake), batch)["group_id"].to_pylist() == ["payments"]


def test_a_process_that_reads_and_loads_no_spark_is_all_that_starts(tmp_path):
    code = """if True:
        import sys
        from evenkeel.data.pipeline import uploads

        uploads.start()
        uploads.upload([("pasted", sys.stdin.buffer.read())])
        print(uploads.spark_state(), {"pyspark", "py4j"} & set(sys.modules))
    """
    environment = os.environ | {
        "EVENKEEL_LAKE": str(tmp_path),
        "PATH": "/nonexistent",
        "JAVA_HOME": "/nonexistent",
    }

    run = subprocess.run(
        [sys.executable, "-c", code],
        input=LISTING,
        env=environment,
        capture_output=True,
        timeout=300,
        check=False,
    )

    assert (run.stdout, run.stderr, run.returncode) == (b"not needed set()\n", b"", 0)


@pytest.mark.parametrize(
    ("limits", "size", "refusal"),
    [
        (
            {"memory": "100 MB"},
            400_000,
            (
                "reading this upload takes more than 100 MB of memory, expected at most that"
                " ([limits] memory)"
            ),
        ),
        (
            {"time": "0.1s"},
            400_000,
            "reading this upload takes longer than 0.1 s, expected at most that ([limits] time)",
        ),
    ],
)
def test_an_upload_that_needs_more_than_its_limits_is_one_sentence_and_leaves_nothing(
    lake, configured, limits, size, refusal
):
    large = LISTING + b"".join(
        b"payments orders %d 1 2 1 - - -\n" % partition for partition in range(2, size)
    )
    configured(**limits)

    with pytest.raises(SnapshotError) as refused:
        uploads.upload([("pasted", large)])
    configured()

    assert str(refused.value) == f"{refusal}; nothing of it is stored"
    assert list((lake / "imports").iterdir()) == []
    assert uploads.upload([("pasted", LISTING)])


def test_a_process_that_is_killed_in_an_upload_leaves_nothing_and_the_next_upload_works(
    lake,
):
    def killed(begin):
        (home,) = import_places(place_of(lake))
        earlier = {"batch": "earlier", "files": [hashlib.sha256(LISTING).hexdigest()]}
        home.write("turns/000000000000", json.dumps(earlier).encode())
        with running(home, "earlier"):
            reading = begin()
            # It has written tables, and waits for its turn to publish them.
            until(lambda: list(lake.glob("imports/*/GROUP_LOAD/*/*.parquet")))
            reading._process.kill()
            return answered(reading)

    with pytest.raises(SnapshotError) as refused:
        uploads.upload([("pasted", LISTING)], wait=killed)

    assert (
        str(refused.value)
        == "the process that reads this upload was ended by SIGKILL, expected an answer; memory may"
        " be short; nothing of it is stored"
    )
    assert list((lake / "imports").iterdir()) == []
    assert uploads.upload([("pasted", LISTING)])


def test_an_upload_that_nobody_waits_for_any_longer_ends_and_leaves_nothing(lake):
    class ClosedError(BaseException):
        """As Streamlit ends the run of a page."""

    begun = []

    def closed(begin):
        begun.append(begin())
        begun[0].stop()
        raise ClosedError

    with pytest.raises(ClosedError):
        uploads.upload([("pasted", LISTING)], wait=closed)

    assert begun[0]._process.returncode == -signal.SIGKILL
    assert list((lake / "imports").iterdir()) == []


def test_an_uploaded_streams_document_is_listed_as_a_group_and_opens_as_the_application(lake):
    document = json.dumps(EXAMPLE_APPLICATION).encode()

    batch = uploads.upload([("wordcount.json", document), ("pasted", LISTING)])

    assert store.groups(place_of(lake), batch)["group_id"].to_pylist() == ["payments", "wordcount"]
    assert stored_applications(place_of(lake), batch) == [GroupKey("wordcount")]
    assert stored_application(
        StoredGroup(place_of(lake), batch, "wordcount", None, Budget())
    ) == decode_application(document)


def test_printouts_of_one_streams_group_in_several_files_are_one_application(lake):
    state = b"GROUP COORDINATOR (ID) STATE #MEMBERS\nwordcount broker-2:9092 (2) Stable 3\n"
    offsets = b"GROUP TOPIC PARTITION OFFSET-LAG\nwordcount words 0 5\n"

    batch = uploads.upload(
        [
            ("members", (CORPUS / "streams-members.txt").read_bytes()),
            ("state", state),
            ("offsets", offsets),
        ]
    )

    application = stored_application(
        StoredGroup(place_of(lake), batch, "wordcount", None, Budget())
    )
    assert [len(process.consumers) for process in application.processes] == [1, 2]
    assert [task.task_id for task in application.tasks] == ["0_0", "0_1", "0_2", "1_0"]
    assert application.assumed == ["tasks[3].stateful", 'settings["num.standby.replicas"]']
    (load,) = store.groups(place_of(lake), batch).to_pylist()
    assert (load["member_count"], load["idle_members"], load["unassigned_count"], load["lag"]) == (
        3,
        None,
        None,
        5,
    )


def test_nothing_of_the_raw_bytes_stays(lake):
    batch = uploads.upload([("pasted", LISTING)])

    kept = [path for path in (lake / "imports" / batch).rglob("*") if path.is_file()]

    assert {path.suffix for path in kept} == {".parquet", ".json", ""}
    assert [
        path for path in kept if b"120455" in path.read_bytes() and path.suffix != ".parquet"
    ] == []
    assert not (lake / "imports" / batch / "raw").exists()


def test_other_users_of_the_machine_read_nothing_of_an_upload(lake):
    batch = uploads.upload([("pasted", LISTING)])

    kept = [lake / "imports", lake / "imports" / batch, *(lake / "imports" / batch).rglob("*")]

    assert {(path.is_dir(), oct(path.stat().st_mode & 0o777)) for path in kept} == {
        (True, "0o700"),
        (False, "0o600"),
    }


def test_two_files_of_one_name_are_two_files(lake):
    other = LISTING.replace(b"payments", b"refunds ")

    batch = uploads.upload([("listing.txt", LISTING), ("listing.txt", other)])

    assert [source.name for source in store.batch(place_of(lake), batch).sources] == [
        "listing.txt",
        "listing.txt (2)",
    ]
    assert store.groups(place_of(lake), batch)["group_id"].to_pylist() == ["payments", "refunds"]


def test_the_same_paste_twice_is_two_uploads(lake):
    assert uploads.upload([("pasted", LISTING)]) != uploads.upload([("pasted", LISTING)])


def test_a_picture_is_refused_and_leaves_nothing(lake):
    with pytest.raises(SnapshotError, match="cat.png: a PNG picture"):
        uploads.upload([("cat.png", b"\x89PNG\r\n\x1a\n")])

    assert list((lake / "imports").iterdir()) == []


def test_too_much_is_refused_and_the_command_for_it_is_named(monkeypatch):
    monkeypatch.setattr(uploads, "LIMIT_BYTES", 2**20)

    with pytest.raises(
        SnapshotError,
        match="upload of 2 MB, expected at most 1 MB; for larger files run: evenkeel ingest PATH",
    ):
        uploads.check_size([("a", bytes(2**20)), ("b", bytes(2**20))])


def test_without_java_a_large_upload_says_what_is_missing_and_stored_results_stay_readable(
    monkeypatch, tmp_path, spark_reads
):
    without_spark(monkeypatch, tmp_path)
    manifest.publish(
        place_of(tmp_path), Manifest(batch="b-1", ingested_at=datetime(2026, 11, 20, tzinfo=UTC))
    )

    with pytest.raises(SnapshotError, match="missing: a JDK 17"):
        uploads.upload([("pasted", LISTING)])

    assert uploads.spark_state().startswith("missing: a JDK 17")
    assert [one.batch for one in store.batches(place_of(tmp_path))] == ["b-1"]


def test_spark_is_starting_until_it_is_ready(spark):
    background = Background(lambda: spark)

    before = background.state
    background.session()

    assert (before, background.state) == ("starting", "ready")


def test_spark_is_started_once():
    background = Background(lambda: 1 / 0)

    assert [background.start(), background.start()] == [True, False]


def test_an_upload_is_deleted_after_its_time_and_not_before(tmp_path):
    now = datetime(2026, 11, 20, 8, tzinfo=UTC)
    for batch, hours in (("old", 24), ("young", 23)):
        manifest.publish(
            place_of(tmp_path / "imports" / batch),
            Manifest(batch=batch, ingested_at=now - timedelta(hours=hours)),
        )

    deleted = uploads.delete_expired(place_of(tmp_path), timedelta(hours=24), now)

    assert deleted == 1
    assert [path.name for path in (tmp_path / "imports").iterdir()] == ["young"]


def test_an_upload_whose_date_lies_ahead_is_deleted_too(tmp_path):
    now = datetime(2026, 11, 20, 8, tzinfo=UTC)
    for batch, ahead in (
        ("slightly-ahead", timedelta(minutes=2)),
        ("far-ahead", timedelta(days=365)),
    ):
        manifest.publish(
            place_of(tmp_path / "imports" / batch), Manifest(batch=batch, ingested_at=now + ahead)
        )

    assert uploads.delete_expired(place_of(tmp_path), timedelta(hours=24), now) == 1
    assert [path.name for path in (tmp_path / "imports").iterdir()] == ["slightly-ahead"]


@pytest.mark.parametrize("by", [3600, -3600])
def test_a_clock_that_is_set_an_hour_deletes_no_fresh_upload_however_short_uploads_are_kept(
    tmp_path, monkeypatch, set_clock, by
):
    (tmp_path / "evenkeel.toml").write_text(f'[lake]\npath = "{tmp_path}"\nkeep_uploads = "30m"\n')
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    watch = clock.Watch()
    manifest.publish(
        place_of(tmp_path / "imports" / "fresh"), Manifest(batch="fresh", ingested_at=clock.now())
    )

    for seconds in (by, 0, 0):
        set_clock(seconds)
        uploads._look(watch)
    # A server that is started now knows nothing of the time before.
    set_clock(min(by, 0))
    uploads._look(clock.Watch())

    assert manifest.exists(place_of(tmp_path / "imports" / "fresh"), "fresh")
    set_clock(1900)
    uploads._look(clock.Watch())
    assert list((tmp_path / "imports").iterdir()) == []


def test_what_a_killed_upload_left_is_deleted_as_well(tmp_path):
    (tmp_path / "imports" / "killed" / "OFFSETS").mkdir(parents=True)

    assert uploads.delete_expired(place_of(tmp_path), timedelta(hours=24), datetime.now(UTC)) == 0
    assert (
        uploads.delete_expired(
            place_of(tmp_path), timedelta(hours=24), datetime.now(UTC) + timedelta(hours=25)
        )
        == 1
    )


def test_bytes_of_a_killed_upload_are_deleted_when_its_lease_is_over_and_not_before(tmp_path):
    code = """if True:
        import os, signal, sys
        from evenkeel.data.pipeline import uploads

        # Here the bytes are in the lake, and a process is about to read them.
        uploads.upload(
            [("pasted", sys.stdin.buffer.read())],
            wait=lambda begin: os.kill(os.getpid(), signal.SIGKILL),
        )
    """
    environment = os.environ | {"EVENKEEL_LAKE": str(tmp_path)}
    killed = subprocess.run(
        [sys.executable, "-c", code], input=LISTING, env=environment, check=False
    )
    lake, (home,) = place_of(tmp_path), (tmp_path / "imports").iterdir()

    found = [(uploads.delete_left_bytes(lake), (home / "raw" / "0").read_bytes())]
    make_old(home / "uploads")
    deleted = uploads.delete_left_bytes(lake)

    left = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert (killed.returncode, found, deleted) == (-signal.SIGKILL, [(0, LISTING)], 1)
    assert not (home / "raw").exists()
    assert b"120455" not in left


def test_bytes_of_an_upload_in_object_storage_are_deleted_when_nobody_holds_its_lease(bucket):
    for name in ("killed", "read-now"):
        bucket.write(f"imports/{name}/raw/0", LISTING)
    bucket.write("imports/finished/OFFSETS/0.parquet", b"")

    with leased(bucket / "imports" / "read-now", "read-now", UPLOADS):
        deleted = uploads.delete_left_bytes(bucket)

    assert deleted == 1
    assert [found.key for found in bucket.found() if "/raw/" in found.key] == [
        "imports/read-now/raw/0"
    ]


def test_an_upload_holds_its_lease_while_its_bytes_are_there(lake):
    seen = []

    def looked(begin):
        seen.append(
            (uploads.delete_left_bytes(place_of(lake)), len(list(lake.glob("imports/*/raw/0"))))
        )
        return answered(begin())

    batch = uploads.upload([("pasted", LISTING)], wait=looked)

    assert seen == [(0, 1)]
    assert list((lake / "imports" / batch).glob("uploads/*/*")) == []


def test_two_sessions_upload_at_once_while_spark_still_starts(
    tmp_path, monkeypatch, spark, spark_reads
):
    is_started = threading.Event()
    monkeypatch.setattr(uploads, "_SPARK", Background(lambda: is_started.wait(60) and spark))
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))

    with ThreadPoolExecutor() as threads:
        sent = [
            threads.submit(uploads.upload, [("pasted", LISTING.replace(b"payments", name))])
            for name in (b"invoices", b"shipping")
        ]
        state = uploads.spark_state()
        is_started.set()
        batches = [one.result() for one in sent]

    assert state == "starting"
    assert [
        store.groups(place_of(tmp_path), batch)["group_id"].to_pylist() for batch in batches
    ] == [["invoices"], ["shipping"]]


def test_where_java_was_missing_the_next_upload_looks_again(
    tmp_path, monkeypatch, spark, spark_reads
):
    found = [SnapshotError("missing: a JDK")]

    def build():
        if found:
            raise found.pop()
        return spark

    monkeypatch.setattr(uploads, "_SPARK", Background(build))
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
    with pytest.raises(SnapshotError, match="missing: a JDK"):
        uploads.upload([("pasted", LISTING)])

    batch = uploads.upload([("pasted", LISTING)])

    assert store.groups(place_of(tmp_path), batch)["group_id"].to_pylist() == ["payments"]


def test_a_java_process_that_is_killed_in_an_upload_leaves_nothing_and_the_next_starts_another(
    tmp_path, spark_reads
):
    code = """if True:
        import os, signal, sys
        from pathlib import Path
        from pyspark import SparkContext
        from evenkeel.data.pipeline import uploads
        from evenkeel.data.pipeline.ingest import ingest
        from evenkeel.data.errors import SnapshotError

        listing = sys.stdin.buffer.read()
        uploads.upload([("pasted", listing)])
        (first,) = Path(os.environ["EVENKEEL_LAKE"], "imports").iterdir()
        done_by = ingest.done_by

        def killed(shuffle, tasks):
            # Tasks have written files, and Spark is about to run more.
            done_by(shuffle, tasks)
            os.kill(SparkContext._gateway.proc.pid, signal.SIGKILL)
            return done_by(shuffle, tasks)

        ingest.done_by = killed
        try:
            uploads.upload([("pasted", listing)])
        except SnapshotError as error:
            print(error, flush=True)
        print([path == first for path in first.parent.iterdir()], flush=True)
        ingest.done_by = done_by
        print(len(uploads.upload([("pasted", listing)])), flush=True)
        # A server goes on; Python's end would break off the thread that still warms Spark.
        os._exit(0)
    """
    environment = os.environ | {"EVENKEEL_LAKE": str(tmp_path)}

    run = subprocess.run(
        [sys.executable, "-c", code],
        input=LISTING,
        env=environment,
        capture_output=True,
        timeout=300,
        check=False,
    )

    said = (
        b"pasted: the Java process of Spark has ended; nothing is stored, try again\n[True]\n22\n"
    )
    assert (run.stdout, run.returncode) == (said, 0), run.stderr.decode()


def test_a_disk_that_is_full_is_named_in_one_line(lake, monkeypatch):
    def full(store, key, data, **options):
        raise obstore.exceptions.GenericError(
            "Generic LocalFileSystem error: No space left on device (os error 28)"
        )

    monkeypatch.setattr(obstore, "put", full)

    with pytest.raises(SnapshotError, match=f"^{lake}/imports/.*: No space left on device$"):
        uploads.upload([("pasted", LISTING)])

    assert list((lake / "imports").iterdir()) == []


def test_an_upload_that_is_being_written_is_not_deleted_and_one_whose_manifest_is_broken_is(
    tmp_path,
):
    later = datetime.now(UTC) + timedelta(hours=25)
    (tmp_path / "imports" / "broken" / "manifests").mkdir(parents=True)
    (tmp_path / "imports" / "broken" / "manifests" / "broken.json").write_text("{")

    with running(place_of(tmp_path / "imports" / "written"), "written"):
        deleted = uploads.delete_expired(place_of(tmp_path), timedelta(hours=24), later)

    assert deleted == 1
    assert [path.name for path in (tmp_path / "imports").iterdir()] == ["written"]
