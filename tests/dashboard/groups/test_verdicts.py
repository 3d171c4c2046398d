"""Groups of a cluster that is collected: what its snapshots say stands beside what the cluster
says.
"""

from datetime import UTC, datetime, timedelta

import pytest

from evenkeel.dashboard.shell.cache import ALL
from evenkeel.dashboard.timeline.loading.verdicts import listed_verdicts
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


def _await_verdicts(page):
    """Look again until the verdicts, which are made behind the page, are there."""
    page.until(lambda: page.component("steady") and "verdict" in next(iter(page.groups.values())))


def _reasons(page):
    return {row["id"]: row["reasons"] for row in page.component("steady")["rows"]}


def test_a_collected_cluster_shows_the_verdict_of_each_group_and_how_old_the_snapshots_are(
    page, cluster, lake
):
    write_lake(place_of(lake), plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))
    page.open("groups", cluster=cluster)
    _await_verdicts(page)

    groups = page.groups

    assert next(iter(groups)) == "group-0000"
    assert (groups["group-0000"]["verdict"], groups["new"]["verdict"]) == ("STALL", "–")
    assert groups["group-0000"]["drains"] == "never"
    assert "STALL" in page.html
    assert "no snapshot has been collected since" in page.warnings[0]


def test_what_is_wrong_stands_below_the_row_of_the_group_and_leads_to_its_evidence(
    page, cluster, lake
):
    write_lake(place_of(lake), plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))
    page.open("groups", cluster=cluster)
    _await_verdicts(page)
    why = page.until(lambda: why if (why := _reasons(page))["group-0000"] else None)

    assert [one["text"] for one in why["group-0000"]] == [
        "member-1-4b1e has read nothing in 300 s: 43.5 k records wait on 2 partitions while others move on."
    ]
    assert why["new"] == why["group-0002"] == []


def test_the_last_snapshot_has_its_time_beside_that_of_the_list(page, cluster, lake, monkeypatch):
    """The list is a second old, the verdicts in it are of the snapshot."""
    plan = plan_with_trouble(groups=1, partitions=4, members=2, days=0.02)
    last = datetime.now(UTC).replace(microsecond=0) - timedelta(seconds=100)
    monkeypatch.setattr(
        collector_plan, "BEGIN", last - timedelta(seconds=30 * (plan.slot_count - 1))
    )
    write_lake(place_of(lake), plan)
    page.open("groups", cluster=cluster)
    _await_verdicts(page)

    told = next(data for data in page.components("word") if data["word"] == "verdicts as of")

    assert not page.warnings
    assert told["text"].startswith("verdicts as of ")
    assert datetime.fromisoformat(told["id"]) == last + timedelta(milliseconds=700)
    assert 99 <= told["seconds"] < 160
    assert told["from"] == 90
    assert told["due"] is None


@pytest.mark.parametrize(
    ("is_listed", "first"),
    [(False, "new"), (True, "group-0000")],
    ids=["before verdicts", "after them"],
)
def test_where_the_lake_is_damaged_the_page_says_so_and_the_live_groups_stay(
    page, cluster, lake, is_listed, first
):
    write_lake(place_of(lake), plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))
    if is_listed:
        until(lambda: listed_verdicts(CLUSTER).groups)
    for file in lake.glob("MEMBERS/**/*.parquet"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    page.open("groups", cluster=cluster)
    page.until(lambda: page.errors)

    (error,) = page.errors
    assert "the file is cut off or damaged" in error
    assert next(iter(page.groups)) == first
    assert len(page.groups) == 4
    assert not page.app.exception


def test_a_cluster_that_is_not_collected_says_how_it_would_be(page, cluster):
    page.open("groups", cluster=cluster)

    assert "verdict" not in next(iter(page.groups.values()))
    assert any("evenkeel collect --cluster" in one.value for one in page.app.caption)
