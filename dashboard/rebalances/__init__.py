"""Parts of the page Rebalances."""

SHOWN = ("body", "loading.lake", "logs")
