"""Scenarios for other programs: the lines that `evenkeel replay` writes, and the command."""

SHOWN = ("answer",)
