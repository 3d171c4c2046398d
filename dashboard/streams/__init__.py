"""Kafka Streams: which instances run each task, and which have copies, until balanced."""
