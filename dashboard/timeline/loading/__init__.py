"""A group over time, from the lake."""
