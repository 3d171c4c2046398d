"""Assignors of clients besides Java's and librdkafka's: what a classic group gets that such a client leads."""
