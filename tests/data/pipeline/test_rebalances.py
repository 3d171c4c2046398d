"""Brokers' logs on Spark: the same rebalances as in one process, wherever a file is cut, and a log
that is read twice adds nothing.
"""

import gzip
import json

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline import rebalances
from evenkeel.data.pipeline.ingest.inputs import inputs_of
from evenkeel.data.pipeline.rebalances import ingest_logs, is_log, messages_in, ranges_of
from evenkeel.data.rebalances.store import of_lake
from tests.data.rebalances.test_history import RESTART, read


@pytest.fixture
def server_log(tmp_path):
    path = tmp_path / "logs" / "server.log"
    path.parent.mkdir()
    path.write_bytes(b"foreign\n" + RESTART)
    return path


def test_ranges_of_a_file_are_cut_at_line_ends_and_give_every_message_its_place(
    server_log, monkeypatch
):
    monkeypatch.setattr(rebalances, "TASK_BYTES", 300)
    (one,) = inputs_of([server_log])

    parts = ranges_of(one, 0)

    assert len(parts) > 3
    assert b"".join(_text(part) for part in parts) == server_log.read_bytes()
    rows = [
        row
        for part in parts
        for batch in messages_in(part, "server.log", None)
        for row in batch.to_pylist()
    ]
    assert [row["place"] for row in rows if row["kind"]] == [
        f"server.log:{number}" for number in range(2, 14)
    ]
    assert sum(row["lines"] for row in rows if not row["kind"]) == 13


def _text(part):
    with part.opened() as file:
        return file.read()


def test_a_line_that_is_longer_than_a_task_is_passed_in_pieces_and_a_packed_log_in_batches(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(rebalances, "TASK_BYTES", 300)
    monkeypatch.setattr(rebalances, "_PIECE_BYTES", 100)
    monkeypatch.setattr(rebalances, "_BATCH_ROWS", 5)
    (tmp_path / "server.log").write_bytes(b"x" * 5_000 + b"\n" + RESTART)
    (tmp_path / "server.log.gz").write_bytes(gzip.compress(RESTART))

    for one in inputs_of([tmp_path]):
        parts = ranges_of(one, 0)
        batches = [batch for part in parts for batch in messages_in(part, one.name, None)]
        lines = sum(batch["lines"][-1].as_py() or 0 for batch in batches)
        if one.name.endswith(".gz"):
            assert ([batch.num_rows for batch in batches], lines) == ([5, 5, 2, 1], 12)
        else:
            assert (parts[0].stop, parts[1].first_line, lines) == (5_001, 2, 13)


def test_spark_tells_what_one_process_tells_and_a_second_reading_adds_nothing(
    server_log, spark, tmp_path, monkeypatch
):
    monkeypatch.setattr(rebalances, "TASK_BYTES", 700)
    (server_log.parent / "server.log.gz").write_bytes(
        gzip.compress(RESTART.splitlines(keepends=True)[0])
    )
    lake, inputs = place_of(tmp_path / "lake"), inputs_of([server_log.parent])

    first, second = (ingest_logs(inputs, lake, lambda: spark, "production") for _ in range(2))

    assert first == (14, 13, 0, 0, 4, 4)
    assert second._replace(new=4) == first
    assert second.new == 0
    told = of_lake(lake, "production", "pay")
    assert all(one.zone_assumed for one in told)
    assert [(one.generation, one.cause, one.start, one.assigned, one.leader) for one in told] == [
        (one.generation, one.cause, one.start, one.assigned, one.leader)
        for one in read(RESTART).events
    ]


def test_a_listing_is_no_log(tmp_path):
    (tmp_path / "listing.txt").write_text("GROUP TOPIC PARTITION\npay orders 0\n")

    assert [is_log(one) for one in inputs_of([tmp_path / "listing.txt"])] == [False]


def test_the_command_sorts_logs_from_listings_and_counts_every_line_of_both(
    server_log, tmp_path, capsys, spark, monkeypatch
):
    from evenkeel.data.pipeline import session

    monkeypatch.setattr(session, "session", lambda *_: spark)
    monkeypatch.setattr(session, "stopped_after", lambda found: _still(found))

    assert (
        main(
            [
                "ingest",
                str(server_log),
                "--cluster",
                "production",
                "--out",
                str(tmp_path / "lake"),
                "--json",
            ]
        )
        == 0
    )

    head, counts = capsys.readouterr().out.splitlines()
    assert head.startswith(
        "13 lines of brokers' logs: 12 used, 1 foreign, 0 without a time, 0 cut off; 4 rebalances,"
        " 4 new in "
    )
    assert json.loads(counts) == {"lines": 13, "rows": 12, "notes": 1, "rejected": 0}


class _still:
    """The session of all tests goes on."""

    def __init__(self, found):
        self._found = found

    def __enter__(self):
        return self._found

    def __exit__(self, *_):
        pass
