"""Rebalances from what coordinators log and store, line by line and record by record."""
