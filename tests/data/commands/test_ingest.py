"""`evenkeel ingest` as its users run it: embedded, on a local cluster, on a standalone master, and
killed.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake import store
from evenkeel.data.lake.place import place_of
from tests.generated.old_leases import make_old
from tests.listening import listeners
from tests.services.s3 import ACCESS_KEY, REGION, SECRET_KEY
from tests.services.spark_cluster import standalone
from tests.waiting import until

pytestmark = pytest.mark.timeout(900)  # up to two starts of Spark in a test
ROOT = Path(__file__).parents[3]
HEADER = (
    "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG            "
    " CONSUMER-ID    HOST            CLIENT-ID\n"
)
PAYMENTS = (
    HEADER
    + "payments        orders          0          120455          121003          548            "
    " pay-a-0f3c     /10.4.1.17      pay-a\n"
    + "payments        orders          1          -               88120           -              "
    " pay-b-7ac2     /10.4.1.18      pay-b\n"
    + "payments        refunds         x          771             771             0               -"
    "              -               -\n"
)


def command(*arguments):
    return [
        sys.executable,
        "-c",
        "import sys; from evenkeel.data.commands.main import main; sys.exit(main())",
        "ingest",
        *map(str, arguments),
    ]


def evenkeel(*arguments, text=None):
    run = subprocess.run(
        command(*arguments), cwd=ROOT, input=text, capture_output=True, text=True, check=False
    )
    return run.returncode, run.stdout.splitlines(), run.stderr.splitlines()


def evenkeel_here(capsys, *arguments):
    """Run the command in this process: for what ends before Spark would start."""
    try:
        code = main(["ingest", *map(str, arguments)])
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err.splitlines()


def write_big_listing(path, groups):
    lines = (
        f"g{group:06d} orders {partition} 90 100 10 - - -\n"
        for group in range(groups)
        for partition in range(1000)
    )
    path.write_text(HEADER + "".join(lines))


@pytest.fixture
def listing(tmp_path):
    path = tmp_path / "payments.txt"
    path.write_text(PAYMENTS)
    return path


def test_counts_are_the_last_line_unused_columns_are_named_and_a_repeat_stores_nothing(
    tmp_path, listing
):
    odd = tmp_path / "odd.csv"
    odd.write_text("Group,Kafka Topic,Part.,Lag,Who,\nexported,orders,0,5,a,\n")
    first = evenkeel(
        listing,
        odd,
        "-",
        "--out",
        tmp_path / "lake",
        "--json",
        "--taken-at",
        "2026-11-20T08:00:00Z",
        text=PAYMENTS.replace("payments", "invoices"),
    )
    second = evenkeel(listing, "--out", tmp_path / "lake", "--json")

    lake = place_of(tmp_path / "lake")
    batches = store.batches(lake)
    hint = "'Who' and 'column 6'; a guess, not used: --columns member_id=Who"
    assert (first[0], json.loads(first[1][-1]), first[2]) == (
        0,
        {"lines": 10, "rows": 5, "notes": 3, "rejected": 2},
        [f"evenkeel ingest: {odd}: columns not used: {hint}"],
    )
    assert (second[0], json.loads(second[1][-1])) == (
        0,
        {"lines": 4, "rows": 2, "notes": 1, "rejected": 1},
    )
    assert second[1][0] == "4 lines: 2 rows, 1 note, 1 rejected"
    assert len(batches) == 1
    assert [source.name for source in batches[0].sources] == ["-", str(listing), str(odd)]
    assert sorted(store.groups(lake, batches[0].batch)["group_id"].to_pylist()) == [
        "exported",
        "invoices",
        "payments",
    ]


def test_of_a_folder_in_which_no_file_can_be_read_every_file_is_named(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(b"\x89PNG\r\n")
    (tmp_path / "in" / "b.txt").write_bytes(b"")

    code, out, err = evenkeel_here(capsys, tmp_path / "in", "--out", tmp_path / "lake")

    assert (code, out, len(err)) == (2, [], 1)
    assert f"{tmp_path}/in/a.png: a PNG picture, expected" in err[0]
    assert f"; {tmp_path}/in/b.txt: empty file, expected" in err[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["/nowhere/listing.txt"], "/nowhere/listing.txt: no such file or folder"),
        (["/dev/null"], "/dev/null: empty file"),
        (
            ["payments.txt", "--taken-at", "2026-11-20T08:00:00"],
            "has no time zone, expected for example 2026-11-20T08:00:00Z",
        ),
        (
            ["payments.txt", "--taken-at", "noon"],
            "'noon' is no time, expected for example 2026-11-20T08:00:00Z",
        ),
        (["payments.txt", "--out", "/proc/lake"], "/proc/lake: "),
        ([], "expected one or more PATH, or --prometheus CLUSTER"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_code_2(arguments, said, listing, capsys):
    arguments = [str(listing) if argument == "payments.txt" else argument for argument in arguments]

    code, out, err = evenkeel_here(capsys, *arguments)

    assert (code, out, len(err)) == (2, [], 1)
    assert err[0].startswith("evenkeel ingest: ")
    assert said in err[0]


def test_a_master_that_spark_does_not_know_is_named_in_one_line(tmp_path, listing):
    code, _, err = evenkeel(listing, "--out", tmp_path / "lake", "--master", "nonsense")

    assert (code, len(err)) == (2, 1)
    assert "Spark did not start on nonsense: " in err[0]


def test_without_java_one_line_says_what_to_install(tmp_path, listing):
    nowhere = {**os.environ, "JAVA_HOME": str(tmp_path), "PATH": str(tmp_path)}
    without_folders = "from evenkeel.data.configuration import java; java._FOLDERS = ()"
    code = (
        f"import sys; {without_folders}; from evenkeel.data.commands.main import main;"
        " sys.exit(main(sys.argv[1:]))"
    )

    run = subprocess.run(
        [sys.executable, "-c", code, "ingest", str(listing), "--out", str(tmp_path / "lake")],
        cwd=ROOT,
        env=nowhere,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 2
    assert run.stderr.startswith(
        "evenkeel ingest: missing: a JDK 17 or newer with the module jdk.incubator.vector; install"
        " it with: "
    )
    assert store.batches(place_of(tmp_path / "lake")) == []


def test_a_local_cluster_gives_the_same(tmp_path, listing):
    code, out, err = evenkeel(
        tmp_path / "payments.txt",
        "--out",
        tmp_path / "lake",
        "--json",
        "--master",
        "local-cluster[2,1,1024]",
    )

    assert (code, json.loads(out[-1]), err) == (
        0,
        {"lines": 4, "rows": 2, "notes": 1, "rejected": 1},
        [],
    )


def test_a_standalone_master_that_asks_for_a_secret_gives_the_same(tmp_path, listing, monkeypatch):
    (tmp_path / "spark-defaults.conf").write_text(
        "spark.authenticate true\nspark.authenticate.secret of-the-cluster\n"
    )
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    with standalone(tmp_path) as cluster:
        code, out, err = evenkeel(
            listing, "--out", tmp_path / "lake", "--json", "--master", cluster.master
        )

    copied = f"evenkeel ingest: copied 1 file to {tmp_path}/lake for Spark on {cluster.master}"
    assert (code, json.loads(out[-1]), err) == (
        0,
        {"lines": 4, "rows": 2, "notes": 1, "rejected": 1},
        [copied],
    )
    assert [source.name for source in store.batches(place_of(tmp_path / "lake"))[0].sources] == [
        str(listing)
    ]
    assert [found.key for found in place_of(tmp_path / "lake").found("inputs")] == []


def test_lake_and_inputs_are_urls_and_credentials_stand_in_the_configuration(
    tmp_path, bucket, monkeypatch, s3
):
    bucket.write("listings/payments.txt", PAYMENTS.encode())
    (tmp_path / "evenkeel.toml").write_text(
        f'[lake]\nendpoint = "{s3.endpoint}"\nregion = "{REGION}"\naccess_key = {{env ='
        ' "KEY"}\nsecret_key = {env = "SECRET"}\n'
    )
    for name, value in {
        "EVENKEEL_CONFIG": str(tmp_path / "evenkeel.toml"),
        "KEY": ACCESS_KEY,
        "SECRET": SECRET_KEY,
    }.items():
        monkeypatch.setenv(name, value)

    code, out, err = evenkeel(
        "-",
        f"{bucket}/listings/",
        "--out",
        f"{bucket}/lake",
        "--json",
        text=PAYMENTS.replace("payments", "invoices"),
    )

    (stored,) = store.batches(bucket / "lake")
    assert (code, json.loads(out[-1]), err) == (
        0,
        {"lines": 8, "rows": 4, "notes": 2, "rejected": 2},
        [],
    )
    assert [source.name for source in stored.sources] == ["-", f"{bucket}/listings/payments.txt"]
    assert sorted(store.groups(bucket / "lake", stored.batch)["group_id"].to_pylist()) == [
        "invoices",
        "payments",
    ]
    assert [found.key for found in bucket.found("lake/inputs")] == []


def test_an_ingest_listens_on_loopback_alone_and_killed_in_the_middle_leaves_no_half_batch(
    tmp_path, listing
):
    write_big_listing(tmp_path / "big.txt", 700)
    lake = tmp_path / "lake"
    killed = subprocess.Popen(
        command(tmp_path / "big.txt", "--out", lake),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: list(lake.glob("OFFSETS/*/*.parquet")), pause=0.02)
    found = listeners(killed.pid)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()

    left = list(lake.glob("OFFSETS/*/*.parquet"))
    seen = store.batches(place_of(lake))
    make_old(lake / "leases")
    code, _, _ = evenkeel(listing, "--out", lake)

    assert "java" in {one.command for one in found}
    assert [one for one in found if not one.is_on_loopback] == []
    assert (len(left) > 0, seen, code) == (True, [], 0)
    (stored,) = store.batches(place_of(lake))
    assert stored.counts.lines == 4
    assert {path.parent.name for path in lake.glob("OFFSETS/*/*.parquet")} == {stored.batch}


def test_if_the_java_process_is_killed_one_line_says_so_and_nothing_is_stored(
    tmp_path,
):
    write_big_listing(tmp_path / "big.txt", 700)
    lake = tmp_path / "lake"
    run = subprocess.Popen(
        command(tmp_path / "big.txt", "--out", lake),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until(lambda: list(lake.glob("OFFSETS/*/*.parquet")))

    (java,) = (
        pid for pid in children_of(run.pid) if Path(f"/proc/{pid}/comm").read_text() == "java\n"
    )
    os.kill(java, signal.SIGKILL)
    out, err = run.communicate()

    said = (
        f"evenkeel ingest: {tmp_path}/big.txt: the Java process of Spark has ended; nothing is"
        " stored, try again"
    )
    assert (run.returncode, out, err.splitlines()) == (2, "", [said])
    assert store.batches(place_of(lake)) == []
    assert list(lake.rglob("*.parquet")) == []


def children_of(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
