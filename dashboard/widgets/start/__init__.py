"""Widgets of the start page."""
