"""What only Groups shows: the groups of a live cluster."""
