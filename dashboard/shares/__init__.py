"""Shares: freezing, reporting and linking a view, and the page of an opened share."""

SHOWN = (
    "loading.frozen",
    "loading.opened",
    "loading.owners",
    "menu",
    "report_files",
    "reports.charts",
    "reports.still",
)
