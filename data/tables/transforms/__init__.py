"""Table -> table, on Arrow alone."""
