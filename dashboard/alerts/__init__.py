"""Alerts: messages that rules would have sent in the last week, and sent messages."""

SHOWN = ("panel",)
