"""Runs of scenarios for programs: the lines of `evenkeel replay`, and the command."""

SHOWN = ("answer",)
