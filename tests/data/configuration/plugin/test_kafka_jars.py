"""Kafka's jars are fetched once, whole or not at all."""

import pytest

from evenkeel.data.configuration.plugin import assignor as module
from evenkeel.data.configuration.plugin.assignor import kafka_jars
from evenkeel.data.errors import SnapshotError


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty cache folder."""
    monkeypatch.setattr(module, "cache_folder", lambda: tmp_path / "evenkeel")
    return tmp_path / "evenkeel"


def downloads(monkeypatch, error=None, meanwhile=lambda: None):
    """Count downloads in place of making them."""
    asked = []

    def download(_organisation, artifact, version, folder, _options):
        asked.append((artifact, version))
        (folder / "jars").mkdir()
        (folder / "jars" / f"{artifact}-{version}.jar").write_bytes(b"jar")
        meanwhile()
        if error:
            raise error

    monkeypatch.setattr(module, "_download", download)
    return asked


def test_a_second_call_downloads_nothing(cache, monkeypatch):
    asked = downloads(monkeypatch)

    jars = [kafka_jars("kafka-clients", "1.2.3") for _ in range(2)]

    assert asked == [("kafka-clients", "1.2.3")]
    assert jars[0] == jars[1] == [cache / "kafka-clients-1.2.3" / "kafka-clients-1.2.3.jar"]


def test_a_download_that_fails_leaves_nothing_behind(cache, monkeypatch):
    downloads(monkeypatch, error=SnapshotError("no such version"))

    with pytest.raises(SnapshotError, match="no such version"):
        kafka_jars("kafka-clients", "1.2.3")

    assert list(cache.iterdir()) == []


def test_when_another_process_was_faster_its_jars_are_taken(cache, monkeypatch):
    other = cache / "kafka-clients-1.2.3"

    def meanwhile():
        other.mkdir()
        (other / "other.jar").write_bytes(b"jar")

    downloads(monkeypatch, meanwhile=meanwhile)

    assert kafka_jars("kafka-clients", "1.2.3") == [other / "other.jar"]
    assert list(cache.iterdir()) == [other]


def test_a_version_that_is_nowhere_is_refused_by_name(cache):
    with pytest.raises(
        SnapshotError,
        match=(
            "org.apache.kafka:kafka-clients:0.0.0-none: not in the package registry, or the"
            " registry cannot be reached"
        ),
    ):
        kafka_jars("kafka-clients", "0.0.0-none")
