"""The time lag of a live group by the timestamps of records."""

import pytest

from evenkeel.dashboard.shell import cache
from evenkeel.dashboard.shell.loading.clusters import live_snapshot, record_ages
from evenkeel.dashboard.view import OpenGroup
from evenkeel.data.group.document import FORMAT, Document, Partition, Topic
from evenkeel.data.live import for_pages
from evenkeel.data.live.reading.documents import LiveGroup

_ORDERS = Topic(
    "orders", [Partition(0, 9, 4), Partition(0, 9, 5), Partition(0, 9, 9), Partition(0, 9, 7)]
)


@pytest.fixture
def opened(lake, monkeypatch):
    """A function (whether records may be read) -> a group of a cluster of which two records were
    read, one of a partition with lag not.
    """

    def open_one(is_allowed):
        cache.ALL.clear()
        lines = [
            "[clusters.local]",
            '"bootstrap.servers" = "127.0.0.1:1"',
            f"record_timestamps = {str(is_allowed).lower()}",
        ]
        (lake / "evenkeel.toml").write_text("\n".join(lines))
        monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
        document = Document(FORMAT, "payments", topics=[_ORDERS], members=[])
        ages = {("orders", 0): 3.5, ("orders", 1): 192.0}
        monkeypatch.setattr(
            for_pages,
            "read_group",
            lambda cluster, group_id: LiveGroup(group_id, document, [], ages=ages),
        )
        return OpenGroup(batch=live_snapshot("local", "payments"), group_id="payments")

    return open_one


def test_the_oldest_record_is_named_and_partitions_with_lag_that_were_not_read_are_counted(opened):
    assert record_ages(opened(True)) == (192.0, "orders-1", 1)


def test_of_a_cluster_whose_records_are_not_read_nothing_is_said(opened):
    assert record_ages(opened(False)) is None
