"""Home: the groups of a cluster or of an upload; groups with problems are first."""

SHOWN = ("body", "verdicts")
