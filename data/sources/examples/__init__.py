"""Worked examples: groups and applications that every page can open without an upload."""
