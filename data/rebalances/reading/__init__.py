"""Reads rebalances from lines of coordinators' logs and from records of `__consumer_offsets`."""
