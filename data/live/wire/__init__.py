"""Decoders of Kafka's bytes, and the one adapter to kafka-python."""
