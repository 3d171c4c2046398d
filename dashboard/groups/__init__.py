"""Home: the groups of a cluster or of an upload. Groups with problems are first."""

SHOWN = ("body", "verdicts")
