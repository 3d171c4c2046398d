"""A group of a live cluster: how its answer compares with Kafka's, and what is on its way."""
