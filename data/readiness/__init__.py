"""Which groups can move to the consumer protocol (KIP-848): facts, verdicts, sentences and the
command.
"""

SHOWN = ("answer", "groups")
