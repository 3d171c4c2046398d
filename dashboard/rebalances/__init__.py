"""The page Rebalances."""

SHOWN = ("body", "loading.lake", "logs")
