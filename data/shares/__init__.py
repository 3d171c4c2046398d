"""Shares: a scenario and its result, frozen under a random id, with true names or stand-ins."""

SHOWN = ("keys", "redaction.known_words", "redaction.shapes", "store")
