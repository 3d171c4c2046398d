"""A group over time, in words."""
