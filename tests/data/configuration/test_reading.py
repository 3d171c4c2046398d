"""How a server reads its configuration while somebody writes it."""

import os
import time

import pytest

from evenkeel.data.configuration import configuration, file, reading
from evenkeel.data.configuration.handover import secrets_of
from evenkeel.data.errors import SnapshotError
from tests.waiting import until

CLOSED = """
[server]
hosts = ["evenkeel.example.com"]

[login]
address = "https://evenkeel.example.com"
cookie_secret = {env = "COOKIE_OF_TESTS"}
trusted_proxy = ["10.4.0.7"]

[login.providers.corporate]
client_id = "evenkeel"
client_secret = {env = "COOKIE_OF_TESTS"}
server_metadata_url = "https://id.example.com/.well-known/openid-configuration"

[[rights]]
claim = "groups"
values = ["payments-team"]
can = ["see"]

[advice]
gain = "20 %"
"""
OTHER = CLOSED.replace("20 %", "30 %")


@pytest.fixture
def path(tmp_path, monkeypatch):
    """The file of this process, which becomes a server with `reading.begin_serving()`."""
    path = tmp_path / "evenkeel.toml"
    path.write_text(CLOSED)
    monkeypatch.setenv("EVENKEEL_CONFIG", str(path))
    monkeypatch.setattr(reading, "_SERVER", [])
    return path


def refusal():
    """Return the sentence of a wrong configuration, an empty one of a right one."""
    try:
        configuration()
    except SnapshotError as error:
        return str(error)
    return ""


def test_a_file_that_is_cut_at_any_byte_opens_a_closed_server_to_nobody(path, monkeypatch):
    monkeypatch.setattr(reading, "_SETTLED_SECONDS", 0)
    reading.begin_serving()

    opened = []
    for end in range(len(CLOSED)):
        path.write_text(CLOSED[:end])
        if not refusal() and not (configuration().login and configuration().rights):
            opened.append(CLOSED[:end])

    assert opened == []
    path.write_text(CLOSED)
    assert configuration().gain == 0.2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no [[rights]], but this server had it before: to open the server, restart it"),
        (
            CLOSED.partition("[[rights]]")[0],
            "no [[rights]], but this server had it before: to open the server, restart it",
        ),
    ],
)
def test_what_opens_a_server_is_a_wrong_file_until_the_next_start(path, monkeypatch, text, said):
    monkeypatch.setattr(reading, "_SETTLED_SECONDS", 0)
    reading.begin_serving()
    path.write_text(text)

    assert refusal() == f"{path}: {said}"
    reading.begin_serving()
    assert refusal() == ""


def test_a_server_with_a_login_alone_stays_closed_too(path, monkeypatch):
    monkeypatch.setattr(reading, "_SETTLED_SECONDS", 0)
    path.write_text(CLOSED.partition("[[rights]]")[0])
    reading.begin_serving()
    path.unlink()
    monkeypatch.delenv("EVENKEEL_CONFIG")
    monkeypatch.chdir(path.parent)

    assert (
        refusal()
        == "evenkeel.toml: no [login] or [[rights]], but this server had it before: to open the"
        " server, restart it"
    )


def test_a_changed_file_counts_once_it_has_been_the_same_for_a_second(path):
    reading.begin_serving()
    end = time.monotonic() + 2
    while time.monotonic() < end:
        path.write_text("")
        assert configuration().gain == 0.2
        path.write_text(OTHER)
        written = time.monotonic()
        assert configuration().gain == 0.2
        time.sleep(0.2)

    until(lambda: configuration().gain == 0.3, pause=0.02)
    # The file's own times are of a coarser clock.
    assert time.monotonic() - written > 0.95


def test_a_file_that_has_changed_while_nobody_asked_counts_at_once(path):
    reading.begin_serving()
    path.write_text(OTHER)
    time.sleep(1.1)

    assert configuration().gain == 0.3


@pytest.mark.parametrize("ahead", [0, 3600], ids=["missing", "of the future"])
def test_a_file_whose_times_say_nothing_counts_once_the_server_has_seen_it_for_a_second(
    path, ahead
):
    reading.begin_serving()
    path.write_text("")
    if ahead:
        os.utime(path, (time.time() + ahead,) * 2)
    else:
        path.unlink()
    first = refusal()

    assert first == ""
    until(refusal, pause=0.02)


def test_a_server_that_starts_while_its_file_is_written_waits_for_it(path):
    from threading import Thread

    path.write_text("")

    def save():
        time.sleep(0.3)
        path.write_text(CLOSED)

    saving = Thread(target=save)
    saving.start()
    reading.begin_serving()
    saving.join()

    assert configuration().is_closed


def test_while_the_file_is_empty_no_secret_that_it_named_goes_to_a_child_process(path, monkeypatch):
    monkeypatch.setenv("OURS", "1")
    path.write_text(CLOSED.replace("COOKIE_OF_TESTS", "OURS"))
    reading.begin_serving()
    path.write_text("")

    assert secrets_of(os.environ)["OURS"] == "1"


def test_a_server_whose_file_is_wrong_keeps_its_names(path, monkeypatch):
    monkeypatch.setattr(reading, "_SETTLED_SECONDS", 0)
    reading.begin_serving()
    path.write_text("[login")

    assert (reading.last_good().hosts, "not TOML" in refusal()) == (("evenkeel.example.com",), True)


def test_an_error_that_nobody_expected_is_a_wrong_file(path, monkeypatch):
    def fails(tables, kind):
        raise ZeroDivisionError("a secret detail")

    monkeypatch.setattr(file, "converted", fails)

    assert refusal() == f"{path}: a setting has a type that cannot be read (ZeroDivisionError)"


def test_a_server_that_believes_a_proxy_refuses_a_file_that_names_none(path, monkeypatch):
    monkeypatch.setattr(reading, "_SETTLED_SECONDS", 0)
    path.write_text('[login]\ntrusted_proxy = ["10.4.0.7"]\n')
    reading.begin_serving()
    path.write_text('[login]\ntrusted_proxy = ["10.4.0.8"]\n')
    assert refusal() == ""

    path.write_text('[[rights]]\nclaim = "user"\nvalues = ["ada"]\ncan = ["see"]\n')

    assert refusal() == (
        f"{path}: no [login] trusted_proxy, but this server had it before: to open the server,"
        " restart it"
    )
