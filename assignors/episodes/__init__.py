"""Findings over time: problems of a group with their start and end, computed from a series of
readings as arrays.
"""

SHOWN = ("evidence", "settings")
