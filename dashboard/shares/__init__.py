"""Shares: how a view is frozen, reported and linked, and what an opened share shows."""

SHOWN = ("loading", "menu", "opened_share", "report_files", "reports.charts", "reports.still")
