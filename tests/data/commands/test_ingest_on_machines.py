"""`evenkeel ingest` on a Spark whose two machines share nothing but the code: listings and lake lie in object storage."""

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from data.lake import store
from data.lake.place import place_of
from data.tables import schemas
from tests.services.spark_cluster import MACHINE, has_machines, standalone

ROOT = Path(__file__).parents[3]
HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
FILES, GROUPS, PARTITIONS = 8, int(os.environ.get("EVENKEEL_TEST_GROUPS", "40")), 100
"""More groups by hand: 1,250 are a million lines."""

_FOLDER = re.compile(r"(s3://|/)[^ ']*/in/")
_RUN = "import sys; from data.commands.main import main; sys.exit(main(sys.argv[1:]))"

pytestmark = pytest.mark.skipif(not has_machines(), reason="unshare --mount is not allowed here")


def listing(number: int) -> str:
    """One of the files: groups of its own, a repeat of the file before, and a line that contradicts the first one of that file."""
    own = [f"g{number}-{group:05d} orders {tp} 90 100 10 - - -" for group in range(GROUPS) for tp in range(PARTITIONS)]
    before = [f"g{number - 1}-{group:05d} orders 0 90 100 10 - - -" for group in range(GROUPS)] if number else []
    return HEADER + "\n".join([*own, *before, *([f"g{number - 1}-00000 orders 1 90 777 687 - - -"] if number else [])]) + "\n"


@pytest.fixture
def lakes(s3, bucket, tmp_path, monkeypatch):
    """The listings and a lake in a bucket, with the configuration that names the service; the same listings and a lake in folders."""
    (tmp_path / "in").mkdir()
    for number in range(FILES):
        (tmp_path / "in" / f"{number}.txt").write_text(listing(number))
        bucket.write(f"in/{number}.txt", listing(number).encode())
    keys = {"endpoint": s3.endpoint, "region": s3.settings["region"], "access_key": s3.settings["access_key_id"]}
    lines = [f'{key} = "{value}"' for key, value in keys.items()]
    (tmp_path / "evenkeel.toml").write_text("\n".join(["[lake]", *lines, 'secret_key = {env = "KEY_OF_THE_LAKE"}']))
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setenv("KEY_OF_THE_LAKE", s3.settings["secret_access_key"])
    return bucket, place_of(tmp_path / "lake")


def evenkeel(*arguments) -> dict[str, int]:
    command = [sys.executable, "-c", _RUN, "ingest", *map(str, arguments), "--json"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def rows(lake) -> dict[str, list[str]]:
    """Every row of every table, sorted, with files by their last name."""
    (one,) = store.batches(lake)
    found = {name: map(str, store.table(lake, one.batch, name).to_pylist()) for name in schemas.STORED}
    return {name: sorted(_FOLDER.sub("", text) for text in texts) for name, texts in found.items()}


def test_two_machines_give_the_tables_of_one_with_a_folder(lakes, tmp_path):
    bucket, folder = lakes
    here = evenkeel(tmp_path / "in", "--out", folder)

    with standalone(tmp_path, 2, MACHINE) as cluster:
        there = evenkeel(f"{bucket}/in", "--out", f"{bucket}/lake", "--master", cluster.master)

    assert there == here
    assert here["rejected"] == FILES - 1
    assert rows(bucket / "lake") == rows(folder)


def test_a_machine_that_dies_in_the_middle_changes_nothing(lakes, tmp_path):
    bucket, folder = lakes
    here = evenkeel(tmp_path / "in", "--out", folder)

    with standalone(tmp_path, 2, MACHINE) as cluster:
        killed = threading.Timer(6, lambda: subprocess.run(["pkill", "-KILL", "-P", str(cluster.workers[0].pid)], check=False))
        killed.start()
        there = evenkeel(f"{bucket}/in", "--out", f"{bucket}/lake", "--master", cluster.master)
        killed.cancel()

    assert there == here
    assert rows(bucket / "lake") == rows(folder)


def test_the_machines_share_no_temporary_file(tmp_path):
    (tmp_path / "seen").write_text("x")
    asked = subprocess.run([*MACHINE, "test", "-e", str(tmp_path / "seen")], env=os.environ | {"SPARK_WORKER_DIR": "/tmp/w"}, check=False)

    assert asked.returncode == 1
