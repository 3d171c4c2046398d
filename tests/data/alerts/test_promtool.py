"""Prometheus itself takes the exported rules and fires them as they say."""

import shutil
import subprocess

import pytest

from evenkeel.data.alerts.export import prometheus

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
