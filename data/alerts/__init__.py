"""Alerts: alert rules, the back-test of a rule, messages, and files for Prometheus and Grafana."""

SHOWN = ("push",)
