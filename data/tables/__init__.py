"""Every table: schemas, what parsing gives, counts and notes."""
