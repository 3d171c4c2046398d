"""Ingest through Spark: counts, order, files already there, refusals, failures."""

import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from evenkeel.data.errors import SnapshotError
from evenkeel.data.group.document import decode
from evenkeel.data.group.tables import schemas
from evenkeel.data.group.tables.counts import Counts
from evenkeel.data.lake import run, store
from evenkeel.data.lake.manifest import Manifest, SourceFile
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline.ingest import ingest, on_spark, parts
from evenkeel.data.pipeline.ingest.inputs import inputs_of
from evenkeel.data.sources.document_rows import rows_of
from evenkeel.data.sources.source import START, Context
from tests.data.lake.test_one_process import DOCUMENT

HEADER = (
    "GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG            "
    " CONSUMER-ID    HOST            CLIENT-ID\n"
)
PAYMENTS = (
    "\n"
    + HEADER
    + "payments        orders          0          120455          121003          548            "
    " pay-a-0f3c     /10.4.1.17      pay-a\n"
    + "payments        orders          1          90              88              -2             "
    " pay-b-7ac2     /10.4.1.18      pay-b\n"
    + "payments        refunds         0          771             771             0               -"
    "              -               -\n"
    + "payments        refunds         x          771             771             0               -"
    "              -               -\n"
)
MEMBERS = (
    "GROUP           CONSUMER-ID    HOST            CLIENT-ID       #PARTITIONS     ASSIGNMENT\n"
    "payments        pay-a-0f3c     /10.4.1.17      pay-a           1               orders(0)\n"
    "payments        pay-c-1111     /10.4.1.19      pay-c           0               -\n"
)


@pytest.fixture
def lake(tmp_path):
    return place_of(tmp_path / "lake")


@pytest.fixture
def stored(spark, tmp_path, lake):
    """Return a function (texts by file name) -> manifest; files lie in `in`, the lake in `lake`."""

    def run(files, context=Context(), spark=lambda: spark, **options):
        for name, text in files.items():
            path = tmp_path / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return ingest.ingest(
            inputs_of([tmp_path / "in" / name for name in files]), lake, spark, context, **options
        )

    return run


def rows(lake, one, name, *columns):
    return [
        tuple(row.values())
        for row in store.table(lake, one.batch, name).select(columns).to_pylist()
    ]


def test_every_line_is_a_row_a_note_or_rejected_and_the_lake_says_which(stored, lake):
    one = stored({"payments.txt": PAYMENTS})

    assert one.counts == Counts(lines=6, rows=3, notes=2, rejected=1)
    assert rows(lake, one, "OFFSETS", "source_line", "topic", "partition") == [
        (3, "orders", 0),
        (4, "orders", 1),
        (5, "refunds", 0),
    ]
    assert rows(lake, one, "REJECTED", "source_line", "reason") == [
        (6, "PARTITION is 'x', expected a whole number from 0 to 1,000,000")
    ]


def test_lag_and_loads_are_stored_beside_the_tables(stored, lake):
    one = stored({"payments.txt": PAYMENTS, "members.txt": MEMBERS})

    assert rows(lake, one, "LAG", "topic", "partition", "member_id", "lag", "lag_flag") == [
        ("orders", 0, "pay-a-0f3c", 548, None),
        ("orders", 1, "pay-b-7ac2", 0, "past end"),
        ("refunds", 0, None, 0, None),
    ]
    assert sorted(
        rows(lake, one, "MEMBER_LOAD", "member_id", "partition_count", "lag"), key=str
    ) == [
        ("pay-a-0f3c", 1, 548),
        ("pay-b-7ac2", 1, 0),
        ("pay-c-1111", 0, 0),
        (None, 1, 0),
    ]
    assert rows(
        lake,
        one,
        "GROUP_LOAD",
        "group_id",
        "member_count",
        "idle_members",
        "partition_count",
        "unassigned_count",
        "lag",
        "max_lag",
    ) == [("payments", 3, 1, 3, 1, 548, 548)]


