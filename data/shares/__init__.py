"""Shares: stored copies of a scenario and its result, each with a random id.

A share has the true names, or stand-ins in place of names.
"""

SHOWN = ("keys", "redaction.known_words", "redaction.shapes", "store")
