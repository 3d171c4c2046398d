"""Shares: freeze a view, copy its link, make a report, and open a share."""

SHOWN = (
    "loading.frozen",
    "loading.opened",
    "loading.owners",
    "menu",
    "report_files",
    "reports.charts",
    "reports.still",
)
