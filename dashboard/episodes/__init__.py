"""Figures for the server's gauges: members of groups, and clusters whose collector has stopped."""

SHOWN = ("loading", "members")
