"""Predictions for Kafka Streams applications beside what real ones then do."""
