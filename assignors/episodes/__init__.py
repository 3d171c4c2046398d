"""Findings over time: problems of one group with start and end, from a series of readings, as
arrays only.
"""

SHOWN = ("evidence", "settings")
