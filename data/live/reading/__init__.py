"""Groups of a live cluster as group documents."""
