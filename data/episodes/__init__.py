"""Findings over time: readings from the lake or recordings become episodes, in words and as
JSON.
"""

SHOWN = ("answer", "past", "recent_slots", "sources", "stored", "words")
