"""Findings over time: readings of the lake or of recordings become episodes, in words and as
JSON.
"""

SHOWN = ("answer", "past", "recent_slots", "sources", "stored", "words")
