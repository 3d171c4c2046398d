"""A metrics store with a past: Prometheus and what answers as it does, read as slots of a lake."""
