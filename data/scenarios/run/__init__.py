"""Runs of a scenario: every step by every assignor, until the group rests; its figures, lines and
hashes.
"""
