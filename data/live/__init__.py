"""Groups of a live cluster. The cluster is only read."""
