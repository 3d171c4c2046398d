"""Shares: freeze a view, report it, link to it, and the page of an opened share."""

SHOWN = (
    "loading.frozen",
    "loading.opened",
    "loading.owners",
    "menu",
    "report_files",
    "reports.charts",
    "reports.still",
)
