"""Who owns which partition of a Kafka consumer group, how far behind, and what every assignor would do with the same group."""
