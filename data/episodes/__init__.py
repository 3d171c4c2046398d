"""Findings over time: from slots of the lake or of recordings, as sentences and as JSON."""

SHOWN = ("answer", "past", "recent_slots", "sources", "stored", "words")
