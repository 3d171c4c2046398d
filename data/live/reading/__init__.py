"""Groups of a cluster as group documents."""
