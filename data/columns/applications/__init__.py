"""Tables of Kafka Streams applications become streams documents."""
