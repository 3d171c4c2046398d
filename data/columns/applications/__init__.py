"""Kafka Streams applications: tables become documents, documents become columns, and task rows become names again."""
