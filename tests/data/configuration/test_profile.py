"""A cluster of the configuration, for either client."""

import pytest

from evenkeel.data.configuration.clusters import Profile, profiles
from evenkeel.data.errors import SnapshotError

_PRODUCTION = {
    "bootstrap.servers": "broker-1:9093, broker-2:9093",
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "SCRAM-SHA-512",
    "sasl.username": "evenkeel",
    "sasl.password": {"env": "SECRET"},
    "ssl.ca.location": "/etc/ca.pem",
    "ssl.endpoint.identification.algorithm": "none",
}


def test_each_client_gets_its_own_words():
    profile = Profile("production", _PRODUCTION)

    assert profile.kafka_python({"SECRET": "hunter22"}) == {
        "client_id": "evenkeel",
        "bootstrap_servers": ["broker-1:9093", "broker-2:9093"],
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": "evenkeel",
        "sasl_plain_password": "hunter22",
        "ssl_cafile": "/etc/ca.pem",
        "ssl_check_hostname": False,
    }
    assert profile.librdkafka({"SECRET": "hunter22"})["sasl.password"] == "hunter22"
    assert profile.librdkafka({"SECRET": "hunter22"})["client.id"] == "evenkeel"


def test_a_secret_comes_from_a_file_without_its_line_end(tmp_path):
    (tmp_path / "password").write_text("hunter22\n")

    profile = Profile("p", _PRODUCTION | {"sasl.password": {"file": str(tmp_path / "password")}})

    assert profile.librdkafka()["sasl.password"] == "hunter22"


def test_no_secret_shows_in_a_profile_or_in_a_text_about_it():
    profile = Profile("p", _PRODUCTION)

    assert "SECRET" not in repr(profile)
    assert (
        profile.without_secrets("user evenkeel, password hunter22", {"SECRET": "hunter22"})
        == "user evenkeel, password ***"
    )


def test_the_isolation_level_is_read_uncommitted_unless_said_otherwise():
    assert not Profile("p", {"bootstrap.servers": "b:1"}).reads_committed
    assert Profile(
        "p", {"bootstrap.servers": "b:1", "isolation.level": "read_committed"}
    ).reads_committed


def test_commits_of_open_transactions_count_unless_stable_ones_are_required():
    assert not Profile("p", {"bootstrap.servers": "b:1"}).requires_stable
    assert Profile("p", {"bootstrap.servers": "b:1", "require.stable": "true"}).requires_stable
    assert Profile("p", {"bootstrap.servers": "b:1", "require.stable": True}).requires_stable


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            "broker:9092",
            "clusters.p is a string, expected a table of settings with librdkafka's names",
        ),
        (
            {},
            (
                "no key clusters.p.bootstrap.servers, expected host:port, or several with commas"
                " between them"
            ),
        ),
        (
            {"bootstrap.servers": "b:1", "isolation.level": "serializable"},
            "clusters.p.isolation.level is a string, expected read_uncommitted or read_committed",
        ),
        (
            {"bootstrap.servers": "b:1", "require.stable": "yes"},
            "clusters.p.require.stable is a string, expected true or false",
        ),
        (
            {"bootstrap.servers": "b:1", "sasl.password": "hunter22"},
            (
                "clusters.p: sasl.password is plain text, expected a reference: {env ="
                ' "NAME"} or {file = "path"}'
            ),
        ),
        (
            {"bootstrap.servers": "b:1", "sasl.oauthbearer.config": "x"},
            "clusters.p: sasl.oauthbearer.config cannot be used",
        ),
    ],
)
def test_a_cluster_that_cannot_work_is_refused_by_name_and_without_its_secrets(settings, message):
    with pytest.raises(SnapshotError) as refused:
        profiles({"p": settings})

    assert str(refused.value).startswith(message)
    assert "hunter22" not in str(refused.value)


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (
            {"env": "NOT_SET"},
            "clusters.p: sasl.password: its environment variable is not set",
        ),
        (
            {"file": "/nowhere/password"},
            "clusters.p: sasl.password: its file: No such file or directory",
        ),
        (
            {"vault": "x"},
            (
                "clusters.p: sasl.password is a table with wrong keys or values, expected {env ="
                ' "NAME"} or {file = "path"}'
            ),
        ),
    ],
)
def test_a_reference_that_leads_nowhere_is_named(reference, message):
    with pytest.raises(SnapshotError) as refused:
        Profile("p", _PRODUCTION | {"sasl.password": reference}).librdkafka({})

    assert str(refused.value) == message


def test_records_are_read_only_where_the_administrator_says_so_and_no_client_gets_the_setting():
    reading = Profile("p", {"bootstrap.servers": "b:1", "record_timestamps": True})

    assert (Profile("p", {"bootstrap.servers": "b:1"}).reads_records, reading.reads_records) == (
        False,
        True,
    )
    assert "record_timestamps" not in {*reading.librdkafka(), *reading.kafka_python()}
    with pytest.raises(
        SnapshotError, match=r"clusters\.p\.record_timestamps is a string, expected true or false"
    ):
        Profile("p", {"bootstrap.servers": "b:1", "record_timestamps": "yes"})
