"""Prometheus itself takes the exported rules and fires them as they say; both files ask for gauges
that `/metrics` has.
"""

import re
import shutil
import subprocess
from itertools import combinations
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta
from prometheus_client import CollectorRegistry, generate_latest

from evenkeel.dashboard.server.metrics import FindingGauges, VerdictGauges
from evenkeel.data.alerts.export import grafana, prometheus

PROMTOOL = shutil.which("promtool")

CASES = """\
rule_files: [rules.yml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - series: evenkeel_finding{cluster="c",group="g",code="down",severity="critical"}
        values: 1x5 stale
    alert_rule_test:
      - eval_time: 30s
        alertname: EvenkeelCritical
      - eval_time: 2m
        alertname: EvenkeelCritical
        exp_alerts:
          - exp_labels: {cluster: c, group: g, code: down, severity: critical}
            exp_annotations: {summary: "g on c: down"}
      - eval_time: 8m
        alertname: EvenkeelCritical
  - interval: 1m
    input_series:
      - series: evenkeel_group_loss_seconds{cluster="c",group="g"}
        values: 25000 3600
    alert_rule_test:
      - eval_time: 0m
        alertname: EvenkeelLosesRecords
      - eval_time: 1m
        alertname: EvenkeelLosesRecords
        exp_alerts:
          - exp_labels: {cluster: c, group: g, severity: critical}
            exp_annotations: {summary: "g on c loses unread records in 1h 0m 0s"}
  - interval: 1m
    input_series:
      - series: evenkeel_group_drain_seconds{cluster="c",group="g"}
        values: Inf Inf Inf Inf Inf Inf Inf Inf Inf Inf Inf Inf
    alert_rule_test:
      - eval_time: 9m
        alertname: EvenkeelNeverDrains
      - eval_time: 11m
        alertname: EvenkeelNeverDrains
        exp_alerts:
          - exp_labels: {cluster: c, group: g, severity: warning}
            exp_annotations: {summary: "g on c falls behind: more records arrive than are read"}
"""


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed: make prometheus")
@pytest.mark.parametrize("check", [("check", "rules", "rules.yml"), ("test", "rules", "test.yml")])
def test_prometheus_takes_the_rules_and_fires_them(tmp_path, check):
    (tmp_path / "rules.yml").write_text(prometheus())
    (tmp_path / "test.yml").write_text(CASES)

    done = subprocess.run(
        [PROMTOOL, *check], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("export", [prometheus, grafana])
def test_every_metric_of_an_exported_file_is_a_gauge_of_ours(export, tmp_path, monkeypatch):
    monkeypatch.setenv("EVENKEEL_LAKE", str(tmp_path))
    registry = CollectorRegistry()
    for gauges in (VerdictGauges(), FindingGauges()):
        registry.register(gauges)
    ours = set(re.findall(r"(?m)^# TYPE (\w+) gauge$", generate_latest(registry).decode()))

    asked = set(re.findall(r"\bevenkeel_\w+", export()))

    assert len(asked) >= 4
    assert asked <= ours


class Source(msgspec.Struct, forbid_unknown_fields=True):
    type: Literal["prometheus"]
    uid: str


class Position(msgspec.Struct, forbid_unknown_fields=True):
    h: Annotated[int, Meta(gt=0)]
    w: Annotated[int, Meta(gt=0, le=24)]
    x: Annotated[int, Meta(ge=0, lt=24)]
    y: Annotated[int, Meta(ge=0)]

    def overlaps(self, other: "Position") -> bool:
        return (
            self.x < other.x + other.w
            and other.x < self.x + self.w
            and self.y < other.y + other.h
            and other.y < self.y + self.h
        )


class Target(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    ref_id: str
    expr: Annotated[str, Meta(min_length=1)]
    datasource: Source


class Fields(msgspec.Struct, forbid_unknown_fields=True):
    defaults: dict[Literal["unit"], Literal["short", "s"]]
    overrides: list[Any]


class Panel(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    id: Annotated[int, Meta(gt=0)]
    type: Literal["timeseries"]
    title: Annotated[str, Meta(min_length=1)]
    datasource: Source
    grid_pos: Position
    field_config: Fields
    targets: Annotated[list[Target], Meta(min_length=1)]


class Dashboard(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Grafana's dashboard kind 0.0, as far as the export uses it: what it requires has no
    default.
    """

    inputs: list[dict[str, str]] = msgspec.field(name="__inputs")
    editable: bool
    graph_tooltip: Literal[0, 1, 2]
    schema_version: Annotated[int, Meta(ge=36, lt=2**16)]
    panels: list[Panel]
    title: str
    uid: Annotated[str, Meta(max_length=40)]
    time: dict[Literal["from", "to"], str]
    refresh: str


def test_the_dashboard_fits_the_schema_of_grafana_and_no_panel_covers_another():
    dashboard = msgspec.json.decode(grafana(), type=Dashboard)

    (source,) = dashboard.inputs
    assert {each.datasource.uid for each in dashboard.panels} == {f"${{{source['name']}}}"}
    assert len({each.id for each in dashboard.panels}) == len(dashboard.panels)
    places = [each.grid_pos for each in dashboard.panels]
    assert all(each.x + each.w <= 24 for each in places)
    assert not any(first.overlaps(second) for first, second in combinations(places, 2))
