"""Edits of a group: its members, subscriptions, topics, partitions, racks and lags."""
