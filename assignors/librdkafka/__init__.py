"""Assignors of librdkafka: what a group gets where its leader is a client of confluent-kafka, rdkafka or kcat."""
