"""Findings over time, as the server reports them."""

SHOWN = ("loading", "members")
