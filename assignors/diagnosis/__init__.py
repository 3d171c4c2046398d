"""Causes of one group's trouble, computed from arrays alone: a file for each cause, in a fixed
order. `data/diagnosis` has the words.
"""

SHOWN = ("finding", "offer", "reading")
