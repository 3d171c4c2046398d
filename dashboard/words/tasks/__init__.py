"""Kafka Streams applications in words."""
