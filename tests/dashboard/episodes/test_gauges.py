"""Gauges of findings over time, and the files for Prometheus and Grafana that use gauges."""

import json
import re

import pytest

from evenkeel.dashboard.server.metrics import (
    FindingGauges,
    MemberGauges,
    RebalanceGauges,
    VerdictGauges,
)
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

    # Slots are judged behind: the first scrapes have the silent cluster alone.
    assert until(lambda: {"stalled", "hot_partition"} <= {each["code"] for each in labels()})
    samples = labels()
    assert {each["cluster"] for each in samples} == {CLUSTER}
    assert {each["severity"] for each in samples if each["code"] == "stalled"} == {"warning"}


def test_a_cluster_that_is_not_collected_any_more_is_silent(lake):
    """The last slot is of 2026-11-02."""
    labels = {"cluster": CLUSTER, "group": "", "code": "silent", "severity": "warning"}

    assert labels in [each.labels for each in next(FindingGauges().collect()).samples]


def test_members_have_no_gauge_until_a_number_of_series_is_given(lake):
    assert list(MemberGauges().collect()) == []


def test_members_with_the_most_lag_have_gauges_up_to_the_number_of_series(
    lake, tmp_path, monkeypatch
):
    """Members without client id and host count together: nine series of three groups. The hot
    partition gets too much for six hours, the stalled member reads nothing for 20 minutes.
    """
    (tmp_path / "evenkeel.toml").write_text("[metrics]\nmembers = 8\n")
    monkeypatch.setenv("EVENKEEL_CONFIG", str(tmp_path / "evenkeel.toml"))

    def families() -> dict:
        every = {family.name: family.samples for family in MemberGauges().collect()}
        return every if every["evenkeel_member_lag"] else {}

    shown = until(families)

    lags = shown["evenkeel_member_lag"]
    assert [each.labels["group"] for each in lags] == ["group-0001", "group-0000"]
    assert [each.value for each in shown["evenkeel_member_partitions"]] == [8, 8]
    assert sum(len(samples) for samples in shown.values()) == 6 + 1
    assert shown["evenkeel_member_series_left_out"][0].value == 3


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
