"""An ingest on a Spark whose two machines share nothing but the code: listings and lake lie in
object storage.
"""

import os
import re
import subprocess
import sys

import pytest

from evenkeel.data.group.tables import schemas
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest.ingest import ingest
from evenkeel.data.pipeline.ingest.inputs import inputs_of
from tests.services.spark_cluster import MACHINE, has_machines, standalone
from tests.waiting import lines_until, until

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
FILES, GROUPS, PARTITIONS = 8, int(os.environ.get("MACHINE_GROUPS", "40")), 100
"""More groups by hand: 1,250 are a million lines."""

_FOLDER = re.compile(r"(s3://|/)[^ ']*/in/")
_INGESTS = """
import sys
from evenkeel.data.configuration.reading import configuration
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest import parts
from evenkeel.data.pipeline.ingest.inputs import inputs_of
from evenkeel.data.pipeline.ingest.ingest import ingest
from evenkeel.data.pipeline.session import QUICK, session

parts.TASK_BYTES = 200_000
master, listings, *lakes = sys.argv[1:]
storage = configuration().storage
with session(master, QUICK | {"spark.scheduler.minRegisteredResourcesRatio": "1"}) as spark:
    for lake in lakes:
        print("begins", flush=True)
        ingest(inputs_of([listings], storage), place_of(lake, storage), lambda: spark)
        print("done", flush=True)
"""
"""Ingests the same listings into one lake after the other, each file in a task of its own, once
both machines are there.
"""

pytestmark = [
    pytest.mark.skipif(not has_machines(), reason="unshare --mount is not allowed here"),
    pytest.mark.timeout(900),  # four starts of Java
]


def listing(number: int) -> str:
    """One of the files: groups of its own, a repeat of the file before, and a line that contradicts
    the first one of that file.
    """
    own = [
        f"g{number}-{group:05d} orders {tp} 90 100 10 - - -"
        for group in range(GROUPS)
        for tp in range(PARTITIONS)
    ]
    before = (
        [f"g{number - 1}-{group:05d} orders 0 90 100 10 - - -" for group in range(GROUPS)]
        if number
        else []
    )
    return (
        HEADER
        + "\n".join(
            [*own, *before, *([f"g{number - 1}-00000 orders 1 90 777 687 - - -"] if number else [])]
        )
        + "\n"
    )


@pytest.fixture
def listings(s3, bucket, tmp_path, monkeypatch):
    """The listings in a bucket, with the configuration that names the service, and the same
    listings in a folder.
    """
    (tmp_path / "in").mkdir()
    for number in range(FILES):
        (tmp_path / "in" / f"{number}.txt").write_text(listing(number))
        bucket.write(f"in/{number}.txt", listing(number).encode())
    keys = {
        "endpoint": s3.endpoint,
        "region": s3.settings["region"],
        "access_key": s3.settings["access_key_id"],
    }
    lines = [f'{key} = "{value}"' for key, value in keys.items()]
    (tmp_path / "evenkeel.toml").write_text(
        "\n".join(["[lake]", *lines, 'secret_key = {env = "KEY_OF_THE_LAKE"}'])
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setenv("KEY_OF_THE_LAKE", s3.settings["secret_access_key"])
    return bucket / "in", tmp_path / "in"


def rows(lake) -> dict[str, list[str]]:
    """Every row of every table, sorted, with files by their last name."""
    (one,) = store.batches(lake)
    found = {
        name: map(str, store.table(lake, one.batch, name).to_pylist()) for name in schemas.STORED
    }
    return {name: sorted(_FOLDER.sub("", text) for text in texts) for name, texts in found.items()}


def test_two_machines_give_the_tables_of_one_with_a_folder_also_where_one_dies_in_the_middle(
    spark, listings, bucket, tmp_path
):
    there, folder = listings
    whole, halved = bucket / "whole", bucket / "halved"
    here = ingest(inputs_of([folder]), place_of(tmp_path / "lake"), lambda: spark)

    with standalone(tmp_path, 2, MACHINE) as cluster:
        command = [
            sys.executable,
            "-c",
            _INGESTS,
            cluster.master,
            str(there),
            str(whole),
            str(halved),
        ]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as running:
            lines_until(running, "done", seconds=400)
            until(lambda: list(halved.found("OFFSETS")), seconds=240, pause=0.005)
            killed = (
                subprocess.run(
                    ["pkill", "-KILL", "-P", str(cluster.workers[0].pid)], check=False
                ).returncode
                == 0
            )
            was_published = bool(store.batches(halved))
            lines_until(running, "done", seconds=400)

    assert killed
    assert not was_published
    assert here.counts.rejected == FILES - 1
    expected = rows(place_of(tmp_path / "lake"))
    for lake in (whole, halved):
        (one,) = store.batches(lake)
        assert len(one.tables["OFFSETS"]) >= FILES
        assert one.counts == here.counts
        assert rows(lake) == expected


def test_the_machines_share_no_temporary_file(tmp_path):
    (tmp_path / "seen").write_text("x")
    asked = subprocess.run(
        [*MACHINE, "test", "-e", str(tmp_path / "seen")],
        env=os.environ | {"SPARK_WORKER_DIR": "/tmp/w"},
        check=False,
    )

    assert asked.returncode == 1
