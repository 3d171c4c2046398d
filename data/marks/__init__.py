"""Marks: named moments of a cluster or group, such as a deploy."""

SHOWN = ("answer", "restarts")
