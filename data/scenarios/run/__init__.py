"""Runs a scenario: each assignor answers every step, until the group is stable."""
