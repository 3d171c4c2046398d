"""The groups of a live cluster, read-only."""
