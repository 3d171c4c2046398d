"""Home: the groups of a cluster or of an upload, those that need the reader first."""

SHOWN = ("body",)
