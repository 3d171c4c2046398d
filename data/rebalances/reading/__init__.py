"""Rebalances from coordinators' logs and records, line by line and record by record."""
