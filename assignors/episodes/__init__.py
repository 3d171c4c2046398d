"""Findings over time: what is wrong with one group, since when and until when, from a series of
readings, as arrays alone.
"""

SHOWN = ("evidence", "settings")
