"""Assignors that carry a Kafka name, exact to the partition."""
