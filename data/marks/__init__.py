"""Marks: a person marks a time of a cluster or group with a text, such as a deploy."""

SHOWN = ("answer", "restarts")
