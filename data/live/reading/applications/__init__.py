"""Applications of Kafka Streams on a cluster as streams documents."""
