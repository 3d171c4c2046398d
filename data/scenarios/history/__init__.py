"""A group's history under other assignors."""
