"""Rebalances: logs, the lake, and the shown hours."""
