"""Task assignors of Kafka Streams (KIP-441), which assign active tasks and copies of their
state.
"""
