"""Rules for Prometheus and a dashboard for Grafana; both read the gauges of `/metrics`."""

import json
from typing import Any, NamedTuple


class _Rule(NamedTuple):
    """An alerting rule of Prometheus. `patience`: Prometheus's `for`."""

    name: str
    expression: str
    patience: str
    severity: str
    summary: str


_BY = "{{ $labels.group }} on {{ $labels.cluster }}"

RULES = (
    _Rule(
        "EvenkeelCritical",
        'evenkeel_finding{severity="critical"} == 1',
        "1m",
        "critical",
        f"{_BY}: {{{{ $labels.code }}}}",
    ),
    _Rule(
        "EvenkeelWarning",
        'evenkeel_finding{severity="warning"} == 1',
        "5m",
        "warning",
        f"{_BY}: {{{{ $labels.code }}}}",
    ),
    _Rule(
        "EvenkeelLosesRecords",
        "evenkeel_group_loss_seconds < 21600",
        "0s",
        "critical",
        f"{_BY} loses unread records in {{{{ $value | humanizeDuration }}}}",
    ),
    _Rule(
        "EvenkeelLostRecords",
        "increase(evenkeel_group_lost_records[10m]) > 0",
        "0s",
        "critical",
        f"{_BY} has lost {{{{ $value | humanize }}}} unread records",
    ),
    _Rule(
        "EvenkeelNeverDrains",
        "evenkeel_group_drain_seconds == +Inf",
        "10m",
        "warning",
        f"{_BY} falls behind: more records arrive than are read",
    ),
    _Rule(
        "EvenkeelNoSnapshot",
        "time() - evenkeel_group_snapshot_seconds > 300",
        "1m",
        "warning",
        f"{_BY}: no snapshot for {{{{ $value | humanizeDuration }}}}",
    ),
)

_PANELS = (
    ("Open findings", "sum by (severity) (evenkeel_finding)", "short"),
    ("Lag", "topk(20, evenkeel_group_lag)", "short"),
    ("Time lag", "topk(20, evenkeel_group_lag_seconds)", "s"),
    ("Unread records are deleted in", "evenkeel_group_loss_seconds", "s"),
    ("Drained in", "topk(20, evenkeel_group_drain_seconds)", "s"),
    ("Lag of topics that nobody subscribes to", "evenkeel_group_left_lag", "short"),
)
_WIDTH, _HEIGHT = 12, 8


def prometheus() -> str:
    """Return a file of rules for Prometheus."""
    lines = ["groups:", "  - name: evenkeel", "    rules:"]
    for rule in RULES:
        lines += [
            f"      - alert: {rule.name}",
            f"        expr: {json.dumps(rule.expression)}",
            f"        for: {rule.patience}",
            "        labels:",
            f"          severity: {rule.severity}",
            "        annotations:",
            f"          summary: {json.dumps(rule.summary)}",
        ]
    return "\n".join(lines) + "\n"


def grafana() -> str:
    """Return a dashboard for Grafana. Grafana asks for the data source during the import."""
    source = {"type": "prometheus", "uid": "${DS_PROMETHEUS}"}
    panels = [_panel(number, source) for number in range(len(_PANELS))]
    return (
        json.dumps(
            {
                "__inputs": [
                    {
                        "name": "DS_PROMETHEUS",
                        "label": "Prometheus",
                        "type": "datasource",
                        "pluginId": "prometheus",
                    }
                ],
                "title": "Evenkeel",
                "uid": "evenkeel",
                "editable": True,
                "graphTooltip": 0,
                "schemaVersion": 39,
                "time": {"from": "now-6h", "to": "now"},
                "refresh": "30s",
                "panels": panels,
            },
            indent=2,
        )
        + "\n"
    )


def _panel(number: int, source: dict[str, str]) -> dict[str, Any]:
    title, expression, unit = _PANELS[number]
    row, column = divmod(number, 2)
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": title,
        "datasource": source,
        "gridPos": {"x": column * _WIDTH, "y": row * _HEIGHT, "w": _WIDTH, "h": _HEIGHT},
        "fieldConfig": {"defaults": {"unit": unit}, "overrides": []},
        "targets": [{"refId": "A", "expr": expression, "datasource": source}],
    }
