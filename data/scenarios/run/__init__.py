"""Runs of a scenario: each assignor carries out every step until the group is stable."""
