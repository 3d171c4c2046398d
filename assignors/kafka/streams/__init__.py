"""Task assignors of Kafka Streams, KIP-441: they assign active tasks and copies of state."""
