"""Answers of `evenkeel assign`, as they are written."""
