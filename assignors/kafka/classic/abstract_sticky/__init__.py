"""Kafka's AbstractStickyAssignor: claims, racks and the outcome; both of its ways to an answer."""
