"""Parts of the page Overview, and its bands as a share and a report have them."""

SHOWN = ("loading", "panel", "tables")
