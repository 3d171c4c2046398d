"""Parts of the page Overview. Also its bands for the page Shares and for reports."""

SHOWN = ("loading", "panel", "tables")
