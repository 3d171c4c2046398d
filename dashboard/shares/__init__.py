"""Shares: how a view is frozen, reported and linked, and what an opened share shows."""
