"""Clusters by address."""

import pytest

from evenkeel.data.configuration.clusters import free_form_name, free_form_profile, profile_of
from evenkeel.data.errors import SnapshotError


@pytest.mark.parametrize(
    ("typed", "is_tls", "settings"),
    [
        (
            "broker-1:9092",
            False,
            {"bootstrap.servers": "broker-1:9092", "security.protocol": "PLAINTEXT"},
        ),
        (
            " a.example:9093 , 10.0.0.1:1,[::1]:65535",
            True,
            {
                "bootstrap.servers": "a.example:9093,10.0.0.1:1,[::1]:65535",
                "security.protocol": "SSL",
            },
        ),
    ],
)
def test_an_address_names_a_cluster_without_a_login(typed, is_tls, settings):
    assert free_form_profile(free_form_name(typed, is_tls)).settings == settings


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "broker",
        "broker:",
        ":9092",
        "broker:0",
        "broker:65536",
        "user:word@broker:9092",
        "http://broker:9092",
        "a:1,,b:2",
        "a:1 b:2",
        "-a:1",
        "a\n:1",
    ],
)
def test_anything_else_is_refused_with_what_is_expected(wrong):
    with pytest.raises(
        SnapshotError,
        match="cannot be used, expected host:port, or several with commas between them",
    ):
        free_form_name(wrong, False)

    assert free_form_profile(wrong) is None


def test_more_addresses_than_a_person_types_are_refused():
    with pytest.raises(SnapshotError, match="21 addresses, expected at most 20"):
        free_form_name(",".join(["a:1"] * 21), False)


@pytest.mark.parametrize(
    ("text", "is_there"),
    [("", False), ("[live]\nfree_form = false\n", False), ("[live]\nfree_form = true\n", True)],
)
def test_an_address_is_a_cluster_only_where_the_configuration_says_so(
    tmp_path, monkeypatch, text, is_there
):
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))
    (tmp_path / "evenkeel.toml").write_text(text)

    if is_there:
        assert profile_of("tls://a:1").settings == {
            "bootstrap.servers": "a:1",
            "security.protocol": "SSL",
        }
    else:
        with pytest.raises(
            SnapshotError, match='no cluster "tls://a:1": the configuration has no cluster'
        ):
            profile_of("tls://a:1")
