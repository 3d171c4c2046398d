"""Kafka Streams applications and the rounds of their rebalances."""
