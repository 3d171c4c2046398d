"""Connections to a real broker: each fault is one clear line."""

import pytest

from evenkeel.data.commands.main import main
from evenkeel.data.configuration.clusters import Profile
from evenkeel.data.errors import SnapshotError
from evenkeel.data.live.connection import Connection, drop, open_connection
from tests.brokers.settings import USERS
from tests.brokers.strangers import stranger


def _settings(broker, listener, **more):
    protocol = {
        "PLAIN": "PLAINTEXT",
        "SASL": "SASL_PLAINTEXT",
        "TLS": "SSL",
        "SASLTLS": "SASL_SSL",
    }[listener]
    settings = {"bootstrap.servers": broker.bootstrap(listener), "security.protocol": protocol}
    if "TLS" in listener:
        settings["ssl.ca.location"] = str(broker.certificates.authority)
    if "SASL" in listener:
        settings |= {
            "sasl.mechanism": "PLAIN",
            "sasl.username": "evenkeel",
            "sasl.password": {"env": "EVENKEEL_TEST_PASSWORD"},
        }
    return settings | {name.replace("_", "."): value for name, value in more.items()}


@pytest.fixture(autouse=True)
def _password(monkeypatch):
    monkeypatch.setenv("EVENKEEL_TEST_PASSWORD", USERS["evenkeel"])


@pytest.mark.parametrize(
    ("listener", "mechanism"),
    [
        ("PLAIN", None),
        ("TLS", None),
        ("SASL", "PLAIN"),
        ("SASLTLS", "PLAIN"),
        ("SASLTLS", "SCRAM-SHA-512"),
    ],
)
def test_both_clients_connect_to_every_kind_of_listener(broker, listener, mechanism):
    more = {"sasl_mechanism": mechanism} if mechanism else {}

    connection = Connection(Profile("test", _settings(broker, listener, **more)))

    assert connection.ask(connection.raw.listed) is not None
    assert connection.ask(lambda: connection.admin.list_topics(timeout=240)).brokers
    connection.close()


@pytest.mark.parametrize(
    ("listener", "more", "message"),
    [
        (
            "SASL",
            {"sasl_username": "stranger"},
            "cluster test: the broker refuses user, password or mechanism: ",
        ),
        (
            "SASL",
            {"sasl_mechanism": "SCRAM-SHA-256"},
            "cluster test: the broker refuses user, password or mechanism: ",
        ),
        (
            "PLAIN",
            {"bootstrap_servers": "nowhere.invalid:9092"},
            "cluster test: no such host: nowhere.invalid:9092",
        ),
        ("PLAIN", {"bootstrap_servers": "127.0.0.1:1"}, "cluster test: no connection: 127.0.0.1:1"),
        ("TLS", {"ssl_ca_location": None}, "cluster test: TLS fails: wrong certificate"),
        ("PLAIN", {"security_protocol": "SSL"}, "cluster test: no connection: ssl://"),
        (
            "TLS",
            {"security_protocol": "PLAINTEXT"},
            "cluster test: no broker answers at 127.0.0.1:",
        ),
    ],
)
def test_a_fault_is_one_line_that_names_its_cause(broker, listener, more, message):
    settings = {
        name: value
        for name, value in _settings(broker, listener, **more).items()
        if value is not None
    }

    with pytest.raises(SnapshotError) as refused:
        Connection(Profile("test", settings))

    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)
    assert USERS["evenkeel"] not in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "protocol", "message"),
    [
        (
            b"",
            "PLAINTEXT",
            (
                "no broker answers at {address}; a listener that expects TLS does not answer a"
                " plain client"
            ),
        ),
        (b"", "SSL", "no broker answers at {address}"),
        (
            b"",
            "SASL_PLAINTEXT",
            (
                "no broker answers at {address}; a listener that expects TLS does not answer a"
                " plain client"
            ),
        ),
        (
            b"HTTP/1.1 400 Bad Request\r\n\r\n",
            "PLAINTEXT",
            (
                "the address answers, but not as a Kafka broker: {address}/bootstrap: Receive"
                " failed: Invalid response size 1213486160 "
            ),
        ),
        (
            bytes(400),
            "PLAINTEXT",
            (
                "the address answers, but not as a Kafka broker: {address}/bootstrap: Receive"
                " failed: Invalid response size 0 "
            ),
        ),
        (
            b"HTTP/1.1 400 Bad Request\r\n\r\n",
            "SSL",
            "TLS fails: wrong certificate, or the listener speaks no TLS: ",
        ),
        (
            b"HTTP/1.1 400 Bad Request\r\n\r\n",
            "SASL_PLAINTEXT",
            (
                "the address answers, but not as a Kafka broker:"
                " sasl_plaintext://{address}/bootstrap: "
            ),
        ),
    ],
)
def test_a_listener_that_is_no_broker_is_one_line(answer, protocol, message):
    login = (
        {
            "sasl.mechanism": "PLAIN",
            "sasl.username": "evenkeel",
            "sasl.password": {"env": "EVENKEEL_TEST_PASSWORD"},
        }
        if "SASL" in protocol
        else {}
    )

    with stranger(answer) as address, pytest.raises(SnapshotError) as refused:
        Connection(
            Profile("test", {"bootstrap.servers": address, "security.protocol": protocol} | login)
        )

    assert str(refused.value).startswith(f"cluster test: {message.format(address=address)}")
    assert "\n" not in str(refused.value)
    assert USERS["evenkeel"] not in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "no broker answers at {address}; "),
        (b"HTTP/1.1 400 Bad Request", "the address answers, but not as a Kafka broker: {address}/"),
    ],
)
@pytest.mark.parametrize("command", [["groups"], ["snapshot", "--group", "payments"]])
def test_a_command_ends_with_that_line(tmp_path, monkeypatch, capsys, command, answer, message):
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    with stranger(answer) as address:
        (tmp_path / "evenkeel.toml").write_text(
            f'[clusters.mute]\n"bootstrap.servers" = "{address}"\n'
        )

        code = main([*command, "--cluster", "mute"])

    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith(
        f"evenkeel {command[0]}: cluster mute: {message.format(address=address)}"
    )


# One connection for each cluster and process.


def _profile(broker, **more):
    return Profile("kept", {"bootstrap.servers": broker.bootstrap(), **more})


def test_a_connection_is_opened_once_and_again_after_it_was_dropped(broker):
    first = open_connection(_profile(broker))
    assert open_connection(_profile(broker)) is first

    drop(first)

    second = open_connection(_profile(broker))
    assert second is not first
    assert second.ask(second.raw.listed) is not None
    drop(second)


def test_other_settings_open_another_connection_and_close_the_one_before(broker):
    before = open_connection(_profile(broker))

    after = open_connection(_profile(broker, **{"isolation.level": "read_committed"}))

    assert after.profile.reads_committed
    assert after.ask(after.raw.listed) is not None
    with pytest.raises(SnapshotError):
        before.ask(before.raw.listed)
    drop(before)
    assert open_connection(after.profile) is after
    drop(after)
