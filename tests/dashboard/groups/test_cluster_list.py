"""Home of a cluster: its last slot if a collector follows it, else what its brokers list."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data.group.tables import schemas
from evenkeel.data.lake.place import place_of
from evenkeel.data.live import for_pages
from tests.generated import collector_plan
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.waiting import until

_ROW = dict.fromkeys(schemas.GROUPS.names) | {
    "group_type": "classic",
    "state": "Stable",
    "member_count": 2,
    "partition_count": 4,
}


@pytest.fixture
def cluster(lake, monkeypatch):
    """A cluster with four groups, three of them collected: group-0000 has a stalled member."""
    (lake / "evenkeel.toml").write_text(
        f'[clusters.{CLUSTER}]\n"bootstrap.servers" = "127.0.0.1:1"\n'
    )
    monkeypatch.setenv("EVENKEEL_CONFIG", str(lake / "evenkeel.toml"))
    lags = {"new": 900, "group-0002": 800, "group-0001": 700, "group-0000": 600}
    rows = [
        _ROW | {"group_id": name, "lag": lag, "max_lag": lag, "unknown_lag_count": 0}
        for name, lag in lags.items()
    ]
    monkeypatch.setattr(
        for_pages,
        "groups_of",
        lambda name: schemas.GROUPS.empty_table().from_pylist(rows, schema=schemas.GROUPS),
    )
    ALL.clear()
    yield CLUSTER
    ALL.clear()


def _collected(lake, monkeypatch, age: float = 60.0):
    """Half an hour of three groups; the last slot is `age` seconds old."""
    plan = plan_with_trouble(groups=3, partitions=4, members=2, days=0.02)
    last = datetime.now(UTC).replace(microsecond=0) - timedelta(seconds=age)
    monkeypatch.setattr(
        collector_plan, "BEGIN", last - timedelta(seconds=30 * (plan.slot_count - 1))
    )
    write_lake(place_of(lake), plan)


def _no_broker(name):
    raise AssertionError(f"{name} was asked")


def test_a_collected_cluster_is_listed_from_its_last_slot_and_no_broker_is_asked(
    page, cluster, lake, monkeypatch
):
    _collected(lake, monkeypatch)
    monkeypatch.setattr(for_pages, "groups_of", _no_broker)

    page.open("start", cluster=cluster)

    assert page.counts == "2 need you, 1 is fine"
    assert set(page.findings) == {"group-0000", "group-0001"}
    # The slot of five minutes before tells that the member is not only slow.
    assert "member-1-4b1e" in page.findings["group-0000"]
    assert "has read nothing in 300 s" in page.findings["group-0000"]
    assert list(page.groups) == ["group-0002"]
    assert not page.warnings


def test_a_topic_in_the_address_is_answered_with_its_readers(page, cluster, lake, monkeypatch):
    _collected(lake, monkeypatch)
    monkeypatch.setattr(for_pages, "groups_of", _no_broker)

    page.open("start", cluster=cluster, topic="topic-0002")

    assert "1 group reads topic-0002: group-0002." in page.html
    assert (list(page.findings), list(page.groups)) == ([], ["group-0002"])
    assert page.address["topic"] == "topic-0002"


def test_a_collector_that_has_stopped_leaves_the_list_to_the_brokers_and_says_so(
    page, cluster, lake, monkeypatch
):
    _collected(lake, monkeypatch, age=3600.0)

    page.open("start", cluster=cluster)

    assert page.counts == "4 are unknown"
    assert list(page.groups) == ["new", "group-0002", "group-0001", "group-0000"]
    assert page.warnings[0].startswith("The last snapshot is of ")


def test_a_damaged_lake_is_named_and_the_page_stays(page, cluster, lake, monkeypatch):
    _collected(lake, monkeypatch)
    for file in lake.glob("MEMBERS/**/*.parquet"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    page.open("start", cluster=cluster)

    assert "the file is cut off or damaged" in page.errors[0]
    assert not page.app.exception


def test_a_cluster_that_is_not_collected_says_how_it_would_be(page, cluster):
    page.open("groups", cluster=cluster)

    assert page.counts == "4 are unknown"
    assert any("evenkeel collect --cluster" in one.value for one in page.app.caption)


def test_a_line_says_since_when_and_that_settings_of_topics_are_unknown(
    page, cluster, lake, monkeypatch
):
    _collected(lake, monkeypatch)
    monkeypatch.setattr(for_pages, "groups_of", _no_broker)

    def dated() -> dict | None:
        lines = page.anew().open("start", cluster=cluster).component("lines")["lines"]
        return next((line for line in lines if line.get("since", "–") != "–"), None)

    # The history is looked at behind the page.
    line = until(dated)
    assert (line["name"], line["lost"]) == ("group-0000", "–")
    assert re.fullmatch(r"(\w{3} )?\d\d:\d\d", line["since"])
