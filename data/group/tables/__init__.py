"""Tables of groups: schemas, parsed tables, repeated rows, counts, notes, and computed tables."""
