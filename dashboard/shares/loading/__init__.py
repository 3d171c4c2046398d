"""Shares: what is frozen, what is opened, and the owner."""
