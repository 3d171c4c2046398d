"""Shares: freezing, opening and the owner."""
