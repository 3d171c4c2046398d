"""Marks: times of a cluster or group that a person has named, such as a deploy."""

SHOWN = ("answer", "restarts")
