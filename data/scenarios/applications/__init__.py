"""Scenarios of Kafka Streams applications: a streams document, steps of edits, every task assignor's answer."""
