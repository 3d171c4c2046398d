"""Decoders of Kafka's bytes, and the only adapter to kafka-python."""
