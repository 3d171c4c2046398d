"""Parts of the page Overview, and its bands for shares and reports."""

SHOWN = ("loading", "panel", "tables")
