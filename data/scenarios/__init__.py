"""Scenarios: a group, edits and assumptions, and the answer of each assignor."""