def test_many_rows_take_another_way_to_the_same_results(stored, monkeypatch, lake):
    small = stored({"payments.txt": PAYMENTS, "members.txt": MEMBERS})
    before = {
        name: sorted(store.table(lake, small.batch, name).to_pylist(), key=str)
        for name in ("LAG", "MEMBER_LOAD", "GROUP_LOAD")
    }
    monkeypatch.setattr(on_spark, "SMALL_ROWS", 1)
    monkeypatch.setattr(on_spark, "results_of", None)
    # One more line, so that the lake does not have the file yet.
    large = stored({"payments.txt": PAYMENTS + "\n", "members.txt": MEMBERS + "\n"})

    after = {
        name: sorted(store.table(lake, large.batch, name).to_pylist(), key=str) for name in before
    }

    assert after == before


def test_lag_of_many_rows_without_claims_of_members_is_the_same_too(
    stored, tmp_path, monkeypatch, lake
):
    text = (
        "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\norders 0"
        " 120455 121003 548 pay-a /10.4.1.17 pay-a\n"
    )
    monkeypatch.setattr(on_spark, "SMALL_ROWS", 1)
    monkeypatch.setattr(on_spark, "results_of", None)

    one = stored({"a.txt": text, "b.txt": text.replace("120455", "121000").replace("548", "3")})

    files = [str(tmp_path / "in" / name) for name in ("a.txt", "b.txt")]
    assert rows(lake, one, "LAG", "unnamed_in", "topic", "member_id", "lag") == [
        (files[0], "orders", "pay-a", 548),
        (files[1], "orders", "pay-a", 3),
    ]


def test_a_file_that_the_lake_has_is_counted_and_not_stored_again(stored, lake):
    first = stored({"payments.txt": PAYMENTS})

    second = stored({"copy.txt": PAYMENTS})

    assert second.counts == first.counts
    assert second.tables == {}
    assert [one.batch for one in store.batches(lake)] == [first.batch]


def test_a_file_that_another_ingest_stores_meanwhile_is_stored_once(stored, monkeypatch, lake):
    write_results, others = ingest.write_results, []

    def beside_another(*arguments):
        if not others:
            others.append(None)
            others[0] = stored({"payments.txt": PAYMENTS})
        return write_results(*arguments)

    monkeypatch.setattr(ingest, "write_results", beside_another)
    both = stored({"payments.txt": PAYMENTS, "members.txt": MEMBERS})

    assert [one.batch for one in store.batches(lake)] == [both.batch, others[0].batch]
    assert both.counts.lines == 9
    assert {name for name, files in both.tables.items() if files} == {
        "MEMBERS",
        "NOTES",
        "MEMBER_LOAD",
        "GROUP_LOAD",
    }
    assert {found.key.split("/")[1] for found in lake.found("OFFSETS")} == {others[0].batch}


def test_a_broken_manifest_does_not_stop_an_ingest(stored, lake):
    broken = lake.folder / "manifests" / "old.json"
    broken.parent.mkdir(parents=True)
    broken.write_text("{")

    one = stored({"payments.txt": PAYMENTS})

    assert store.batches(lake) == [one]


def test_of_old_and_new_files_only_the_new_ones_are_stored(stored, lake):
    stored({"payments.txt": PAYMENTS})

    one = stored({"payments.txt": PAYMENTS, "more.txt": PAYMENTS.replace("payments", "invoices")})

    assert one.counts == Counts(lines=12, rows=6, notes=4, rejected=2)
    assert store.groups(lake, one.batch)["group_id"].to_pylist() == ["invoices"]


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_stored(stored):
    one = stored({"payments.txt": PAYMENTS, "cat.png": b"\x89PNG\r\n\x1a\n\x00", "empty.txt": ""})

    refused = [source.refused for source in one.sources]
    assert one.counts == Counts(lines=6, rows=3, notes=2, rejected=1)
    assert refused[0] is None
    assert ["a PNG picture" in refused[1], "empty file" in refused[2]] == [True, True]


def test_where_no_file_can_be_read_nothing_is_left_in_the_lake(stored, lake):
    with pytest.raises(SnapshotError, match="a PNG picture"):
        stored({"cat.png": b"\x89PNG\r\n\x1a\n\x00", "empty.txt": ""})

    assert [path for path in lake.folder.rglob("*") if path.is_file()] == []


