"""What a collector may not read is said once, and stands in every manifest."""

from datetime import UTC, datetime

from evenkeel.data.lake import manifest
from evenkeel.data.lake.manifest import Manifest
from evenkeel.data.lake.place import place_of
from evenkeel.data.pipeline import collect as module

_LINE = "records of orders: TOPIC_AUTHORIZATION_FAILED"


class _Snapshots:
    """Slots without rows, in which a topic may not be read."""

    def __init__(self, spark, cluster, groups, lake, every):
        self._cluster = cluster

    def read(self, batch):
        now = datetime.now(UTC)
        return Manifest(
            batch=batch, ingested_at=now, taken_at=now, cluster=self._cluster, problems=(_LINE,)
        )


def test_what_may_not_be_read_is_said_once(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "Snapshots", _Snapshots)
    stored, said = [], []

    module.collect(
        None,
        "local",
        place_of(tmp_path),
        1,
        (),
        lambda: len(stored) == 2,
        stored.append,
        said.append,
    )

    assert said == [_LINE]
    assert [manifest.read(place_of(tmp_path), one.batch).problems for one in stored] == [
        (_LINE,)
    ] * 2
