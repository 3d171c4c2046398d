"""Marks behind the names of members that a step changes."""

NEW, RESTARTED, STOPPED = "+", "↻", "✕"
