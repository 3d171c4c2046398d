"""Cooperative-sticky of librdkafka: one general algorithm for all groups, and a leader that withholds by a rule of its own."""
