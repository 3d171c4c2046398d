"""Alerts: rules on findings over time, their back-test and messages, and rules for Prometheus and
Grafana.
"""

SHOWN = ("push",)
