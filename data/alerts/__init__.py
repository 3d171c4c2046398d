"""Alerts: rules on findings over time, their back-test, and rules for Prometheus and Grafana."""

SHOWN = ()
