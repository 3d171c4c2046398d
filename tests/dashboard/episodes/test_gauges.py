"""Gauges of findings over time, and the files for Prometheus and Grafana that use gauges."""

import json
import re

import pytest

from evenkeel.dashboard.server.metrics import FindingGauges, RebalanceGauges, VerdictGauges
from evenkeel.dashboard.shell.cache import ALL
from evenkeel.data.alerts.export import RULES, grafana, prometheus
from evenkeel.data.lake.place import place_of
from tests.generated.collected_lake import write_lake
from tests.generated.collector_plan import CLUSTER, plan_with_trouble
from tests.waiting import until


@pytest.fixture
def lake(tmp_path, monkeypatch):
    """Three groups: one with a stalled member, one with a hot partition, one that flaps."""
    place = place_of(tmp_path / "lake")
    write_lake(place, plan_with_trouble(groups=3, partitions=8, members=4, days=0.25))
    monkeypatch.setenv("EVENKEEL_LAKE", place.url)
    ALL.clear()
    yield
    ALL.clear()


def test_each_open_finding_is_a_sample_with_its_code_and_severity(lake):
    def labels() -> list[dict]:
        findings, *_ = FindingGauges().collect()
        return [each.labels for each in findings.samples]

    # Slots are judged behind: the first scrapes have nothing.
    assert until(labels)
    samples = labels()
    assert {"stalled", "hot_partition"} <= {each["code"] for each in samples}
    assert {each["cluster"] for each in samples} == {CLUSTER}
    assert {each["severity"] for each in samples if each["code"] == "stalled"} == {"warning"}


def test_every_gauge_of_the_rules_and_of_the_dashboard_is_one_of_ours(lake):
    ours = {
        family.name
        for gauges in (FindingGauges(), VerdictGauges(), RebalanceGauges())
        for family in gauges.collect()
    }
    names = set(re.findall(r"evenkeel_\w+", " ".join(each.expression for each in RULES)))
    names |= set(re.findall(r"evenkeel_\w+", grafana()))

    assert len(names) >= 6
    assert names - ours == set()


def test_the_dashboard_has_a_panel_for_each_question_and_one_place_for_each():
    panels = json.loads(grafana())["panels"]

    places = {(each["gridPos"]["x"], each["gridPos"]["y"]) for each in panels}
    assert len(places) == len(panels) == 6


def test_each_rule_stands_in_the_file():
    text = prometheus()

    assert text.count("      - alert: ") == len(RULES)
    assert '        expr: "evenkeel_group_drain_seconds == +Inf"' in text
