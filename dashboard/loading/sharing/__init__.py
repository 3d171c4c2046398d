"""Shares: what is frozen of a page, and what an address of a share opens."""
