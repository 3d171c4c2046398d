"""Parts of the page Overview, which the page Shares and reports use too."""

SHOWN = ("loading", "panel", "tables")
