"""Alerts: what rules would have told in the last week, and of what somebody was told."""

SHOWN = ("panel",)
