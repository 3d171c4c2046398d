"""Assignors with the name of a Kafka class and the same answer for each partition."""
