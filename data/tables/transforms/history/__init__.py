"""Rows of a group at many instants become a series, and series become tables of verdicts."""
