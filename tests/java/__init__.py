"""Kafka's own classes as the judge."""
