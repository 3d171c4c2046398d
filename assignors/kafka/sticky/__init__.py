"""Kafka's sticky assignors: claims, two algorithms, and levelling."""