def test_a_failure_of_spark_is_one_line_that_names_the_file_and_publishes_nothing(
    stored, tmp_path, spark, lake
):
    def vanishing():
        (tmp_path / "in" / "payments.txt").unlink()
        return spark

    with pytest.raises(SnapshotError) as failure:
        stored({"payments.txt": PAYMENTS}, spark=vanishing)

    assert str(tmp_path / "in" / "payments.txt") in str(failure.value)
    assert "\n" not in str(failure.value)
    assert [path for path in lake.folder.rglob("*") if path.is_file()] == []


def test_rows_come_in_the_order_of_the_input_also_where_tasks_share_repeats(
    stored, tmp_path, monkeypatch, lake
):
    monkeypatch.setattr(parts, "TASK_BYTES", 1)
    files = {
        "b.txt": PAYMENTS,
        "a.txt": PAYMENTS.replace("refunds         0", "refunds         1"),
        "c.txt": PAYMENTS.replace("771 ", "772 "),
    }

    one = stored(files)

    names = [str(tmp_path / "in" / name) for name in ("b.txt", "a.txt", "c.txt")]
    assert one.counts == Counts(lines=18, rows=4, notes=10, rejected=4)
    assert rows(lake, one, "OFFSETS", "source_file", "source_line") == [
        (names[0], 3),
        (names[0], 4),
        (names[0], 5),
        (names[1], 5),
    ]
    assert [
        (row["source_file"], row["source_line"], row["reason"])
        for row in store.first_rows(lake, one.batch, "REJECTED", 9).to_pylist()
    ][2:] == [
        (names[2], 5, f"committed_offset is 772, expected 771 as in line 5 of {names[0]}"),
        (names[2], 6, "PARTITION is 'x', expected a whole number from 0 to 1,000,000"),
    ]


def test_a_thousand_small_files_are_one_task_and_keep_their_names_and_line_numbers(
    stored, tmp_path, lake
):
    files = {
        f"listings/{number:04d}.txt": PAYMENTS.replace("payments", f"g{number:07d}")
        for number in range(1000)
    }

    one = stored(files)

    stored = rows(lake, one, "OFFSETS", "group_id", "source_file", "source_line")
    assert one.counts == Counts(lines=6000, rows=3000, notes=2000, rejected=1000)
    assert len(one.tables["OFFSETS"]) == 1
    assert stored[3000 - 2 :] == [
        ("g0000999", str(tmp_path / "in/listings/0999.txt"), 4),
        ("g0000999", str(tmp_path / "in/listings/0999.txt"), 5),
    ]
    assert {source.counts for source in one.sources} == {Counts(6, 3, 2, 1)}


def test_a_folder_is_its_files_by_name_without_hidden_ones(tmp_path):
    for name in ("b/2.txt", "a.txt", "b/1.txt", ".hidden", ".git/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")

    assert [one.name.removeprefix(f"{tmp_path}/") for one in inputs_of([tmp_path])] == [
        "a.txt",
        "b/1.txt",
        "b/2.txt",
    ]


def test_utf_16_is_read_too_where_it_is_refused_late_the_file_is_named(stored):
    whole, broken = (
        ("\ufeff" + PAYMENTS).encode("utf-16-le"),
        b"\xff\xfe" + PAYMENTS.encode("utf-16-le") + b"x",
    )

    one = stored({"powershell.txt": whole, "broken.txt": broken})

    assert one.sources[0].counts == Counts(lines=6, rows=3, notes=2, rejected=1)
    assert "broken.txt: UTF-16 text that ends or breaks at byte" in one.sources[1].refused


def test_the_time_that_the_caller_gives_stands_in_rows_and_manifest(stored, lake):
    taken_at = datetime(2026, 11, 20, 8, tzinfo=UTC)

    one = stored({"payments.txt": PAYMENTS}, Context(taken_at=taken_at))

    assert one.taken_at == taken_at
    assert set(rows(lake, one, "LAG", "taken_at")) == {(taken_at,)}


