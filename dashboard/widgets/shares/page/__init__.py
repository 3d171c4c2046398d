"""A share that is open."""
