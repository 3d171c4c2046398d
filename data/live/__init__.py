"""What a live cluster says of its groups, read-only."""
