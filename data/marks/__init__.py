"""Marks: moments that somebody has named, such as a deploy."""

SHOWN = ("answer", "restarts")