def test_counts_add_up_on_garbage_in_many_tasks(stored, monkeypatch, lake):
    monkeypatch.setattr(parts, "TASK_BYTES", 2**18)
    noise = random.Random(5337)
    lines = [noise.randbytes(noise.randrange(60)).replace(b"\n", b" ") for _ in range(50_000)]
    lines[0], lines[17_500] = b"no listing", HEADER.strip().encode()

    one = stored({"garbage.txt": b"\n".join(lines) + b"\n"})

    counts = one.counts
    assert counts.lines == 50_000 == counts.rows + counts.notes + counts.rejected
    assert store.table(lake, one.batch, "REJECTED").num_rows == counts.rejected


def test_progress_goes_up_to_one(stored, monkeypatch):
    monkeypatch.setattr(parts, "TASK_BYTES", 300)
    shares = []

    stored({"payments.txt": PAYMENTS * 5}, progress=shares.append)

    assert shares == sorted(shares)
    assert shares[-2:] == [ingest.TASKS_SHARE, 1.0]


@pytest.mark.parametrize(
    ("taken", "line"),
    [
        ("OFFSETS", "lake/OFFSETS/.*: Not a directory"),
        ("manifests", "lake/manifests/.*: Not a directory"),
        ("LAG", "lake/LAG.*: (Not a directory|File exists)"),
    ],
)
def test_where_a_folder_of_the_lake_cannot_be_written_one_line_names_it(stored, taken, line, lake):
    lake.folder.mkdir()
    (lake.folder / taken).write_text("")

    with pytest.raises(SnapshotError, match=line) as failure:
        stored({"payments.txt": PAYMENTS})

    assert "\n" not in str(failure.value)
    assert store.batches(lake) == []


def test_two_at_once_into_one_lake_are_two_batches(stored, lake):
    files = [
        {f"{name}.txt": PAYMENTS.replace("payments", name)} for name in ("invoices", "shipping")
    ]

    with ThreadPoolExecutor() as threads:
        both = list(threads.map(stored, files))

    assert {one.batch for one in store.batches(lake)} == {one.batch for one in both}
    assert [store.groups(lake, one.batch)["group_id"].to_pylist() for one in both] == [
        ["invoices"],
        ["shipping"],
    ]


def test_group_documents_are_stored_as_one_process_stores_them(stored, tmp_path, lake):
    one = stored({"payments.json": DOCUMENT})
    name = str(tmp_path / "in" / "payments.json")

    other_lake = place_of(tmp_path / "other")
    parsed = rows_of([(1, decode(DOCUMENT))], name, START)
    other = run.store_parsed(
        parsed,
        Manifest(batch="b", ingested_at=one.ingested_at, sources=(SourceFile(name, "", 0),)),
        other_lake,
    )

    assert (one.counts, one.formats) == (other.counts, other.formats)
    assert {name for name, files in one.tables.items() if files} == {
        name for name, files in other.tables.items() if files
    }
    for name in schemas.STORED:
        assert store.table(lake, one.batch, name).equals(store.table(other_lake, "b", name)), name


def test_files_that_begin_like_json_and_are_none_count_and_list_all_their_lines(stored, lake):
    files = {
        "broken.json": "{broken\nline 2\n\nline 4\n",
        "list.txt": "[1,\nline 2\n",
        "cut.json": '{"format": "evenkeel.group/1",\n "topics": [\n',
    }

    one = stored(files | {"listing.txt": PAYMENTS})

    assert [source.counts for source in one.sources[:3]] == [
        Counts(4, 0, 1, 3),
        Counts(2, 0, 0, 2),
        Counts(2, 0, 0, 2),
    ]
    rejected = (
        store.table(lake, one.batch, "REJECTED")
        .select(["source_file", "source_line", "reason"])
        .to_pylist()
    )
    named = [(row["source_file"].rpartition("/")[2], row["source_line"]) for row in rejected]
    assert named[:7] == [
        ("broken.json", 1),
        ("broken.json", 2),
        ("broken.json", 4),
        ("list.txt", 1),
        ("list.txt", 2),
        ("cut.json", 1),
        ("cut.json", 2),
    ]
    assert rejected[0]["reason"].startswith("the file begins like JSON but is not JSON: ")
    assert one.counts.lines == one.counts.rows + one.counts.notes + one.counts.rejected
