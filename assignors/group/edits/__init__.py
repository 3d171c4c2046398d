"""Parts of a group's edits: members, subscriptions, topics, partitions, racks and lags."""
