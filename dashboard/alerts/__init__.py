"""Alerts: messages that rules would have sent in the last week, and messages that were sent."""

SHOWN = ("panel",)
