"""The database itself: its first start, two starts at once, a process that is killed, and what it
says when it does not answer.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import NamedTuple

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event, make_url, text

from evenkeel.data.configuration import Configuration, configuration
from evenkeel.data.errors import SnapshotError
from evenkeel.data.lake.place import place_of
from evenkeel.data.shares.database import METADATA, database_url, engine_of, upgrade
from evenkeel.data.shares.shares import Shares
from evenkeel.data.shares.store import shares
from tests.data.shares import maker
from tests.data.shares.frozen import RESULT, frozen
from tests.services.cut_line import CutLine
from tests.services.ports import free_port
from tests.services.postgres import Postgres
from tests.waiting import until

CUT = (
    "the store of shares (postgresql): the database ended the connection before it had answered;"
    " try again"
)


class Maker(NamedTuple):
    """A process that makes shares, and the line to it."""

    process: ForkServerProcess
    line: Connection


@pytest.fixture
def started(url, forks):
    """Return a starter of processes that make shares; each waits for a message before it opens the
    store, and before it makes the first.
    """
    running = []

    def start():
        line, other_end = forks.Pipe()
        process = forks.Process(target=maker.make, args=(url, other_end), daemon=True)
        process.start()
        other_end.close()
        running.append(Maker(process, line))
        assert line.recv() == "waits"
        return running[-1]

    yield start
    for each in running:
        each.process.kill()
        each.process.join()
        each.line.close()


def _rest(line: Connection) -> Iterator[str]:
    """Yield what a process had sent before it ended."""
    with suppress(EOFError):
        while True:
            yield line.recv()


def test_an_empty_database_comes_to_the_tables_that_the_code_knows(engines):
    engine = engines()

    upgrade(engine)

    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
        assert connection.execute(
            text("SELECT version_num FROM alembic_version")
        ).scalars().all() == ["0002"]


def test_a_second_upgrade_changes_nothing(store, engines):
    made = store().make(frozen(), None)

    upgrade(engines())

    assert store().open(made.share_id)


def test_several_servers_that_start_at_once_on_an_empty_database_all_open_it(started):
    servers = [started() for _ in range(4)]

    for each in servers:
        each.line.send("go")

    assert [each.line.recv() for each in servers] == 4 * ["open"]


def test_every_share_that_was_confirmed_opens_after_the_process_was_killed(started, engines):
    process, line = started()
    line.send("go")
    line.send("go")
    assert line.recv() == "open"
    confirmed = [line.recv() for _ in range(30)]

    process.kill()
    confirmed += _rest(line)

    store = Shares(engines())
    assert len(confirmed) >= 30
    assert {store.open(each).scenario["name"] for each in confirmed} == {"one more"}


def _counts(engine) -> tuple[int, int]:
    with engine.connect() as connection:
        return tuple(
            connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()
            for table in ("shares", "payloads")
        )


@pytest.fixture
def line(postgres):
    """A line to an empty database, and two engines: by way of the line and without it."""
    url = make_url(postgres.database())
    with CutLine(url.port) as cut:
        engines = [
            engine_of(database_url(Configuration(database_url=str(one))))
            for one in (url.set(port=cut.port), url)
        ]
        upgrade(engines[1])
        yield cut, *engines
        for each in engines:
            each.dispose()


@pytest.mark.parametrize(
    ("word", "is_passed_on", "count"),
    [
        (b"pg_advisory_xact_lock", True, 0),
        (b"INSERT INTO shares", False, 0),
        (b"INSERT INTO shares", True, 0),
        (b"INSERT INTO payloads", True, 0),
        (b"COMMIT", False, 0),
        (b"COMMIT", True, 1),
    ],
)
def test_a_line_to_the_database_that_is_cut_inside_a_share_leaves_it_whole_or_not_there(
    line, word, is_passed_on, count
):
    cut, by_line, direct = line
    cut.cut_at, cut.is_passed_on = word, is_passed_on

    with pytest.raises(SnapshotError) as refusal:
        Shares(by_line).make(frozen(), "browser")

    assert str(refusal.value) == CUT
    until(lambda: _counts(direct) == (count, count))
    made = Shares(by_line).make(frozen(), "browser")
    assert Shares(direct).open(made.share_id).result == RESULT
    assert _counts(direct) == (
        count + 1,
        count + 1,
    )


def test_a_database_that_stops_during_a_share_keeps_the_others_and_takes_the_next():
    with Postgres() as stopped:
        engine = engine_of(database_url(Configuration(database_url=stopped.database())))
        upgrade(engine)
        kept = Shares(engine).make(frozen(), "browser")

        @event.listens_for(engine, "before_cursor_execute")
        def stop(connection, cursor, statement, *more):
            if statement.startswith("INSERT INTO payloads"):
                event.remove(engine, "before_cursor_execute", stop)
                stopped.stop_at_once()

        for said in (
            f"^{re.escape(CUT)}$",
            r"^the store of shares \(postgresql\): [^\n]+ Connection refused$",
        ):
            with pytest.raises(SnapshotError, match=said):
                Shares(engine).make(frozen(), "browser")
        stopped.start()

        assert _counts(engine) == (1, 1)
        made = Shares(engine).make(frozen(), "browser")
        assert [Shares(engine).open(each.share_id).result for each in (kept, made)] == [RESULT] * 2
        engine.dispose()


def test_a_database_of_a_newer_evenkeel_is_left_alone(store, engines):
    store()
    with engines().begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(
        SnapshotError,
        match=(
            r"^the store of shares is of a newer Evenkeel: .*'9999'; this Evenkeel knows"
            r" revision 0002$"
        ),
    ):
        upgrade(engines())


def test_sqlite_waits_for_the_disk_and_overwrites_what_is_deleted(tmp_path):
    engine = engine_of(database_url(Configuration(lake=place_of(tmp_path))))
    upgrade(engine)

    with engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "secure_delete")
        }
    engine.dispose()

    # 2 is FULL.
    assert found == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}


def test_without_set_up_the_store_is_a_file_in_the_lakes_folder_that_only_its_user_can_reach(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))

    made = shares().make(frozen(), None)

    file = tmp_path / "lake/shares/shares.sqlite"
    assert shares().open(made.share_id)
    assert file.is_file()
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_of_a_lake_in_object_storage_the_file_is_in_the_default_folder():
    chosen = Configuration(lake=place_of("s3://team/evenkeel"))

    assert database_url(chosen).database == str(
        Path.home() / ".local/share/evenkeel/shares/shares.sqlite"
    )


@pytest.mark.parametrize(
    "url", ["postgresql://u:p@h/d", "postgres://u:p@h/d", "postgresql+psycopg2://u:p@h/d"]
)
def test_postgresql_is_reached_with_its_third_driver_however_the_address_is_written(
    url, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)

    chosen = configuration({"EVENKEEL_DATABASE_URL": url})

    assert (
        database_url(chosen).render_as_string(hide_password=False) == "postgresql+psycopg://u:p@h/d"
    )
    assert "u:p" not in repr(chosen)


@pytest.mark.parametrize(
    "url",
    [
        "mysql://u:secret@h/d",
        "postgresql://u:secret@h",
        "sqlite://",
        "secret",
        "sqlite:///:memory:",
        "sqlite:////tmp/x?timeout=secret",
    ],
)
def test_an_address_of_another_database_is_refused_without_its_password(url):
    with pytest.raises(
        SnapshotError, match="^EVENKEEL_DATABASE_URL .*, expected postgresql://"
    ) as refusal:
        database_url(Configuration(database_url=url))

    assert "secret" not in str(refusal.value)


def test_a_database_that_does_not_answer_is_one_line_without_the_password():
    url = f"postgresql://evenkeel:password-of-the-tests@127.0.0.1:{free_port()}/shares"

    with pytest.raises(
        SnapshotError, match=r"^the store of shares \(postgresql\): .*Connection refused$"
    ) as refusal:
        upgrade(engine_of(database_url(Configuration(database_url=url))))

    assert "password-of-the-tests" not in str(refusal.value)


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "lake").write_text("a file")

    with pytest.raises(
        SnapshotError,
        match="^the folder of the database of shares cannot be made: Not a directory$",
    ):
        engine_of(database_url(Configuration(lake=place_of(tmp_path / "lake/inside"))))


def test_a_file_that_is_no_database_is_one_line(tmp_path):
    (tmp_path / "shares").mkdir()
    (tmp_path / "shares/shares.sqlite").write_bytes(
        b"no database at all, but long enough to be taken for the header of one" * 9
    )

    with pytest.raises(
        SnapshotError, match=r"^the store of shares \(sqlite\): file is not a database$"
    ):
        upgrade(engine_of(database_url(Configuration(lake=place_of(tmp_path)))))
