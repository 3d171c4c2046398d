"""A metrics store with a past: Prometheus or alike, read as slots of a lake."""
