"""Widgets of the page Groups: the groups of a live cluster."""
