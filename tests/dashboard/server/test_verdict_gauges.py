"""Gauges of collected groups."""

import pytest

from dashboard.loading.cache.cache import ALL
from dashboard.server.api.verdict_gauges import VerdictGauges
from data.lake.place import place_of
from tests.generated.collected_lake import plan_with_trouble, write_lake


@pytest.fixture
def gauges(tmp_path, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    ALL.clear()

    def read() -> dict[tuple[str, str], float]:
        return {(one.name, sample.labels["group"]): sample.value for one in VerdictGauges().collect() for sample in one.samples}

    yield read
    ALL.clear()


def test_each_group_that_is_collected_has_verdict_lag_time_lag_and_drain(gauges, tmp_path):
    write_lake(place_of(tmp_path / "lake"), plan_with_trouble(groups=3, partitions=4, members=2, days=0.05))
    found = gauges()

    assert found["evenkeel_group_verdict", "group-0000"] == 2
    assert found["evenkeel_group_lag", "group-0000"] > 0 and found["evenkeel_group_lag_seconds", "group-0000"] > 600
    assert found["evenkeel_group_unknown_lag_partitions", "group-0002"] == 0
    assert found["evenkeel_group_drain_seconds", "group-0001"] == float("inf")


def test_a_lake_without_slots_has_no_samples(gauges):
    assert gauges() == {}
