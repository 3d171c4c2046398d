"""Edits: a group and one change of it become another group; one file for each kind of edit."""
