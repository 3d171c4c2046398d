"""Alerts: rules on findings, their back-test and messages, and rules for Prometheus and Grafana."""

SHOWN = ("push",)
