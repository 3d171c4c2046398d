"""The parts of the page Rebalances."""
