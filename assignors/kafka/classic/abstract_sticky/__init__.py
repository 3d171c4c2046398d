"""Kafka's AbstractStickyAssignor: claims, racks, outcome, and its two algorithms."""
