"""The audit: a line for each event, a file that turns, and what `evenkeel audit` finds in it."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from unittest import mock

import pytest

from evenkeel.data import audit
from evenkeel.data.commands.main import main
from evenkeel.data.configuration import configuration
from tests.waiting import until

AT = datetime(2026, 11, 25, 9, 0, tzinfo=UTC)


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return a function that writes the configuration."""
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    monkeypatch.setattr(audit, "now", lambda: AT)
    audit._file.cache_clear()
    yield lambda text: (tmp_path / "evenkeel.toml").write_text(text)
    audit._file.cache_clear()


def test_a_line_says_who_when_what_and_from_where(written, tmp_path):
    written('[audit]\npath = "audit.jsonl"\n')

    audit.write(
        "open",
        who="corporate:1",
        name="Ada\n",
        address="10.4.1.17",
        cluster="production",
        group="payments",
        why=None,
    )

    (line,) = (tmp_path / "audit.jsonl").read_text().splitlines()
    told = {
        "who": "corporate:1",
        "name": "Ada\n",
        "address": "10.4.1.17",
        "cluster": "production",
        "group": "payments",
    }
    assert json.loads(line) == {"at": "2026-11-25T09:00:00.000000Z", "event": "open"} | told
    assert (tmp_path / "audit.jsonl").stat().st_mode & 0o777 == 0o600


def test_a_closed_server_without_a_table_writes_to_standard_output_and_an_open_one_nothing(
    written, capsys
):
    written("[login]\n")
    audit.write("login", who="a")
    audit.write("key made", is_command=True, who="b")
    written("")
    audit.write("login", who="c")

    out, err = capsys.readouterr()
    assert [json.loads(text)["who"] for text in (out, err)] == ["a", "b"]


def test_a_file_turns_at_its_size_and_is_read_from_its_oldest_line(
    written, tmp_path, monkeypatch, capsys
):
    written('[audit]\npath = "audit.jsonl"\nsize = "1 MB"\nkeep = 2\n')
    for number in range(14):
        audit.write(
            "open",
            who="a",
            group=f"{number} {'x' * 290}",
            **{f"k{each}": "y" * 300 for each in range(900)},
        )

    files = sorted(file.name for file in tmp_path.glob("audit.jsonl*"))
    read = [int(line["group"].split()[0]) for line in audit.lines(str(tmp_path / "audit.jsonl"))]
    assert files == ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in tmp_path.glob("audit.jsonl*"))
    assert read == list(range(14))[-len(read) :]
    assert 6 <= len(read) < 14


def test_threads_lose_no_line_while_the_file_turns(written, tmp_path):
    written('[audit]\npath = "audit.jsonl"\nsize = "1 MB"\nkeep = 20\n')
    audit._file(str(tmp_path / "audit.jsonl"), 1_000_000, 20).maxBytes = 20_000
    with ThreadPoolExecutor(6) as threads:
        list(
            threads.map(
                lambda number: audit.write("open", who="a", group=str(number)), range(2_400)
            )
        )

    read = [line and line["group"] for line in audit.lines(str(tmp_path / "audit.jsonl"))]
    assert sorted(read, key=int) == [str(number) for number in range(2_400)]
    assert 2 < len(list(tmp_path.glob("audit.jsonl.*"))) < 20


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), ValueError("I/O operation on closed file")]
)
def test_a_line_that_cannot_be_written_is_logged_and_fails_nobody(
    written, tmp_path, monkeypatch, caplog, error
):
    written('[audit]\npath = "audit.jsonl"\n')
    monkeypatch.setattr(audit._Lines, "_open", mock.Mock(side_effect=error))

    audit.write("open", group="payments")

    (told,) = caplog.messages
    assert told == f"audit: {tmp_path}/audit.jsonl: {getattr(error, 'strerror', None) or error}"


def told(tmp_path):
    """Return the lines of the file without their time."""
    return [
        {key: value for key, value in line.items() if key != "at"}
        for line in audit.lines(str(tmp_path / "audit.jsonl"))
    ]


