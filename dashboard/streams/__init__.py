"""Kafka Streams: who runs and keeps which task until the application is balanced."""
