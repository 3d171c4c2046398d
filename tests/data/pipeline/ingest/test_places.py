"""An ingest into object storage does what one into a folder does."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest import batch, ingest, on_spark, parts
from evenkeel.data.pipeline.ingest.inputs import Input
from evenkeel.data.pipeline.session import spark_folder
from tests.services.s3 import ACCESS_KEY, S3, SECRET_KEY

OFFSETS = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
MEMBERS = (
    "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\ng0 c /10.0.0.1 c 2 orders(0,1)\n"
)
FILES = {
    "in/a.txt": OFFSETS
    + "".join(
        f"g{group} orders {partition} 4 9 5 - - -\n" for group in range(4) for partition in range(5)
    ),
    "in/b.txt": (
        OFFSETS
        + "g1 orders 2 4 9 5 - - -\ng2 orders 2 6 9 3 - - -\ng9 orders 0 - 9 - - - -\ng9 orders x 1"
        " 1 0 - - -\n"
    ),
    "in/c.txt": MEMBERS,
}


@pytest.fixture(params=["folder", "s3"])
def home(request, tmp_path):
    return request.getfixturevalue("bucket") if request.param == "s3" else place_of(tmp_path)


def written(home):
    for key, text in FILES.items():
        home.write(key, text.encode())
    return [Input(key, home, key) for key in FILES]


@pytest.mark.parametrize("small_rows", [on_spark.SMALL_ROWS, 9])
def test_tables_and_counts_are_those_of_a_folder(spark, bucket, tmp_path, monkeypatch, small_rows):
    monkeypatch.setattr(parts, "TASK_BYTES", 150)
    monkeypatch.setattr(on_spark, "SMALL_ROWS", small_rows)
    homes = [place_of(tmp_path), bucket]

    ones = [ingest.ingest(written(home), home / "lake", lambda: spark) for home in homes]

    assert [one.counts for one in ones] == [Counts(lines=28, rows=22, notes=4, rejected=2)] * 2
    for name in schemas.STORED:
        there = [
            sorted(store.table(home / "lake", one.batch, name).to_pylist(), key=str)
            for home, one in zip(homes, ones, strict=True)
        ]
        assert there[0] == there[1], name


def test_two_ingests_of_one_file_at_once_store_it_once(spark, home, monkeypatch):
    both, write_results = Barrier(2, timeout=60), ingest.write_results
    monkeypatch.setattr(
        ingest, "write_results", lambda *arguments: (both.wait(), write_results(*arguments))[1]
    )
    inputs = written(home)

    with ThreadPoolExecutor() as threads:
        ones = list(
            threads.map(lambda _: ingest.ingest(inputs, home / "lake", lambda: spark), range(2))
        )

    (stored,) = store.batches(home / "lake")
    assert [one.counts for one in ones] == [Counts(lines=28, rows=22, notes=4, rejected=2)] * 2
    assert sorted(bool(one.tables) for one in ones) == [False, True]
    assert {
        found.key.split("/")[1] for name in schemas.STORED for found in (home / "lake").found(name)
    } == {stored.batch}


@pytest.mark.parametrize("gone_is_the_lake", [True, False])
def test_a_service_that_is_gone_is_named_in_one_line(spark, tmp_path, gone_is_the_lake):
    with S3() as service:
        home, folder = service.bucket(), place_of(tmp_path)
        inputs, lake = (written(folder), home) if gone_is_the_lake else (written(home), folder)

        def gone():
            service.__exit__()
            return spark

        with pytest.raises(SnapshotError) as failure:
            ingest.ingest(inputs, lake, gone)

    assert str(failure.value).startswith(f"{home}/")
    assert str(failure.value).endswith(f": no answer from {service.endpoint}")
    assert "\n" not in str(failure.value)


def test_a_service_that_goes_away_at_the_end_names_the_lake_and_what_was_not_done(
    spark, tmp_path, monkeypatch
):
    with S3() as service:
        lake, publish_once = service.bucket() / "lake", batch.publish_once
        monkeypatch.setattr(
            batch,
            "publish_once",
            lambda *arguments: (service.__exit__(), publish_once(*arguments))[1],
        )

        with pytest.raises(
            SnapshotError,
            match=rf"^{lake}: batch \S+ could not be published: no answer from {service.endpoint}$",
        ):
            ingest.ingest(written(place_of(tmp_path)), lake, lambda: spark)


def test_credentials_stand_in_no_plan_log_process_list_or_environment(
    spark, bucket, monkeypatch, capfd
):
    monkeypatch.setattr(parts, "TASK_BYTES", 150)
    seen, write_results = [], ingest.write_results

    def looked(session, lake, batch, done):
        seen.extend(_of_processes("cmdline", "environ"))
        on_spark.Through(session, lake, batch).read(
            "LAG", [file for one in done for file in one.files.values()], False
        ).explain(True)
        return write_results(session, lake, batch, done)

    monkeypatch.setattr(ingest, "write_results", looked)
    spark.sparkContext.setLogLevel("DEBUG")
    try:
        ingest.ingest(written(bucket), bucket / "lake", lambda: spark)
    finally:
        spark.sparkContext.setLogLevel("WARN")

    log, said = (spark_folder() / "log").read_bytes(), capfd.readouterr()
    everything = b"\n".join([*seen, log, said.out.encode(), said.err.encode()])
    assert b"MapInArrow" in said.out.encode()
    assert b"ShuffleMapTask" in log
    assert len(seen) > 4
    assert [word for word in (SECRET_KEY, ACCESS_KEY) if word.encode() in everything] == []


def _of_processes(*names):
    """Yield what files of this process and all below it hold."""
    table = subprocess.run(
        ["ps", "-eo", "pid,ppid"], capture_output=True, text=True, check=True
    ).stdout.split("\n")[1:-1]
    parents = dict(tuple(map(int, line.split())) for line in table)
    for process in parents:
        above = process
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid():
            # A process that ends meanwhile has no files.
            with suppress(OSError):
                yield from [Path(f"/proc/{process}/{name}").read_bytes() for name in names]