def test_what_an_unknown_address_does_again_within_a_minute_is_counted_in_one_line(
    written, tmp_path, monkeypatch
):
    written('[audit]\npath = "audit.jsonl"\n')
    for _ in range(1000):
        audit.write("refusal", address="10.9.9.9", what="/metrics", why="none was sent")
    audit.write("refusal", address="10.9.9.8", what="/metrics", why="none was sent")
    audit.write("open", who="corporate:1", group="payments")
    once = told(tmp_path)
    monkeypatch.setattr(audit, "now", lambda: AT + timedelta(minutes=1))
    audit.write("refusal", address="10.9.9.9", what="/metrics", why="none was sent")

    refused = {
        "event": "refusal",
        "address": "10.9.9.9",
        "what": "/metrics",
        "why": "none was sent",
    }
    assert once == [
        refused,
        refused | {"address": "10.9.9.8"},
        {"event": "open", "who": "corporate:1", "group": "payments"},
    ]
    assert told(tmp_path)[3:] == [refused | {"count": 999}, refused]


def test_requests_of_unknown_readers_from_many_addresses_drive_no_old_line_out(written, tmp_path):
    written('[audit]\npath = "audit.jsonl"\nsize = "1 MB"\nkeep = 0\n')
    audit.write("login", who="corporate:1")
    for number in range(6000):
        audit.write("refusal", address=f"10.9.{number // 250}.{number % 250}", why="x" * 200)
    audit._crowd(configuration().audit).end()

    assert told(tmp_path)[0] == {"event": "login", "who": "corporate:1"}
    assert len(told(tmp_path)) == 1 + 100 + 2
    assert told(tmp_path)[-1] == {"event": "refusal", "address": "many others", "count": 5899}


def test_what_is_counted_is_written_after_a_minute_and_when_the_process_ends(written, tmp_path):
    code = (
        "from evenkeel.data import audit\nfor _ in range(3): audit.write('refusal',"
        " address='10.9.9.9')"
    )
    written('[audit]\npath = "audit.jsonl"\n')
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert told(tmp_path) == [
        {"event": "refusal", "address": "10.9.9.9"},
        {"event": "refusal", "address": "10.9.9.9", "count": 2},
    ]

    with mock.patch.object(audit, "_MINUTE", 0.0):
        for _ in range(3):
            audit.write("refusal", address="10.9.9.8")
        until(
            lambda: any(
                line["address"] == "10.9.9.8" and "count" in line for line in told(tmp_path)
            )
        )


LINES = """\
{"at": "2026-11-25T08:59:00.000000Z", "event": "open", "who": "corporate:1", "name": "Ada", "group": "payments"}
{"at": "2026-11-17T08:59:00.000000Z", "event": "open", "who": "corporate:1", "name": "Ada", "group": "payments"}
{"at": "2026-11-25T08:58:00.000000Z", "event": "refusal", "address": "10.9.9.9"}
{"at": "2026-11-25T08:59:00", "event": "open", "who": "corporate:1", "name": "Ada", "group": "payments"}
{"at": "2026-11-25T08:5
[1]
"""  # noqa: E501


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ([], 3),
        (["--group", "payments"], 2),
        (["--group", "payments", "--since", "7d"], 1),
        (["--event", "refusal"], 1),
        (["--who", "Ada"], 2),
    ],
)
def test_the_command_finds_lines_by_group_event_reader_and_time(
    written, tmp_path, monkeypatch, capsys, asked, count
):
    written('[audit]\npath = "audit.jsonl"\n')
    (tmp_path / "audit.jsonl").write_text(LINES)
    monkeypatch.setattr("evenkeel.data.configuration.audit_command.now", lambda: AT)

    assert main(["audit", *asked]) == 0

    out, err = capsys.readouterr()
    assert len(out.splitlines()) == count
    assert err == f"3 lines of {tmp_path}/audit.jsonl cannot be read\n"


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (
            "[login]\n",
            2,
            "evenkeel audit: the audit goes to standard output, expected [audit] with path",
        ),
        (
            "",
            2,
            "evenkeel audit: this server is open and writes no audit, expected [audit] with path",
        ),
        (
            '[audit]\npath = "audit.jsonl"\n',
            0,
            "no lines: {folder}/audit.jsonl does not exist; a server creates this file with its"
            " first line",
        ),
    ],
)
def test_where_there_is_no_line_the_command_says_why(written, tmp_path, capsys, text, code, said):
    written(text)

    assert main(["audit"]) == code
    assert capsys.readouterr().err.startswith(said.format(folder=tmp_path))
