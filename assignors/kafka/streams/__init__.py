"""Task assignors of Kafka Streams, KIP-441: who runs which task, and who keeps copies of state."""
