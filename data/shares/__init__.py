"""Shares: copies of a scenario and its result under random ids, with true names or stand-ins."""

SHOWN = ("keys", "redaction.known_words", "redaction.shapes", "store")
