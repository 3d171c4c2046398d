"""Assignors that have the name of a Kafka class and assign every partition as this class does."""
