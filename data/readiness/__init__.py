"""Which groups can move to the consumer protocol (KIP-848): facts, verdicts, words and the
command.
"""

SHOWN = ("answer", "groups")
