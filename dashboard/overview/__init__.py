"""Parts of the page Overview, and its bands as a report has them."""

SHOWN = ("loading", "tables")
