"""Freezing a view: the dialog, and what it says of what leaves."""
