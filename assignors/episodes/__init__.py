"""Findings over time: problems of one group, since when and until when, from a series of readings;
only arrays.
"""

SHOWN = ("evidence", "settings")
