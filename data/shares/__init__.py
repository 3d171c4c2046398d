"""Shares: a scenario and its result, frozen under an id that cannot be guessed, with or without the
true names.
"""

SHOWN = ("keys", "redaction.known_words", "redaction.shapes", "store")
