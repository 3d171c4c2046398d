"""A password that is in use stands nowhere: not in what is printed, not in a file, not in a log,
not in what an object shows of itself.
"""

import base64
import logging
import os
import signal
import subprocess
import sys

import pytest
from confluent_kafka.admin import AdminClient

from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.connection import connected
from evenkeel.data.live.reading.documents import live_groups
from evenkeel.data.live.reading.group_list import chosen_groups, group_list
from tests.brokers.commits import commit
from tests.brokers.settings import USERS
from tests.brokers.topics import create_topic
from tests.listening import watched
from tests.waiting import lines_until

_RUN = "import sys; from evenkeel.data.commands.main import main; sys.exit(main())"
_DATABASE = "postgresql://u:database-secret-5d0@127.0.0.1/shares"
_RIGHT, _WRONG = USERS["evenkeel"], "wrong-secret-81c"
_COMMANDS = {
    "groups": ["groups", "--cluster", "local"],
    "snapshot": ["snapshot", "--cluster", "local", "--group", "watched"],
    "collect": ["collect", "--cluster", "local", "--every", "5s", "--count", "1", "--out", "lake"],
}


@pytest.fixture
def place(broker, tmp_path):
    """A folder with a configuration for user evenkeel, where commands work and keep temporary
    files; the cluster has the group watched.
    """
    admin = AdminClient({"bootstrap.servers": broker.bootstrap(), "log_level": 0})
    create_topic(admin, "watched", 1)
    commit(admin, "watched", {("watched", 0): 0})
    settings = (
        f'"bootstrap.servers" = "{broker.bootstrap("SASL")}"\n"security.protocol" ='
        ' "SASL_PLAINTEXT"\n"sasl.mechanism" = "SCRAM-SHA-512"'
    )
    (tmp_path / "evenkeel.toml").write_text(
        f'[clusters.local]\n{settings}\n"sasl.username" = "evenkeel"\n"sasl.password" = {{env ='
        ' "EVENKEEL_TEST_PASSWORD"}\n'
    )
    (tmp_path / "temporary").mkdir()
    return tmp_path


@pytest.mark.parametrize(("password", "code"), [(_RIGHT, 0), (_WRONG, 2)])
@pytest.mark.parametrize("command", ["groups", "snapshot"])
def test_no_command_prints_or_leaves_a_password(place, command, password, code):
    done = _run(place, command, password)

    assert (done.returncode, "watched" in done.stdout) == (code, code == 0), done.stderr
    assert _found(place, done, password) == []


# The name of a test stands in the environment.
@pytest.mark.parametrize("password", [_RIGHT, _WRONG], ids=["right", "wrong"])
def test_a_collector_leaves_no_password_in_the_lake_in_sparks_files_or_in_process_lists(
    place, password
):
    seen = {}
    done = _run(place, "collect", password, seen)

    assert (
        "groups: "
        if password == _RIGHT
        else "gap: cluster local: the broker refuses user, password or mechanism"
    ) in done.stdout
    assert list((place / "lake").rglob("*.json"))
    assert _found(place, done, password) == []
    assert any("pyspark-shell" in name for name in seen)
    assert any("pyspark.worker" in name for name in seen)
    assert [
        name
        for name, text in seen.items()
        for word in (*_forms(password), _DATABASE)
        if word.encode() in text
    ] == []


def test_no_object_and_no_log_shows_a_password(place, monkeypatch, caplog, capfd):
    monkeypatch.setenv("EVENKEEL_CONFIG", str(place / "evenkeel.toml"))
    monkeypatch.setenv("EVENKEEL_TEST_PASSWORD", _RIGHT)
    caplog.set_level(logging.DEBUG)

    with connected("local") as connection:
        group_list(connection)
        live_groups(connection, chosen_groups(connection, []))
        shown = [
            repr(one)
            for one in (
                connection,
                connection.profile,
                vars(connection),
                connection.raw,
                connection.admin,
            )
        ]
    monkeypatch.setenv("EVENKEEL_TEST_PASSWORD", _WRONG)
    with pytest.raises(SnapshotError) as refused, connected("local"):
        pass

    said = capfd.readouterr()
    text = "\n".join(
        [*shown, caplog.text, said.out, said.err, repr(refused.value), str(refused.value.__dict__)]
    )
    assert [word for secret in (_RIGHT, _WRONG) for word in _forms(secret) if word in text] == []


def _run(place, command, password, seen=None):
    environment = os.environ | {
        "EVENKEEL_CONFIG": str(place / "evenkeel.toml"),
        "EVENKEEL_TEST_PASSWORD": password,
        "EVENKEEL_DATABASE_URL": _DATABASE,
        "TMPDIR": str(place / "temporary"),
    }
    running = subprocess.Popen(
        [sys.executable, "-c", _RUN, *_COMMANDS[command]],
        cwd=place,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said = []
    if command == "collect":
        # A collector whose password is wrong goes on until a person stops it.
        with watched(running.pid, seen):
            said = lines_until(running, "gap: cluster", "groups: ")
        running.send_signal(signal.SIGINT)
    out, complaints = running.communicate(timeout=500)
    return subprocess.CompletedProcess(
        running.args, running.returncode, "".join([*said, out]), complaints
    )


def _found(place, done, password):
    """Return where a form of the password stands."""
    texts = {"output": done.stdout.encode(), "complaints": done.stderr.encode()} | {
        str(path): path.read_bytes() for path in place.rglob("*") if path.is_file()
    }
    return [
        name for name, text in texts.items() for word in _forms(password) if word.encode() in text
    ]


def _forms(secret):
    return secret, base64.b64encode(secret.encode()).decode().rstrip("=")
