"""The parts of the page Rebalances."""

SHOWN = ("body", "loading.lake", "logs")
