"""Which groups can move to the consumer protocol (KIP-848): facts, verdicts, sentences, command."""

SHOWN = ("answer", "groups")
