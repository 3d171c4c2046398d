"""Gauges of collected groups."""

import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from evenkeel.dashboard.server.metrics import VerdictGauges
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import plan_with_trouble

NAMES = [
    "verdict",
    "snapshot_seconds",
    "lag_seconds_extrapolated",
    "lag",
    "unknown_lag_partitions",
    "lag_seconds",
    "drain_seconds",
    "drain_high_seconds",
]


@pytest.fixture
def gauges(tmp_path, monkeypatch):
    """What Prometheus reads from a scrape, (family, group): value; asked again until the figures
    are there.
    """
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path / "lake"))
    ALL.clear()
    registry = CollectorRegistry()
    registry.register(VerdictGauges())

    def read(groups: int) -> dict[tuple[str, str], float]:
        deadline = time.monotonic() + 30
        while True:
            families = list(text_string_to_metric_families(generate_latest(registry).decode()))
            found = {
                (one.name, sample.labels["group"]): sample.value
                for one in families
                for sample in one.samples
            }
            if len(families[0].samples) == groups or time.monotonic() > deadline:
                assert [(one.name, one.type, bool(one.documentation)) for one in families] == [
                    (f"evenkeel_group_{name}", "gauge", True) for name in NAMES
                ]
                return found
            time.sleep(0.02)

    yield read
    ALL.clear()


def test_each_group_that_is_collected_has_verdict_lag_time_lag_and_drain(gauges, tmp_path):
    write_lake(
        place_of(tmp_path / "lake"), plan_with_trouble(groups=3, partitions=4, members=2, days=0.05)
    )
    found = gauges(3)

    assert found["evenkeel_group_verdict", "group-0000"] == 3
    assert found["evenkeel_group_lag", "group-0000"] > 0
    assert found["evenkeel_group_lag_seconds", "group-0000"] > 600
    assert found["evenkeel_group_unknown_lag_partitions", "group-0002"] == 0
    assert found["evenkeel_group_drain_seconds", "group-0001"] == float("inf")


def test_names_of_any_signs_are_read_back_and_an_unknown_figure_has_no_sample(gauges, tmp_path):
    name = 'a "b" \\n \\ \n{c="d"} é'
    write_lake(
        place_of(tmp_path / "lake"), plan_with_trouble(groups=1, partitions=4, members=2, days=0.02)
    )
    for file in (tmp_path / "lake").glob("*/*/*.parquet"):
        rows = pq.read_table(file)
        changed = {"group_id": pa.array([name] * rows.num_rows)}
        changed |= {
            column: pa.nulls(rows.num_rows, pa.int64())
            for column in ("committed_offset",)
            if column in rows.column_names
        }
        for column, values in changed.items():
            rows = rows.set_column(rows.column_names.index(column), column, values)
        pq.write_table(rows, file)
    found = gauges(1)

    assert found["evenkeel_group_verdict", name] == 0
    assert found["evenkeel_group_unknown_lag_partitions", name] == 4
    assert not {("evenkeel_group_lag", name), ("evenkeel_group_lag_seconds", name)} & set(found)


def test_a_lake_without_slots_has_no_samples(gauges):
    assert gauges(0) == {}
