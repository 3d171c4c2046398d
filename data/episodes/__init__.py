"""Findings over time: slots of the lake or of recordings become episodes, as sentences and
as JSON.
"""

SHOWN = ("answer", "past", "recent_slots", "sources", "stored", "words")
