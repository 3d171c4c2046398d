"""Home: the groups of a cluster or of an upload, groups with problems first."""

SHOWN = ("body", "verdicts")
